#!/usr/bin/env python3
"""What every kernel of the CUDA backend needs of a GPU, and what steps should take there, as tables.

    tests/benchmarks/cuda_budget.py build/cuda/gpu/*.resources --traffic tests/benchmarks/results/kernel_traffic.json \
        > tests/benchmarks/results/cuda_budget.md
    tests/benchmarks/cuda_budget.py build/cuda/bin/slipstick               # by cuobjdump, where it is installed

Files named .resources hold what the assembler said when it compiled them (ptxas -v), files named .cuobjdump what
cuobjdump --dump-resource-usage wrote; of anything else, objects or programs, cuobjdump is asked. --traffic adds the
bytes that kernels move, as kernel_traffic counts them (build/release/bin/kernel_traffic FILE.json), and what follows
from them (cuda_prediction.py). A kernel that spills registers, or whose blocks need more shared
memory than one of these GPUs gives to a block, ends the script with status 1; of cuobjdump's a stack counts as spills,
for it does not tell them apart. Kernels of CUB are left out.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace

import cuda_prediction as prediction

SCOPES = ["block", "cluster", "grid"]
ALL_SHARED = 2**64 - 1  # kAllShared of gpu/executor.h: a launch adds all that a block may have, but for sums_shared()


def sums_shared(threads):
    """sumsSharedBytes() of gpu/team_place.h."""
    return 8 * ((2 if threads > 256 else 4) * (threads // 2) + 16)


@dataclass(frozen=True)
class Gpu:
    """Limits of one multiprocessor (CUDA C++ Programming Guide, compute capabilities)."""

    name: str
    architecture: int
    threads: int
    blocks: int
    shared: int  # [B] of all blocks; each takes 1 KiB on top of what it asks for
    block_shared: int  # [B] that one of them may have
    registers: int = 65536
    registers_at_a_time: int = 256  # of a warp

    def shared_of(self, kernel):
        """[B] per block, what a launch adds included."""
        added = self.block_shared - sums_shared(kernel.threads) if kernel.added == ALL_SHARED else kernel.added
        return kernel.shared + added

    def resident_threads(self, kernel):
        """Threads that can be there at once, limited by registers, shared memory, threads and blocks."""
        warps = -(-kernel.threads // 32)
        of_warp = -(-kernel.registers * 32 // self.registers_at_a_time) * self.registers_at_a_time
        limits = [self.blocks, self.threads // (warps * 32), self.shared // (self.shared_of(kernel) + 1024)]
        limits.append(self.registers // of_warp // warps if of_warp else self.blocks)
        return min(limits) * warps * 32

    def occupancy(self, kernel):
        return self.resident_threads(kernel) / self.threads


GPUS = [Gpu("sm_90", 90, 2048, 32, 228 * 1024, 227 * 1024), Gpu("sm_89", 89, 1536, 24, 100 * 1024, 99 * 1024)]


@dataclass(frozen=True)
class Kernel:
    name: str
    scope: str
    architecture: int
    threads: int
    registers: int
    stack: int  # [B] per thread
    spills: int  # [B] per thread
    shared: int  # [B] per block, what sums take
    added: int = 0  # [B] per block by a launch, or ALL_SHARED


def demangle(symbols):
    """The symbols in the words of the source."""
    done = subprocess.run(["c++filt"], input="\n".join(symbols), capture_output=True, text=True, check=True)
    return done.stdout.split("\n")


def named(symbol_text, kernel):
    """`kernel` with what the name of gpu/cuda_launch.h's runKernel says; None of other functions."""
    match = re.match(r"void slipstick::gpu::runKernel<(.*), \(slipstick::gpu::Scope\)(\d), (\d+), (\d+)ul>\(", symbol_text)
    if not match:
        return None
    name = re.sub(r"\((\w+::)*Scope\)", "", match[1])
    name = re.sub(r"(\w+|\(anonymous namespace\))::", "", name)
    return replace(kernel, name=name, scope=SCOPES[int(match[2])], threads=int(match[3]),
                   added=int(match[4]))


