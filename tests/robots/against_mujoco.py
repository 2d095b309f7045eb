#!/usr/bin/env python3
"""Compares what `slipstick check` and `slipstick run` make of MJCF files with MuJoCo.

    against_mujoco.py SLIPSTICK FOLDER... [--only TEXT] [--table FILE]

Every .xml below the folders that MuJoCo reads: the numbers of degrees of freedom and the mass agree, and the first 0.3 s are
printed side by side: the fastest joint and the largest difference of a joint's place at their end, both of hinges and slides in
rad and m. Both start in the keyframe "home", else the first, else where the file has its bodies, at the controls of the
keyframe or those nearest to 0. Contact, soft limits and tendons follow other laws there, so that places may differ; what must
not be is motion that MuJoCo has nothing of: a joint more than LIMIT times as fast as there and above FAST. Parts of other
files (mujocoinclude, or without bodies) are no models. Exit status 1 where freedoms or masses differ, one refuses what the other reads, or
something flies.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import mujoco
import numpy

DURATION = 0.3  # [s]
MASS = 1e-9  # relative
FAST, LIMIT = 20.0, 3.0  # [rad/s] or [m/s]; times MuJoCo's


def ours(slipstick, file):
    check = subprocess.run([slipstick, "check", str(file), "--json"], capture_output=True, text=True, timeout=300)
    if check.returncode != 0:
        return None, check.stderr.strip()
    return json.loads(check.stdout), ""


def motion(slipstick, file):
    """Per column "JOINT.q" and "JOINT.v" its values, and what the run said on its way."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.csv"
        run = subprocess.run([slipstick, "run", str(file), "--duration", str(DURATION), "--csv", str(out)],
                             capture_output=True, text=True, timeout=600)
        if run.returncode != 0:
            return None, run.stderr.strip()
        with open(out, encoding="utf-8") as text:
            rows = list(csv.reader(text))
    names = [name.split(" [")[0] for name in rows[0]]
    table = numpy.array([[float(x) if x else numpy.nan for x in row] for row in rows[1:]])
    return {name: table[:, i] for i, name in enumerate(names)}, run.stderr


def start(model):
    data = mujoco.MjData(model)
    if model.nkey:
        home = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, "home")
        mujoco.mj_resetDataKeyframe(model, data, max(home, 0))
    low, high = model.actuator_ctrlrange.T if model.nu else (numpy.zeros(0), numpy.zeros(0))
    limited = model.actuator_ctrllimited.astype(bool)
    data.ctrl[limited] = numpy.clip(data.ctrl, low, high)[limited]
    return data


def theirs(model):
    data = start(model)
    fastest = numpy.zeros(model.nv)
    for _ in range(round(DURATION / model.opt.timestep)):
        mujoco.mj_step(model, data)
        fastest = numpy.maximum(fastest, numpy.abs(data.qvel))
    return data, fastest


def scalar_joints(model):
    scalar = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
    for j in range(model.njnt):
        if int(model.jnt_type[j]) in scalar:
            yield j, mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, j)


def compare_motion(columns, model, robot):
    data, fastest = theirs(model)
    row = {"ours_fastest": 0.0, "theirs_fastest": 0.0, "apart": 0.0, "joint": "", "compared": 0}
    for j, name in scalar_joints(model):
        q, v = columns.get(f"{robot}.{name}.q"), columns.get(f"{robot}.{name}.v")
        if q is None:
            continue
        there = data.qpos[model.jnt_qposadr[j]] - model.qpos0[model.jnt_qposadr[j]]
        apart = abs(q[-1] - there)
        row["compared"] += 1
        row["ours_fastest"] = max(row["ours_fastest"], float(numpy.nanmax(numpy.abs(v))))
        row["theirs_fastest"] = max(row["theirs_fastest"], float(fastest[model.jnt_dofadr[j]]))
        if apart > row["apart"]:
            row["apart"], row["joint"] = float(apart), name
    return row


def compare(slipstick, file):
    """A row of the table, or None for a file that is no model of its own."""
    text = file.read_text(encoding="utf-8", errors="replace")
    if "<mujoco" not in text or "<mujocoinclude" in text:
        return None
    try:
        model = mujoco.MjModel.from_xml_path(str(file))
        fault = ""
    except ValueError as error:
        model, fault = None, str(error).splitlines()[0]
    if model is not None and model.nbody == 1:
        return None  # a part of others, too
    report, refusal = ours(slipstick, file)
    if model is None:
        return {"file": file, "state": "MuJoCo refuses", "words": fault}
    if report is None:
        return {"file": file, "state": "refused", "words": refusal}
    row = {"file": file, "state": "read", "faults": [], "words": ""}
    if report["degrees_of_freedom"] != model.nv:
        row["faults"].append(f"{report['degrees_of_freedom']} degrees of freedom, there {model.nv}")
    mass, there = sum(link["mass_kg"] for link in report["links"]), float(model.body_mass[1:].sum())
    if abs(mass - there) > MASS * max(there, 1):
        row["faults"].append(f"{mass:.6g} kg, there {there:.6g}")
    columns, said = motion(slipstick, file)
    if columns is None:
        row["faults"].append("does not run: " + said[-200:])
        return row
    row.update(compare_motion(columns, model, report["name"]))
    row["outside"] = said.count("it starts at")
    if row["ours_fastest"] > max(FAST, LIMIT * row["theirs_fastest"]):
        row["faults"].append(f"a joint moves at {row['ours_fastest']:.3g}, there at most {row['theirs_fastest']:.3g}")
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("slipstick")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--table")
    options = parser.parse_args()
    rows = []
    for folder in options.folders:
        for file in sorted(pathlib.Path(folder).rglob("*.xml")):
            if options.only in str(file):
                row = compare(options.slipstick, file)
                if row:
                    rows.append(row)
                    if row["state"] == "refused" or row.get("faults"):
                        print(f"{file}: {row['words'] or '; '.join(row['faults'])}", flush=True)
    read = [row for row in rows if row["state"] == "read"]
    if options.table:
        keys = ["file", "state", "outside", "compared", "ours_fastest", "theirs_fastest", "apart", "joint", "faults", "words"]
        with open(options.table, "w", newline="", encoding="utf-8") as text:
            table = csv.DictWriter(text, keys, extrasaction="ignore")
            table.writeheader()
            table.writerows(rows)
    failed = sum(row["state"] == "refused" or bool(row.get("faults")) for row in rows)
    print(f"{len(rows)} models, {len(read)} read by both, {failed} that differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
