#!/usr/bin/env bash
# Installs the package on a bare system that has no compiler, uses it, removes it, and looks for what is left.
#   tests/package/in_chroot.sh                        makes the package of build/release; Debian of this machine's release
#   tests/package/in_chroot.sh --deb FILE.deb         another one
#   tests/package/in_chroot.sh --suite noble --mirror URL --keyring FILE    another distribution, whose .deb it must be
# Needs root, and the packages debootstrap, xvfb, dpkg-dev and file. Not part of tests/run: it loads a whole system, in minutes.
# Pictures and lists lie in build/release/chroot afterwards; the system itself is kept there for the next time.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
out="$root/build/release/chroot"
deb='' mirror='' keyring=''
suite="$(. /etc/os-release && echo "$VERSION_CODENAME")"

say() { printf '== %s\n' "$*"; }
fail() {
  printf 'in_chroot: %s\n' "$*" >&2
  exit 1
}

while [ "$#" -gt 0 ]; do
  case $1 in
    --deb) deb="$(realpath "$2")" ;;
    --suite) suite=$2 ;;
    --mirror) mirror=$2 ;;
    --keyring) keyring="$(realpath "$2")" ;;
    *) fail "$1: there is no such option" ;;
  esac
  shift 2
done
[ "$(id -u)" -eq 0 ] || fail "a system is made and entered only as root"
for program in debootstrap Xvfb; do
  command -v "$program" >/dev/null || fail "$program is not installed"
done
# Mounts of the new system are seen by this process and its children alone, and go with them.
if [ -z "${IN_CHROOT_UNSHARED:-}" ]; then
  exec env IN_CHROOT_UNSHARED=1 unshare --mount "$0" ${deb:+--deb "$deb"} --suite "$suite" \
    ${mirror:+--mirror "$mirror"} ${keyring:+--keyring "$keyring"}
fi

make_package() {
  [ -z "$deb" ] || return 0
  say "making the package"
  cmake --build "$root/build/release" -j 2 --target package >"$out/package.log"
  deb="$(ls -t "$root"/build/release/slipstick_*.deb | head -1)"
}

# A bare system as this machine would install it: its mirror, and its way to it.
make_system() {
  system="$out/$suite"
  if [ ! -e "$out/$suite.tar" ]; then
    [ -n "$mirror" ] || mirror="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $suite" | head -1)"
    [ -n "$mirror" ] || fail "this machine installs nothing of '$suite'; name a mirror with --mirror"
    say "loading a bare $suite"
    rm -rf "$system"
    debootstrap --variant=minbase ${keyring:+--keyring="$keyring"} "$suite" "$system" "$mirror" >"$out/debootstrap.log" ||
      fail "debootstrap failed, see $out/debootstrap.log"
    # Ubuntu keeps much of what is needed in another part of its archive.
    grep -q ubuntu "$system/etc/os-release" && echo "deb $mirror $suite main universe" >"$system/etc/apt/sources.list"
    apt-config dump Acquire | grep -iE 'proxy|check|cainfo' >"$system/etc/apt/apt.conf.d/99machine" || true
    tar -C "$system" -cf "$out/$suite.tar" .
  fi
  rm -rf "$system"
  mkdir -p "$system"
  tar -C "$system" -xf "$out/$suite.tar"
  cp /etc/resolv.conf /etc/hosts "$system/etc/"
  mount -t proc proc "$system/proc"
  mount --bind /dev "$system/dev"
  mount -t tmpfs tmpfs "$system/tmp"
  chmod 1777 "$system/tmp"
}

