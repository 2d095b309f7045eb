#!/usr/bin/env bash
# Everything that needs a GPU, in one call of under ten minutes, on a machine that has only the driver and the built
# programs: tests, sanitizers, benchmark, Taichi on the same cubes, and a report of it all beside the predictions.
#   tests/gpu/on_device.sh [--host] [PROGRAMS]
# PROGRAMS: folder of test_gpu and benchmark_gpu, with their libraries in lib/ where tests/gpu/pack.sh has made it; else
# build/cuda/bin. --host: no device is used; the benchmark runs on the host executor, in sizes so small that its numbers
# mean nothing, to try its way to the report.
# Where there is no device, the script says so, after having tried what can be tried.
# Taichi: as python3 has it, or from wheels in $WHEELS (one of 56 MB, too large to be carried along with the programs: in a
# call of its own), or from PyPI; else it is left out.
# Writes into $OUT, else ./on_device: device.txt, one log per run, summary.txt, benchmark.json, taichi.json, and
# gpu_DEVICE.md, which belongs into tests/benchmarks/results. Status 1: something failed.
set -uo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
on_host=0
if [ "${1:-}" = --host ]; then
  on_host=1
  export CUDA_VISIBLE_DEVICES=
  shift
fi
programs="$(realpath "${1:-$root/build/cuda/bin}")"
out="${OUT:-on_device}"
mkdir -p "$out"
: >"$out/summary.txt"
failures=0
deadline=$((SECONDS + 510))
export SLIPSTICK_ASSETS="${SLIPSTICK_ASSETS:-$root/assets}"
if [ -d "$programs/lib" ]; then
  export LD_LIBRARY_PATH="$programs/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
benchmarks="$root/tests/benchmarks"
traffic="$benchmarks/results/kernel_traffic.json"

say() { printf '%s\n' "$*" | tee -a "$out/summary.txt"; }

# attempt NAME SECONDS COMMAND...: one run with its log, and a line for the summary.
attempt() {
  local name="$1" seconds="$2" status start=$SECONDS
  shift 2
  if [ $((deadline - SECONDS)) -lt "$seconds" ]; then seconds=$((deadline - SECONDS)); fi
  if [ "$seconds" -lt 1 ]; then
    say "left out  $name: no time left"
    return
  fi
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

# Sets `taichi` to a Python that has it, in an environment of its own where it must be installed.
find_taichi() {
  taichi=""
  if python3 -c 'import taichi' 2>/dev/null; then
    taichi=python3
    return
  fi
  local venv
  venv="$(mktemp -d)"
  python3 -m venv --system-site-packages "$venv" >"$out/taichi_install.log" 2>&1 || return
  if [ -d "${WHEELS:-}" ]; then
    "$venv/bin/python" -m pip install -q --no-index --find-links "$WHEELS" taichi >>"$out/taichi_install.log" 2>&1 || return
  else
    timeout 60 "$venv/bin/python" -m pip install -q --retries 0 --timeout 5 taichi >>"$out/taichi_install.log" 2>&1 || return
  fi
  taichi="$venv/bin/python"
}

# report [ARGUMENTS...]: gpu_DEVICE.md from what the benchmarks have left, complete or not.
report() {
  if ! command -v python3 >/dev/null; then
    say "left out  report: no python3 here; run gpu_report.py on benchmark.json elsewhere"
  elif [ -s "$out/benchmark.json" ]; then
    attempt report 30 python3 "$benchmarks/gpu_report.py" "$out/benchmark.json" --traffic "$traffic" --folder "$out" "$@"
  fi
}

for program in test_gpu benchmark_gpu; do
  if [ ! -x "$programs/$program" ]; then
    say "no $program in $programs; build it, or name the folder"
    exit 1
  fi
done
rm -f "$out/benchmark.json" "$out/taichi.json"

# Starts without a device too, and says why there is none.
attempt device 60 "$programs/test_gpu" --gtest_filter='Devices.*:CudaExecutor.*:OnDevice.*'
sed -n 's/^CUDA device: //p' "$out/device.log" >"$out/device.txt"
if [ "$on_host" -eq 1 ]; then
  attempt benchmark 250 "$programs/benchmark_gpu" --backend cuda-host --edges 4,6 --steps 1 --task dough_rolling \
    --from 0 --traffic "$traffic" --json "$out/benchmark.json"
  report
  exit $((failures > 0))
fi

if [ ! -s "$out/device.txt" ]; then
  say "no device here: $(sed -n 's/^no CUDA device: //p' "$out/device.log" | head -1)"
  say "nothing ran on a device"
  exit $((failures > 0))
fi
say "device: $(head -1 "$out/device.txt")"

attempt tests 100 "$programs/test_gpu" --gtest_filter='OnDevice*:*/device'
attempt benchmark 200 "$programs/benchmark_gpu" --traffic "$traffic" --json "$out/benchmark.json"
report
sanitizer="$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -1)"
if [ -n "$sanitizer" ]; then
  for tool in memcheck racecheck synccheck; do
    # A device that is lost on purpose is what these tools look for; so is an allocation that fails.
    attempt "$tool" 80 "$sanitizer" --tool "$tool" --report-api-errors no --error-exitcode 9 "$programs/test_gpu" \
      --gtest_filter='OnDevice*:*/device:-OnDeviceLoss.*:*KernelTasks*'
  done
else
  say "left out  memcheck, racecheck, synccheck: no compute-sanitizer here"
fi
find_taichi
if [ -n "$taichi" ]; then
  attempt taichi 90 "$taichi" "$benchmarks/taichi_cube.py" --json "$out/taichi.json"
  if [ -s "$out/taichi.json" ]; then report --taichi "$out/taichi.json"; fi
else
  say "left out  taichi: python3 has none, and none could be installed"
fi
exit $((failures > 0))
