#!/usr/bin/env python3
"""What every kernel of the CUDA backend needs of a GPU, as a table.

    tests/benchmarks/cuda_budget.py build/release/gpu/*.resources > tests/benchmarks/results/cuda_budget.md
    tests/benchmarks/cuda_budget.py build/release/bin/slipstick            # by cuobjdump, where it is installed

Files named .resources hold what the assembler said when it compiled them (ptxas -v), files named .cuobjdump what
cuobjdump --dump-resource-usage wrote; of anything else, objects or programs, cuobjdump is asked. --bytes FILE.json adds the bytes that a kernel moves per particle and substep,
{"P2G": 116, …}, as the host executor counts them. A kernel that spills registers, or whose blocks need more shared
memory than one of these GPUs gives to a block, ends the script with status 1; of cuobjdump's a stack counts as spills,
for it does not tell them apart. Kernels of CUB are left out.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace

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


def table(kernels, moved):
    """One row per kernel and GPU; of a GPU without code of its own, its older relative's."""
    rows = ["| kernel | team | threads | GPU | registers | spills [B] | stack [B] | shared [B] | occupancy | bytes per particle and substep |",
            "|---|---|---|---|---|---|---|---|---|---|"]
    for name in dict.fromkeys(k.name for k in kernels):
        for gpu in GPUS:
            fitting = [k for k in kernels
                       if k.name == name and k.architecture <= gpu.architecture and k.architecture // 10 == gpu.architecture // 10]
            if not fitting:
                continue
            k = max(fitting, key=lambda k: k.architecture)
            rows.append(f"| `{name}` | {k.scope} | {k.threads} | {gpu.name} | {k.registers} | {k.spills} | {k.stack} | {gpu.shared_of(k)} "
                        f"| {100 * gpu.occupancy(k):.0f} % | {moved.get(name, '–')} |")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--bytes", type=pathlib.Path, help="JSON: kernel -> bytes per particle and substep")
    arguments = parser.parse_args()
    kernels = kernels_of(arguments.files)
    if not kernels:
        sys.exit("no kernel of Slipstick found; give the .resources files of the build, or a program built with nvcc")
    moved = json.loads(arguments.bytes.read_text()) if arguments.bytes else {}
    print("# Budget of the CUDA kernels\n\nWhat the assembler says, by `tests/benchmarks/cuda_budget.py`; occupancy follows from it. "
          "Nothing here was measured on a device.\n")
    print("\n".join(table(kernels, moved)))
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
