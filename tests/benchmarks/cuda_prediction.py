"""What a step should take on a GPU, predicted from the bytes that kernel_traffic has counted and from published latencies.

A kernel takes, per launch, the time of one node in a graph, and the longer of two: its bytes at 60 % of the memory's
bandwidth, and the barriers that a team meets one after the other. A step is the sum over its kernels, and one replay of
the graph. What the host does in a step is not in it, nor arithmetic, nor waiting within a phase: the times are floors
wherever these count.
"""

import json
from dataclasses import dataclass

SHARE_OF_BANDWIDTH = 0.6

# [s]. Published for other machines; benchmark_gpu measures those of a device.
REPLAY = 15e-6  # of a graph: ocannl issue 488, RTX 5070 Ti laptop
NODE = 0.58e-6  # of one node in it, same source
BARRIER = {
    "block": 0.03e-6,  # some 50 cycles, from memory, not verified
    "cluster": 0.2e-6,  # two trips of some 180 cycles between multiprocessors (Luo 2024), from memory, not verified
    "grid": 0.3e-6,  # two trips to L2 of 222 to 339 cycles, L40; gunrock's issue 438 has 18.8e-6 with its kernels' work, GV100
}


@dataclass(frozen=True)
class Memory:
    name: str
    bandwidth: float  # [bytes/s]


MEMORIES = [Memory("H100", 3.35e12), Memory("RTX 4090", 1.0e12)]


def read_traffic(file):
    """The rows of kernel_traffic, {"cubes": […], "tasks": […]}; numbers of kernels are means per step."""
    return json.loads(file.read_text())


def bytes_of(kernel):
    return kernel["read_bytes"] + kernel["written_bytes"]


def updates_of(row):
    """Particles times substeps of a step."""
    return row["particles"] * row["substeps"]


def kernel_times(kernel, memory):
    """(launches, bytes or barriers) of a step [s]."""
    moving = bytes_of(kernel) / (SHARE_OF_BANDWIDTH * memory.bandwidth)
    meeting = kernel["barriers"] * BARRIER[kernel["scope"]]
    return kernel["launches"] * NODE, max(moving, meeting)


@dataclass(frozen=True)
class StepTime:
    launches: float  # with the replay [s]
    kernels: float  # [s]

    @property
    def total(self):
        return self.launches + self.kernels


def step_time(row, memory):
    times = [kernel_times(kernel, memory) for kernel in row["kernels"].values()]
    return StepTime(REPLAY + sum(launches for launches, _ in times), sum(busy for _, busy in times))


def bytes_per_update(row):
    return sum(map(bytes_of, row["kernels"].values())) / updates_of(row)


def line_through(first, second):
    """The line through two points (x, y), as a function."""
    slope = (second[1] - first[1]) / (second[0] - first[0])
    return lambda x: first[1] + slope * (x - first[0])


def cube_bytes(cubes, particles):
    """Bytes per particle and substep of a cube. A cube's surface, where nodes serve few particles, shrinks with its edge:
    bytes go with 1/edge, by the smallest and the largest cube that were counted."""
    edge = lambda count: count ** (1 / 3)
    ends = [(1 / edge(row["particles"]), bytes_per_update(row)) for row in (cubes[0], cubes[-1])]
    if len(cubes) == 1:
        return ends[0][1]
    return line_through(*ends)(1 / edge(particles))


def cube_time(cubes, particles, memory):
    """(bytes per particle and substep, step [s]) of a cube of any size; its launches are those of the largest counted."""
    largest = cubes[-1]
    moved = cube_bytes(cubes, particles)
    launches = step_time(largest, memory).launches
    busy = moved * particles * largest["substeps"] / (SHARE_OF_BANDWIDTH * memory.bandwidth)
    return moved, launches + busy
