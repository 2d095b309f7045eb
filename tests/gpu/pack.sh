#!/usr/bin/env bash
# Puts into one folder what tests/gpu/on_device.sh needs on a machine that has a driver, this repository and a C library
# no older than ours: the programs without their symbols, and the libraries that they load, but for the C library's own.
#   tests/gpu/pack.sh [PROGRAMS] [FOLDER]    default: build/cuda/bin, build/device
# Then: tests/gpu/on_device.sh FOLDER. Status 1: it has become too large to be carried.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
programs="${1:-$root/build/cuda/bin}"
folder="${2:-$root/build/device}"
limit_mib=64 # of all that travels, this repository included

rm -rf "$folder"
mkdir -p "$folder/lib"
for name in test_gpu benchmark_gpu; do
  strip -o "$folder/$name" "$programs/$name"
  ldd "$programs/$name" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' |
    { grep -vE '/(libc|libm|libdl|librt|libpthread)\.so' || true; } | while read -r library; do
      strip --strip-unneeded -o "$folder/lib/$(basename "$library")" "$library"
    done
done
packed=$(du -sm "$folder" | cut -f1)
tree=$(git -C "$root" ls-files -z | (cd "$root" && du -cm --files0-from=- | tail -1 | cut -f1))
echo "$folder: $packed MiB, and $tree MiB of the repository"
if [ $((packed + tree)) -gt "$limit_mib" ]; then
  echo "more than $limit_mib MiB; build for one architecture only (SLIPSTICK_CUDA_ARCHITECTURES=90)" >&2
  exit 1
fi
