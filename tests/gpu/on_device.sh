#!/usr/bin/env bash
# Everything that needs a GPU, in one call of under ten minutes, on a machine that has only the driver and the built
# programs. Where there is no device it says so, after having tried what can be tried.
#   tests/gpu/on_device.sh [PROGRAMS]    PROGRAMS: folder of test_gpu and benchmark_gpu, else build/release/bin
# Writes into $OUT, else ./on_device: device.txt, one log per run, summary.txt. Status 1: something failed.
set -uo pipefail
programs="${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/release/bin}"
out="${OUT:-on_device}"
mkdir -p "$out"
: >"$out/summary.txt"
failures=0

say() { printf '%s\n' "$*" | tee -a "$out/summary.txt"; }

# attempt NAME SECONDS COMMAND...: one run with its log, and a line for the summary.
attempt() {
  local name="$1" seconds="$2" status start=$SECONDS
  shift 2
  timeout "$seconds" "$@" >"$out/$name.log" 2>&1
  status=$?
  if [ "$status" -eq 0 ]; then
    say "passed  $name ($((SECONDS - start)) s)"
  else
    failures=$((failures + 1))
    say "FAILED  $name: status $status (124: longer than $seconds s), see $name.log"
    tail -n 20 "$out/$name.log"
  fi
}

if [ ! -x "$programs/test_gpu" ]; then
  say "no test_gpu in $programs; build it, or name the folder"
  exit 1
fi

# Starts without a device too, and says why there is none.
attempt device 60 "$programs/test_gpu" --gtest_filter='Devices.*:CudaExecutor.*:OnDevice.*'
sed -n 's/^CUDA device: //p' "$out/device.log" >"$out/device.txt"
if [ ! -s "$out/device.txt" ]; then
  say "no device here: $(sed -n 's/^no CUDA device: //p' "$out/device.log" | head -1)"
  say "nothing ran on a device"
  exit $((failures > 0))
fi
say "device: $(head -1 "$out/device.txt")"

attempt tests 150 "$programs/test_gpu" --gtest_filter='OnDevice*'
sanitizer="$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -1)"
if [ -n "$sanitizer" ]; then
  for tool in memcheck racecheck synccheck; do
    # A device that is lost on purpose is what these tools look for; so is an allocation that fails.
    attempt "$tool" 90 "$sanitizer" --tool "$tool" --report-api-errors no --error-exitcode 9 "$programs/test_gpu" \
      --gtest_filter='OnDevice*:-OnDeviceLoss.*'
  done
else
  say "left out  memcheck, racecheck, synccheck: no compute-sanitizer here"
fi
if [ -x "$programs/benchmark_gpu" ]; then
  attempt benchmark 90 "$programs/benchmark_gpu"
else
  say "left out  benchmark: no benchmark_gpu in $programs"
fi
exit $((failures > 0))
