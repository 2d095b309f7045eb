"""Rigid steps beside MuJoCo: the same arm and the same piles of boxes, timed by turns in one run.

    python3 tests/benchmarks/mujoco/compare.py build/release/bin/slipstick

The first run makes a virtual environment beside the program (mujoco_venv) and installs MuJoCo from PyPI
into it. Slipstick hands the scenes over (`slipstick bench SCENE --json FILE`): boxes, masses, inertias, first
poses, friction, settling; of the arm the URDF file and the first pose. README.md says what is compared.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

MUJOCO_VERSION = "4.0.0"
ARM = pathlib.Path(__file__).resolve().parents[3] / "assets/robots/arm7.urdf"
SCENES = ["rigid_arm7", "rigid_pile_30", "rigid_pile_100", "rigid_pile_400"]


def enter_environment(program):
    """Runs this script again by a Python that has MuJoCo."""
    venv = program.parent.parent / "mujoco_venv"
    python = venv / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"mujoco=={MUJOCO_VERSION}", "numpy"], check=True)
    os.execv(python, [str(python), *sys.argv])


def run_slipstick(program, scene):
    """One row of Slipstick's bench: timings, and the scene for MuJoCo."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "row.json"
        subprocess.run([program, "bench", scene, "--json", file], check=True, stdout=subprocess.DEVNULL)
        return json.loads(file.read_text())[0]


def numbers(values):
    return " ".join(repr(float(v)) for v in values)


def pile_xml(pile, start):
    """MJCF of a pile. Contact parameters, cone, solver and its tolerance are MuJoCo's own defaults."""
    boxes = "".join(
        f'<body pos="{numbers(box[start][:3])}" quat="{numbers(box[start][3:])}"><freejoint/>'
        f'<inertial pos="0 0 0" mass="{box["mass"]!r}" diaginertia="{numbers(box["inertia"])}"/>'
        f'<geom type="box" size="{numbers(box["half_extents"])}"/></body>'
        for box in pile["boxes"]
    )
    return (
        f'<mujoco><option timestep="{pile["settling_step_s"]}"/><size memory="1G"/>'
        f'<default><geom friction="{pile["friction"]} 0.005 0.0001"/></default>'
        f'<worldbody><geom type="plane" size="0 0 1"/>{boxes}</worldbody></mujoco>'
    )


def arm_model(mujoco):
    """The arm's URDF without its drawings; MuJoCo's way to read a URDF keeps the file's inertias."""
    import xml.etree.ElementTree as ElementTree

    root = ElementTree.parse(ARM).getroot()
    for link in root.iter("link"):
        for visual in link.findall("visual") + link.findall("collision"):
            link.remove(visual)
    extension = ElementTree.SubElement(root, "mujoco")
    ElementTree.SubElement(extension, "compiler", fusestatic="false", balanceinertia="false")
    return mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))


class MujocoRun:
    """A model in motion: the counterpart of app/rigid_bench.cpp."""

    def __init__(self, row, start):
        import mujoco

        self.mujoco = mujoco
        pile = row.get("pile")
        if pile:
            self.model = mujoco.MjModel.from_xml_string(pile_xml(pile, start))
        else:
            self.model = arm_model(mujoco)
        self.data = mujoco.MjData(self.model)
        if pile:
            mujoco.mj_step(self.model, self.data, nstep=pile["settling_steps"])
        else:
            self.data.qpos[:] = row["start_q"]
        self.model.opt.timestep = row["step_s"]
        mujoco.mj_step(self.model, self.data, nstep=row["warm_up_steps"])

    def measure(self, steps, per_call):
        """Microseconds per step of each call, and what the steps had to do."""
        times, iterations, contacts = [], [], []
        for _ in range(steps // per_call):
            begin = time.perf_counter_ns()
            self.mujoco.mj_step(self.model, self.data, nstep=per_call)
            times.append((time.perf_counter_ns() - begin) / (1000 * per_call))
            islands = max(self.data.nisland, 1)
            iterations.append(max(self.data.solver_niter[: min(islands, len(self.data.solver_niter))]))
            contacts.append(self.data.ncon)
        return times, statistics.fmean(iterations), statistics.fmean(contacts)


def same_motion(row, run):
    """Largest difference of joint positions or box centres after the same number of steps [rad], [m]."""
    ours, theirs = row["final_q"], run.data.qpos
    if "pile" not in row:
        return max(abs(a - b) for a, b in zip(ours, theirs))
    return statistics.median(
        sum((ours[7 * k + i] - theirs[7 * k + i]) ** 2 for i in range(3)) ** 0.5 for k in range(len(ours) // 7)
    )


def compare(program, scene, rounds, start):
    ratios, ours, theirs = [], [], []
    for index in range(rounds):
        row = run_slipstick(program, scene)
        if index == 0:
            run = MujocoRun(row, start)
        times, iterations, contacts = run.measure(row["timed_steps"], 1 if "pile" in row else 50)
        if index == 0:
            difference, speed = same_motion(row, run), abs(run.data.qvel).max()
        ours.append(row["p50_us"])
        theirs.append(statistics.median(times))
        ratios.append(ours[-1] / theirs[-1])
    print(
        f"{scene:15} {statistics.median(ours):10.1f} {statistics.median(theirs):10.1f} "
        f"{statistics.median(ratios):7.2f} {min(ratios):6.2f}-{max(ratios):.2f}   "
        f"{row['points']:7.0f} {row['iterations']:6.2f} {row['largest_velocity']:9.1e}   "
        f"{contacts:7.0f} {iterations:6.2f} {speed:9.1e}   {difference:.1e}",
        flush=True,
    )
    return {"scene": scene, "slipstick_us": ours, "mujoco_us": theirs, "ratios": ratios}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path, help="slipstick")
    parser.add_argument("scenes", nargs="*", default=SCENES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--from-settled", action="store_true", help="MuJoCo's pile starts where Slipstick's came to rest, then settles"
    )
    options = parser.parse_args()
    try:
        import mujoco
    except ImportError:
        enter_environment(options.program.resolve())
    print(f"MuJoCo {mujoco.__version__}, one thread each; us per step of 1 ms, medians of {options.rounds} rounds\n")
    print(
        f"{'scene':15} {'Slipstick':>10} {'MuJoCo':>10} {'ratio':>7} {'min-max':>11}   "
        f"{'points':>7} {'iter':>6} {'max speed':>9}   {'points':>7} {'iter':>6} {'max speed':>9}   apart"
    )
    start = "settled" if options.from_settled else "start"
    for scene in options.scenes:
        compare(options.program.resolve(), scene, options.rounds, start)


if __name__ == "__main__":
    main()