def read_assembler(text):
    """(symbol, Kernel) of each entry in a listing of ptxas -v."""
    entry = re.compile(
        r"Compiling entry function '([^']+)' for 'sm_(\d+)\w?'.*\n.*Function properties.*\n"
        r"\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads\n.*Used (\d+) registers(.*)")
    for symbol, architecture, stack, stores, loads, registers, rest in entry.findall(text):
        shared = re.search(r"(\d+) bytes smem", rest)
        yield symbol, Kernel("", "", int(architecture), 0, int(registers), int(stack), int(stores) + int(loads),
                             int(shared[1]) if shared else 0)


def read_cuobjdump(text):
    """(symbol, Kernel) of each function in what cuobjdump --dump-resource-usage writes."""
    architecture = 0
    symbol = None
    for line in text.splitlines():
        if match := re.match(r"\s*arch = sm_(\d+)", line):
            architecture = int(match[1])
        elif match := re.match(r"\s*Function (\S+):", line):
            symbol = match[1]
        elif symbol and (match := re.match(r"\s*REG:(\d+) STACK:(\d+) SHARED:(\d+) LOCAL:(\d+)", line)):
            registers, stack, shared, local = map(int, match.groups())
            if architecture >= 90:
                shared -= 1024  # that the system takes of a block; of older ones it is not told, nor by the assembler
            yield symbol, Kernel("", "", architecture, 0, registers, stack, stack + local, shared)
            symbol = None


def listing_of(file):
    if file.suffix == ".resources":
        return read_assembler(file.read_text())
    if file.suffix == ".cuobjdump":
        return read_cuobjdump(file.read_text())
    if not shutil.which("cuobjdump"):
        sys.exit(f"{file}: reading it needs cuobjdump of the CUDA toolkit; give the build's .resources files instead")
    done = subprocess.run(["cuobjdump", "--dump-resource-usage", str(file)], capture_output=True, text=True, check=True)
    return read_cuobjdump(done.stdout)


def kernels_of(files):
    found = [entry for file in files for entry in listing_of(file)]
    texts = demangle([symbol for symbol, _ in found])
    kernels = {named(text, kernel) for text, (_, kernel) in zip(texts, found)} - {None}
    return sorted(kernels, key=lambda k: (k.name, k.architecture))


