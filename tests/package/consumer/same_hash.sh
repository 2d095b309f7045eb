#!/bin/sh
# same_hash.sh SLIPSTICK STEP_SCENE: a program that links the engine ends in the state of the installed program, bit for bit.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for scene in hold dough_rolling; do
  "$1" run "$scene" --duration "$([ "$scene" = hold ] && echo 0.002 || echo 0.2)" --threads 1 --method async --backend cpu --quiet --report "$work/report.json"
  wanted=$(sed -n 's/.*"state_hash": *"\([0-9a-f]*\)".*/\1/p' "$work/report.json")
  found=$("$2" "$scene" 20)
  echo "$scene: the program $wanted, the other $found"
  [ -n "$wanted" ] && [ "$wanted" = "$found" ]
done
