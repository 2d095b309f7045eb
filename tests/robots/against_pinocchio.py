#!/usr/bin/env python3
"""Compares what `slipstick check --json` makes of robot files with what Pinocchio makes of them.

    against_pinocchio.py SLIPSTICK FOLDER... [--only TEXT]

Every .urdf below the folders: either both refuse it, or the numbers of degrees of freedom, each link's mass, centre and
inertia, and each link's pose at zero agree, but for what slipstick says that it repaired. Conventions: the base is
fixed; joints that mimic others count as joints of their own (Pinocchio's default); a planar joint has 4 coordinates and 3
velocities there; masses of links that fixed joints join are compared link by link, with the frames' inertias of Pinocchio;
a joint of the type floating counts 6. Ball joints and drake: tags, which URDF does not have, are refused by Pinocchio.
Exit status 1 where anything differs that no notice explains.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import numpy
import pinocchio

TOLERANCE = 1e-9  # of positions [m] and directions; of masses and inertias relative to the largest of the robot


def ours(slipstick, file):
    run = subprocess.run([slipstick, "check", str(file), "--json"], capture_output=True, text=True, timeout=300)
    if run.returncode != 0:
        return None, run.stderr.strip()
    return json.loads(run.stdout), ""


def theirs(file):
    try:
        model = pinocchio.buildModelFromUrdf(str(file))
    except Exception as fault:  # pinocchio raises several kinds
        return None, str(fault).splitlines()[0] if str(fault) else type(fault).__name__
    return model, ""


def repaired_links(report):
    """Names of links whose numbers notices assume, and of all links where a notice has no keys."""
    names = set()
    for notice in report["notices"]:
        for path in notice.get("overrides", {}):
            if ".links." in path:
                names.add(path.split(".links.")[1].rsplit(".", 1)[0].strip('"'))
    return names


def matrix(six):
    xx, yy, zz, xy, xz, yz = six
    return numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def pose_of(link):
    w, x, y, z = link["zero_quaternion_wxyz"]
    return pinocchio.SE3(pinocchio.Quaternion(w, x, y, z).toRotationMatrix(), numpy.array(link["zero_position_m"]))


def moved_together(report):
    """Per link that moves by itself (or carries the robot): its index, and those of all that fixed joints join to it."""
    parent = {j["child"]: j["parent"] for j in report["joints"] if j["type"] == "fixed"}
    groups = {}
    for i, link in enumerate(report["links"]):
        at = link["name"]
        while at in parent:
            at = parent[at]
        groups.setdefault(at, []).append(i)
    return groups


def compare_inertias(report, model, repaired):
    """Bodies of Pinocchio are what moves together, about the frame of the link that the joint leads to."""
    faults = []
    links = report["links"]
    poses = {link["name"]: pose_of(link) for link in links}
    joint_of = {j["child"]: j["name"] for j in report["joints"]}
    largest_mass = max([i.mass for i in model.inertias] + [1e-12])
    largest_inertia = max([numpy.abs(i.inertia).max() for i in model.inertias] + [1e-12])
    for leader, members in moved_together(report).items():
        if leader not in joint_of or any(links[i]["name"] in repaired for i in members):
            continue  # the base is no body there
        theirs = model.inertias[model.getJointId(joint_of[leader])]
        ours = pinocchio.Inertia.Zero()
        for i in members:
            own = pinocchio.Inertia(links[i]["mass_kg"], numpy.array(links[i]["com_m"]), matrix(links[i]["inertia_kg_m2"]))
            ours += (poses[leader].inverse() * poses[links[i]["name"]]).act(own)
        if abs(theirs.mass - ours.mass) > TOLERANCE * largest_mass:
            faults.append(f"'{leader}' weighs {ours.mass} kg, there {theirs.mass}")
        elif ours.mass > 0 and numpy.abs(theirs.lever - ours.lever).max() > TOLERANCE:
            faults.append(f"'{leader}': centres of mass differ by {numpy.abs(theirs.lever - ours.lever).max():.1e} m")
        elif numpy.abs(theirs.inertia - ours.inertia).max() > TOLERANCE * largest_inertia:
            faults.append(f"'{leader}': inertias differ by {numpy.abs(theirs.inertia - ours.inertia).max():.1e} kg m²")
    return faults


def compare(report, model):
    faults = []
    if report["degrees_of_freedom"] != model.nv:
        faults.append(f"{report['degrees_of_freedom']} degrees of freedom, there {model.nv}")
    data = model.createData()
    pinocchio.framesForwardKinematics(model, data, pinocchio.neutral(model))
    frames = {f.name: i for i, f in enumerate(model.frames) if f.type == pinocchio.FrameType.BODY}
    children = {j["child"] for j in report["joints"]}
    root = next(link["name"] for link in report["links"] if link["name"] not in children)
    for link in report["links"]:
        if link["name"] not in frames or root not in frames:
            faults.append(f"link '{link['name']}' is not there")
            continue
        apart = pose_of(link).inverse() * data.oMf[frames[root]].inverse() * data.oMf[frames[link["name"]]]
        if numpy.abs(apart.homogeneous - numpy.eye(4)).max() > TOLERANCE:
            faults.append(f"link '{link['name']}' stands {numpy.abs(apart.translation).max():.1e} m aside")
    return faults + compare_inertias(report, model, repaired_links(report))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("slipstick")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    counts = {"equal": 0, "equal but for repairs": 0, "refused by both": 0, "refused by pinocchio alone": 0}
    wrong, refused = [], []
    files = sorted(f for folder in args.folders for f in pathlib.Path(folder).rglob("*.urdf") if args.only in str(f))
    for file in files:
        report, why = ours(args.slipstick, file)
        model, their_why = theirs(file)
        if report is None and model is None:
            counts["refused by both"] += 1
            refused.append(f"{file}: {why} | pinocchio: {their_why}")
        elif report is None:
            wrong.append(f"{file}: refused, {why}; pinocchio reads it")
        elif model is None:
            counts["refused by pinocchio alone"] += 1
            refused.append(f"{file}: opens | pinocchio: {their_why}")
        else:
            faults = compare(report, model)
            if faults:
                wrong.append(f"{file}: " + "; ".join(faults[:4]) + (f"; and {len(faults) - 4} more" if len(faults) > 4 else ""))
            else:
                counts["equal but for repairs" if repaired_links(report) else "equal"] += 1
    for line in refused + wrong:
        print("  " + line)
    print(f"{len(files)} files: " + ", ".join(f"{n} {what}" for what, n in counts.items()) + f", {len(wrong)} differ")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
