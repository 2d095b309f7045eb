# Sourced: when each program last passed under its sanitizers, in tests/sanitized.csv. A pass belongs to a commit, so
# nothing is noted of a tree that differs from its commit.
# shellcheck shell=bash

readonly kPassesHeader=date,commit,preset,programs,seconds
readonly kStaleAfter=50  # commits

# passes_git WORDS: git in the tree that the table is of.
passes_git() { git -C "$passes_root" "$@"; }

# passes_note PRESET PROGRAMS SECONDS: these passed whole, just now; replaces the preset's row.
passes_note() {
  local preset="$1" programs="$2" seconds="$3" table="$passes_root/tests/sanitized.csv" rest=""
  if ! passes_git diff --quiet HEAD -- . ':!tests/sanitized.csv' 2>/dev/null; then
    echo "sanitized: $preset passed, but the tree differs from its commit: tests/sanitized.csv is left as it was" >&2
    return 0
  fi
  [ -e "$table" ] && rest="$(awk -F, -v preset="$preset" 'NR > 1 && $3 != preset' "$table")"
  {
    echo "$kPassesHeader"
    { [ -z "$rest" ] || echo "$rest"
      echo "$(date -u +%Y-%m-%dT%H:%MZ),$(passes_git rev-parse --short=12 HEAD),$preset,$programs,$seconds"; } | sort -t, -k3,3
  } >"$table.new" && mv "$table.new" "$table"
}

# passes_tell PRESET: one line that says when it last passed whole, in capitals where that is too long ago.
passes_tell() {
  local preset="$1" table="$passes_root/tests/sanitized.csv" row date commit programs seconds age
  row="$(awk -F, -v preset="$preset" 'NR > 1 && $3 == preset' "$table" 2>/dev/null)"
  if [ -z "$row" ]; then
    echo "sanitizers ($preset): NEVER PASSED WHOLE, as tests/sanitized.csv says: BEGIN THE NEXT CHANGE WITH tests/sanitized $preset"
    return 0
  fi
  IFS=, read -r date commit _ programs seconds <<<"$row"
  age="$(passes_git rev-list --count "$commit..HEAD" 2>/dev/null)" || age=unknown
  if [ "$age" = 0 ]; then
    echo "sanitizers ($preset): passed whole at this commit, $commit ($programs; $seconds s)"
  elif [ "$age" = unknown ] || [ "$age" -gt "$kStaleAfter" ]; then
    echo "sanitizers ($preset): LAST PASSED WHOLE ON $date AT $commit, $age COMMITS AGO: BEGIN THE NEXT CHANGE WITH tests/sanitized $preset"
  else
    echo "sanitizers ($preset): last passed whole on $date at $commit, $age commits ago"
  fi
}