inside() { chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# As a person who is nobody special, with a home and a display.
as_person() { inside setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/tmp/home XDG_RUNTIME_DIR=/tmp/home DISPLAY="$DISPLAY" "$@"; }

# Everything that is there, and the sums of all files, but for what apt, dpkg, debconf and ldconfig write at every change.
list_system() {
  local skip=(-path /proc -o -path /dev -o -path /sys -o -path /tmp -o -path /var/lib/apt -o -path /var/cache/apt -o -path /var/log
    -o -path '/var/lib/dpkg/*-old' -o -path '/var/cache/debconf/*-old' -o -path /var/cache/ldconfig/aux-cache -o -path /var/lib/dpkg/triggers -o -path '/var/lib/dpkg/lock*')
  inside find / -xdev -mindepth 1 \( "${skip[@]}" \) -prune -o -printf '%p %m %y %l\n' | sort
  inside find / -xdev -mindepth 1 \( "${skip[@]}" \) -prune -o -type f -exec md5sum {} + | sort -k 2
}

no_compiler() {
  for name in cc gcc g++ c++ clang ld as make cmake; do
    inside sh -c "command -v $name" && fail "the system has $name, so that it proves nothing"
  done
  return 0
}

# put_in DEB, take_out PACKAGE: with its dependencies.
put_in() {
  inside apt-get install -y --no-install-recommends "$1" >"$out/$suite.install.log" 2>&1 && return
  tail -20 "$out/$suite.install.log"
  fail "$1 cannot be installed"
}
take_out() {
  inside apt-get purge -y "$1" >"$out/$suite.remove.log" 2>&1
  inside apt-get autoremove --purge -y >>"$out/$suite.remove.log" 2>&1
}

use_program() {
  say "using it"
  inside mkdir -p /tmp/home /tmp/out
  inside chown 1000:1000 /tmp/home /tmp/out
  as_person slipstick --version
  as_person slipstick --screenshot /tmp/out/gallery.png
  as_person slipstick dough_rolling --at 0.1 --screenshot /tmp/out/window.png
  as_person env -u DISPLAY slipstick render dough_rolling --to 0.2 --quiet --out /tmp/out/render.png
  as_person env -u DISPLAY slipstick check arm7
  as_person env -u DISPLAY slipstick run hold --duration 0.01 --quiet --record /tmp/out/hold.slipstick.h5
  mkdir -p "$out/pictures-$suite"
  cp "$system"/tmp/out/*.png "$out/pictures-$suite/"
  for picture in gallery window render; do
    [ "$(stat -c %s "$out/pictures-$suite/$picture.png")" -gt 20000 ] || fail "$picture.png shows nothing"
  done
}

mkdir -p "$out"
make_package
make_system
say "before: $(inside dpkg-query -f '.\n' -W | wc -l) packages"
no_compiler
inside apt-get update -qq
# An empty package with the same dependencies comes and goes first: what these leave behind is not laid to ours (on Ubuntu a
# directory of a library, and priorities that dpkg learns from the archive).
say "its dependencies alone"
mkdir -p "$system/tmp/needs/DEBIAN"
printf '%s\n' 'Package: slipstick-needs' 'Version: 1' 'Architecture: all' 'Maintainer: nobody <nobody@localhost>' 'Description: nothing' \
  "Depends: $(dpkg-deb --field "$deb" Depends)" >"$system/tmp/needs/DEBIAN/control"
dpkg-deb --build "$system/tmp/needs" "$system/tmp/needs.deb" >/dev/null
put_in /tmp/needs.deb
take_out slipstick-needs
say "after them: $(inside dpkg-query -f '.\n' -W | wc -l) packages"
list_system >"$out/$suite.before"
cp "$deb" "$system/tmp/slipstick.deb"
say "installing $(basename "$deb")"
put_in /tmp/slipstick.deb
inside dpkg -L slipstick >"$out/$suite.files"
say "with it: $(inside dpkg-query -f '.\n' -W | wc -l) packages"
no_compiler

# The display is this machine's, so that the system has only what the package asks for.
Xvfb -displayfd 3 -screen 0 1920x1200x24 -nolisten tcp 3>"$out/display" 2>/dev/null &
server=$!
trap 'kill "$server" 2>/dev/null; rm -f "$out/display"' EXIT
for _ in $(seq 100); do [ -s "$out/display" ] && break; sleep 0.1; done
DISPLAY=":$(cat "$out/display")"
mkdir -p "$system/tmp/.X11-unix"
mount --bind /tmp/.X11-unix "$system/tmp/.X11-unix"
use_program

say "removing it"
take_out slipstick
list_system >"$out/$suite.after"
if ! diff "$out/$suite.before" "$out/$suite.after" >"$out/$suite.left"; then
  cat "$out/$suite.left"
  fail "it leaves something behind, see above"
fi
say "nothing is left behind"