def resources_table(kernels):
    """One row per kernel and GPU; of a GPU without code of its own, its older relative's."""
    rows = ["| kernel | team | threads | GPU | registers | spills [B] | stack [B] | shared [B] | occupancy |",
            "|---|---|---|---|---|---|---|---|---|"]
    for name in dict.fromkeys(k.name for k in kernels):
        for gpu in GPUS:
            fitting = [k for k in kernels
                       if k.name == name and k.architecture <= gpu.architecture and k.architecture // 10 == gpu.architecture // 10]
            if not fitting:
                continue
            k = max(fitting, key=lambda k: k.architecture)
            rows.append(f"| `{name}` | {k.scope} | {k.threads} | {gpu.name} | {k.registers} | {k.spills} | {k.stack} | {gpu.shared_of(k)} "
                        f"| {100 * gpu.occupancy(k):.0f} % |")
    return rows


def traffic_table(row):
    """What kernels move in a step, the most first, and what a launch should take."""
    rows = ["| kernel | launches per step | read | written | if nothing were cached | barriers per launch "
            + "".join(f"| {m.name}: µs per launch " for m in prediction.MEMORIES) + "|",
            "|---|---|---|---|---|---|" + "---|" * len(prediction.MEMORIES)]
    updates = prediction.updates_of(row)
    for name, kernel in sorted(row["kernels"].items(), key=lambda item: -prediction.bytes_of(item[1])):
        launches = kernel["launches"]
        each = [sum(prediction.kernel_times(kernel, m)) / launches for m in prediction.MEMORIES]
        rows.append(f"| `{name}` | {launches:.0f} | {kernel['read_bytes'] / updates:.1f} | {kernel['written_bytes'] / updates:.1f} "
                    f"| {kernel['accessed_bytes'] / updates:.1f} | {kernel['barriers'] / launches:.0f} "
                    + "".join(f"| {1e6 * t:.2f} " for t in each) + "|")
    return rows


def cubes_table(cubes):
    rows = ["| particles | bytes per particle and substep "
            + "".join(f"| {m.name}: ms per step | ns per particle and substep " for m in prediction.MEMORIES) + "|",
            "|---|---|" + "---|---|" * len(prediction.MEMORIES)]
    for edge in (18, 28, 46, 100, 200):
        particles = edge**3
        cells = []
        for memory in prediction.MEMORIES:
            moved, seconds = prediction.cube_time(cubes, particles, memory)
            cells.append(f"| {1e3 * seconds:.3f} | {1e9 * seconds / particles / cubes[-1]['substeps']:.3f} ")
        rows.append(f"| {particles:,} | {moved:.0f} " + "".join(cells) + "|")
    return rows


def tasks_table(tasks):
    rows = ["| task | from [s] | particles | N | contacts | launches | MB per step "
            + "".join(f"| {m.name}: launches + kernels = ms per step | faster than published | than real time "
                      for m in prediction.MEMORIES) + "|",
            "|---|---|---|---|---|---|---|" + "---|---|---|" * len(prediction.MEMORIES)]
    for row in tasks:
        cells = []
        for memory in prediction.MEMORIES:
            time = prediction.step_time(row, memory)
            cells.append(f"| {1e3 * time.launches:.2f} + {1e3 * time.kernels:.2f} = {1e3 * time.total:.2f} "
                         f"| {row['published_ms'] / (1e3 * time.total):.0f} | {row['dt_s'] / time.total:.2f} ")
        launches = sum(k["launches"] for k in row["kernels"].values())
        moved = sum(map(prediction.bytes_of, row["kernels"].values()))
        rows.append(f"| {row['name']} | {row['from_s']} | {row['particles']:,} | {row['substeps']:.0f} | {row['contacts']:.0f} "
                    f"| {launches:.0f} | {1e-6 * moved:.1f} " + "".join(cells) + "|")
    return rows


def latency_table(tasks, memory):
    """Kernels of tasks whose teams meet often, and wait for that longer than for memory."""
    fewest = 10  # barriers of a launch; of fewer, the launch itself takes longer
    rows = ["| task | kernel | team | launches per step | barriers per launch | barriers: µs per launch | bytes: µs per launch | ms per step |",
            "|---|---|---|---|---|---|---|---|"]
    for row in tasks:
        for name, kernel in row["kernels"].items():
            launches, meeting = kernel["launches"], kernel["barriers"] * prediction.BARRIER[kernel["scope"]]
            moving = prediction.bytes_of(kernel) / (prediction.SHARE_OF_BANDWIDTH * memory.bandwidth)
            if meeting > moving and kernel["barriers"] > fewest * launches:
                rows.append(f"| {row['name']} | `{name}` | {kernel['scope']} | {launches:.0f} | {kernel['barriers'] / launches:.0f} "
                            f"| {1e6 * meeting / launches:.2f} | {1e6 * moving / launches:.2f} | {1e3 * meeting:.3f} |")
    return rows


def arithmetic():
    """How the predictions come about, in Markdown."""
    barriers = ", ".join(f"{scope} {1e6 * latency:g} µs" for scope, latency in prediction.BARRIER.items())
    memories = ", ".join(f"{m.name} {1e-12 * m.bandwidth:g} TB/s" for m in prediction.MEMORIES)
    return f"""## Predicted

Nothing below was measured on a device. Bytes: `kernel_traffic` runs the kernels on the host and marks every 32-byte sector of
device memory that a launch touches; a sector that is read before the launch has written it counts once as read, one that is
written once as written: what memory must move if a cache keeps all of a launch and nothing of the one before. Sorts and scans
are counted as CUB's passes. Time of a launch: {1e6 * prediction.NODE:g} µs as a node of a graph, and the longer of its bytes at
{100 * prediction.SHARE_OF_BANDWIDTH:.0f} % of the bandwidth ({memories}) and its barriers, one after the other
({barriers}; a sum over a team counts as one). A step adds {1e6 * prediction.REPLAY:g} µs for the replay of its graph. That
is the solver's latency too: barriers of all its iterations, as counted, times the latency. Sources and doubts of these
latencies: `tests/benchmarks/cuda_prediction.py`. Left out: arithmetic, what is waited for within a phase (so that solvers' times are
floors), and the host's part of a step (control, rigid solve, snapshot). Up to 97k particles everything fits into the L2 cache
(50 MB, 72 MB), which is faster than its memory.
"""


def print_predictions(traffic):
    largest = traffic["cubes"][-1]
    print("\n" + arithmetic())
    print(f"### Kernels\n\nA free cube of {largest['particles']:,} particles, {largest['substeps']} substeps per step; bytes per particle "
          "and substep.\n")
    print("\n".join(traffic_table(largest)))
    print("\n### Free cubes\n\nBytes between and beyond the counted sizes go with 1/edge, as a cube's surface does. Goal: 0.3 ns from 4M "
          "particles on, H100.\n")
    print("\n".join(cubes_table(traffic["cubes"])))
    print("\n### What reproducible sums cost\n\n`cuda` forms sums on the grid in a fixed order: in shared memory each node reads 16 numbers of every particle "
          "around it, 432 reads for each particle. `cuda-fast` adds them as they come: 108 atomic additions to shared memory for each "
          "particle, those to one node one after the other. Bytes of device memory are the same. Which takes longer, and by how much, is not "
          "predicted: `benchmark_gpu` times each cube both ways.")
    if traffic["tasks"]:
        print("\n### Tasks\n\nWhere their contact is busiest. Goal: 20 times faster than published (Yu 2025, Table I, RTX 4090), and faster "
              "than real time for all but `shake`.\n")
        print("\n".join(tasks_table(traffic["tasks"])))
        memory = prediction.MEMORIES[0]
        print(f"\n### Latency of barriers\n\nKernels of tasks in which they take longer than bytes: the contact solvers above all. {memory.name}.\n")
        print("\n".join(latency_table(traffic["tasks"], memory)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--traffic", type=pathlib.Path, help="JSON of kernel_traffic")
    arguments = parser.parse_args()
    kernels = kernels_of(arguments.files)
    if not kernels:
        sys.exit("no kernel of Slipstick found; give the .resources files of the build, or a program built with nvcc")
    print("# Budget of the CUDA kernels\n\nWhat the assembler says, by `tests/benchmarks/cuda_budget.py`; occupancy follows from it. "
          "Nothing here was measured on a device. `Advance<k>`: for deformables of MaterialModel k alone, −1: of any.\n")
    print("\n".join(resources_table(kernels)))
    if arguments.traffic:
        print_predictions(prediction.read_traffic(arguments.traffic))
    heavy = [k for k in kernels if k.spills]
    for k in heavy:
        print(f"{k.name} on sm_{k.architecture}: {k.spills} bytes of spills, {k.stack} bytes of stack", file=sys.stderr)
    large = [(k, gpu) for k in kernels for gpu in GPUS if gpu.shared_of(k) > gpu.block_shared]
    for k, gpu in large:
        print(f"{k.name} cannot start on {gpu.name}: it needs {gpu.shared_of(k)} bytes of shared memory, a block has "
              f"{gpu.block_shared}", file=sys.stderr)
    sys.exit(1 if heavy or large else 0)


if __name__ == "__main__":
    main()
