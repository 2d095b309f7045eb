#!/usr/bin/env python3
"""What benchmark_gpu measured on a device, beside what was predicted, as gpu_DEVICE.md.

    tests/benchmarks/gpu_report.py benchmark.json --traffic tests/benchmarks/results/kernel_traffic.json [--taichi taichi.json]
        [--folder tests/benchmarks/results]
"""

import argparse
import datetime
import json
import pathlib
import re

import cuda_prediction as prediction

GOAL_FACTOR = 20  # over the published time of a task
GOAL_NS = 0.3  # per particle and substep, from GOAL_PARTICLES on, on an H100
GOAL_PARTICLES = 4_000_000


def memory_of(result):
    """The memory that predictions are made for: the device's as published, else as its copies have run."""
    for memory in prediction.MEMORIES:
        if memory.name in result["device"]["name"]:
            return memory
    return prediction.Memory(result["device"]["name"] + ", as its copies ran", 1e9 * result["speed"]["copy_gb_per_s"])


def met(goal):
    return "yes" if goal else "**no**"


def speed_lines(speed):
    rows = ["| | measured | predictions use |", "|---|---|---|",
            f"| one kernel more in a graph [µs] | {speed['launch_us']:.2f} | {1e6 * prediction.NODE:g} |",
            f"| replay of a graph with one kernel, and the wait for it [µs] | {speed['replay_us']:.2f} | {1e6 * prediction.REPLAY:g} |"]
    for scope, latency in prediction.BARRIER.items():
        rows.append(f"| barrier of a {scope} [µs] | {speed['barrier_us'][scope]:.3f} | {1e6 * latency:g} |")
        rows.append(f"| four sums over a {scope} [µs] | {speed['sums_us'][scope]:.3f} | as a barrier |")
    rows.append(f"| copy within device memory, read and written [GB/s] | {speed['copy_gb_per_s']:.0f} | – |")
    return rows


def cube_lines(result, cubes, memory, taichi):
    copy = result["speed"]["copy_gb_per_s"]
    rows = ["| particles | ms per step | ns per particle and substep | not reproducible (`cuda-fast`) | predicted | GB/s | of the copy | Taichi, same cube | faster by | goal |",
            "|---|---|---|---|---|---|---|---|---|---|"]
    for row in result["cubes"]:
        count = row["particles"]
        if "error" in row:
            rows.append(f"| {count:,} | {row['error']} | | | | | | | | |")
            continue
        ns = row["ns_per_particle_substep"]
        predicted = 1e9 * prediction.cube_time(cubes, count, memory)[1] / (count * row["substeps"])
        other = taichi.get(count)
        goal = met(ns <= GOAL_NS) if count >= GOAL_PARTICLES and "H100" in result["device"]["name"] else "–"
        moved = [f"{row['gb_per_s']:.0f}", f"{100 * row['gb_per_s'] / copy:.0f} %"] if "gb_per_s" in row else ["–", "–"]
        rows.append(f"| {count:,} | {row['ms_per_step']:.3f} | {ns:.3f} | {row['not_reproducible_ns']:.3f} | {predicted:.3f} | {' | '.join(moved)} "
                    f"| {f'{other:.3f}' if other else '–'} | {f'{other / ns:.1f}' if other else '–'} | {goal} |")
    return rows


def task_lines(result, traffic, memory):
    counted = {row["name"]: row for row in traffic["tasks"]}
    rows = ["| task | from [s] | particles | N | contacts | ms per step: mean | median | predicted, without the host's part | published | faster by "
            f"| {GOAL_FACTOR} times | than real time | faster than it |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in result.get("tasks", []):
        name, mean, rate = row["scene"], row["ms_per_step"]["mean"], row["realtime_rate"]
        predicted = f"{1e3 * prediction.step_time(counted[name], memory).total:.2f}" if name in counted else "–"
        published = row["published"]["ms_per_step"]
        real_time = "not asked" if name == "shake" else met(rate > 1)
        rows.append(f"| {name} | {row['from_s']} | {row['particles']:,} | {row['substeps_per_step']:.0f} | {row['particle_contacts']['mean']:.0f} "
                    f"| {mean:.2f} | {row['ms_per_step']['p50']:.2f} | {predicted} | {published} | {published / mean:.1f} "
                    f"| {met(published >= GOAL_FACTOR * mean)} | {rate:.2f} | {real_time} |")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", type=pathlib.Path)
    parser.add_argument("--traffic", type=pathlib.Path, required=True)
    parser.add_argument("--taichi", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("."))
    arguments = parser.parse_args()
    result = json.loads(arguments.benchmark.read_text())
    traffic = prediction.read_traffic(arguments.traffic)
    taichi = json.loads(arguments.taichi.read_text()) if arguments.taichi else {"cubes": []}
    others = {row["particles"]: row["ns_per_particle_substep"] for row in taichi["cubes"]}
    memory = memory_of(result)
    device = result["device"]["name"]
    lines = [f"# {device}", "",
             f"`tests/gpu/on_device.sh`, {datetime.date.today()}. Predictions: `cuda_budget.md`, for the memory of {memory.name}. "
             "What they leave out is said there.", "",
             "## The device", "", *speed_lines(result["speed"]), "",
             "## Free cubes", "",
             "Steps of 20 substeps; GB/s: bytes that kernels move as counted on the host, over the whole time of the step.", "",
             *cube_lines(result, traffic["cubes"], memory, others), "",
             "## Tasks", "", "Where their contact is busiest, whole steps with the host's part.", "",
             *task_lines(result, traffic, memory)]
    if "taichi" in taichi:
        lines += ["", f"Taichi {taichi['taichi']}: `tests/benchmarks/taichi_cube.py`."]
    slug = re.sub(r"[^a-z0-9]+", "_", device.lower()).strip("_")
    file = arguments.folder / f"gpu_{slug}.md"
    file.write_text("\n".join(lines) + "\n")
    print(file)


if __name__ == "__main__":
    main()
