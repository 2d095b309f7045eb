# Sourced by app/run and tests/run: makes sure that everything needed is installed, then configures and builds.
# shellcheck shell=bash

slipstick_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

slipstick_say() { printf 'slipstick: %s\n' "$*" >&2; }

# slipstick_apt_has PACKAGE: true, too, where apt knows no package at all because it was never updated.
slipstick_apt_has() {
  [ -n "$(apt-cache madison "$1" 2>/dev/null)" ] || [ -z "$(apt-cache madison cmake 2>/dev/null)" ]
}

# slipstick_missing_packages LIST...: names in these files that dpkg does not report as installed, one per line; those that
# a distribution may lack (?NAME) only where it does not.
slipstick_missing_packages() {
  local wanted optional
  wanted="$(grep -hv '^[#?]' "$@")"
  for optional in $(sed -n 's/^?//p' "$@"); do
    if slipstick_apt_has "$optional"; then wanted+=$'\n'"$optional"; fi
  done
  # Virtual and renamed packages (Ubuntu) count as installed when something provides them.
  # shellcheck disable=SC2016
  comm -23 <(sort -u <<<"$wanted") \
    <(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n${db:Status-Abbrev}${Provides}\n' 2>/dev/null |
      sed -n 's/^ii *//p' | tr ',' '\n' | sed 's/^ *//; s/ .*//' | sort -u)
}

# slipstick_agreed PACKAGE...: a person at the terminal is asked; where nobody is, or slipstick_yes is set, all agree.
slipstick_agreed() {
  if [ -n "${slipstick_yes:-}" ] || [ ! -t 0 ] || [ ! -t 1 ]; then return 0; fi
  slipstick_say "building needs packages that are not installed:" "$@"
  local answer
  read -r -p "slipstick: install them with apt-get? [Y/n] " answer || answer=n
  case $answer in '' | [yY] | [yY][eE][sS]) return 0 ;; esac
  slipstick_say "nothing was installed; install them yourself and run this again: apt-get install" "$@"
  return 1
}

# slipstick_install_packages [LIST...]: what app/packages.txt and these files name.
slipstick_install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    slipstick_say "packages: this system has no apt; install what app/packages.txt names with your own tools"
    return 0
  fi
  local missing
  missing="$(slipstick_missing_packages "$slipstick_root/app/packages.txt" "$@")"
  [ -z "$missing" ] && return 0
  slipstick_agreed $missing || return 1
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      slipstick_say "packages: not installed and there is no sudo; as root run: apt-get install" $missing
      return 1
    fi
    as_root=(sudo)
  fi
  slipstick_say "installing" $missing
  export DEBIAN_FRONTEND=noninteractive
  if ! { "${as_root[@]}" apt-get update -qq && missing="$(slipstick_missing_packages "$slipstick_root/app/packages.txt" "$@")" &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null; }; then
    slipstick_say "packages: apt-get could not install them; check the network and rights, then run: apt-get install" $missing
    return 1
  fi
}

# slipstick_jobs: how many compilers or tests run at a time: one a core, where there are 2 GB of memory for each; two at least.
slipstick_jobs() {
  local cores memory jobs
  cores="$(nproc)"
  memory="$(awk '/^MemAvailable:/ { print int($2 / 2097152) }' /proc/meminfo)"
  jobs=$((memory < cores ? memory : cores))
  echo $((jobs > 2 ? jobs : 2))
}

# slipstick_cuda PRESET: words for cmake on what kernels are compiled for: the devices that SLIPSTICK_CUDA_ARCHITECTURES
# names, or those that this machine's driver knows, or what the folder was built for before. Without any of these: for
# nothing, as it takes minutes and could not be run.
slipstick_cuda() {
  local architectures="${SLIPSTICK_CUDA_ARCHITECTURES:-}"
  [ "$1" = release ] || return 0
  if [ -z "$architectures" ]; then
    architectures="$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d '. ' | grep -x '[0-9]*' | sort -un | paste -sd ';')" || true
  fi
  if [ -n "$architectures" ]; then
    echo "-DSLIPSTICK_CUDA_ARCHITECTURES=$architectures"
  elif ! grep -qs '^SLIPSTICK_CUDA:[A-Z]*=AUTO$' "$slipstick_root/build/release/CMakeCache.txt"; then
    echo "-DSLIPSTICK_CUDA=OFF"
  fi
}

# slipstick_build [TARGET...]: configures the release preset and builds it.
slipstick_build() { slipstick_build_preset release "$@"; }

slipstick_build_preset() {
  local preset="$1" targets=()
  shift
  [ "$#" -gt 0 ] && targets=(--target "$@")
  cd "$slipstick_root" || return 1
  local log words
  words="$(slipstick_cuda "$preset")"
  if ! log="$(cmake --preset "$preset" ${words:+"$words"} 2>&1)"; then
    printf '%s\n' "$log" >&2
    slipstick_say "cmake --preset $preset failed, see above; delete build/$preset and try again"
    return 1
  fi
  cmake --build --preset "$preset" -j "$(slipstick_jobs)" "${targets[@]}"
}
