"""Reads an exported .npz with NumPy alone, beside the CSV files of the same run.

read_npz.py FILE.npz OBSERVABLES.csv BODIES.csv CONTACTS.csv
"""
import csv
import sys

import numpy as np

MODES = {"open": 0, "stick": 1, "slip": 2}


def rows_of(file):
    with open(file) as text:
        return list(csv.DictReader(text))


def main(file, observables, bodies, contacts):
    data = np.load(file, allow_pickle=False)
    steps = len(data["step"])
    assert np.array_equal(data["step"], np.arange(steps)) and np.allclose(data["time"], 0.005 * np.arange(steps))
    assert data["body_names"].dtype.kind == "U" and list(data["body_names"]) == ["world", "table", "dumbbell"]

    names, units = data["observable_names"], data["observable_units"]
    rows = rows_of(observables)
    assert data["observables"].shape == (steps, len(names)) and len(rows) == steps
    for i, (name, unit) in enumerate(zip(names, units)):
        head = f"{name} [{unit}]" if unit else name
        assert [float(row[head]) for row in rows] == list(data["observables"][:, i]), head

    rows = rows_of(bodies)
    assert data["body_poses"].shape == (steps, 3, 7) and len(rows) == 3 * steps
    heads = ["x [m]", "y [m]", "z [m]", "qw", "qx", "qy", "qz"]
    written = np.array([[float(row[head]) for head in heads] for row in rows])
    assert np.array_equal(written.reshape(steps, 3, 7), data["body_poses"])
    assert [row["body"] for row in rows[:3]] == list(data["body_names"])

    rows = rows_of(contacts)
    offsets = data["contact_offsets"].astype(int)
    assert len(offsets) == steps + 1 and offsets[0] == 0 and offsets[-1] == len(rows) == len(data["contact_force"]) > 0
    assert [int(row["step"]) for row in rows] == list(np.repeat(np.arange(steps), np.diff(offsets)))
    for axis, letter in enumerate("xyz"):
        assert [float(row[f"f{letter} [N]"]) for row in rows] == list(data["contact_force"][:, axis])
        assert [float(row[f"{letter} [m]"]) for row in rows] == list(data["contact_position"][:, axis])
    assert [MODES[row["mode"]] for row in rows] == list(data["contact_mode"])
    assert [row["body"] for row in rows] == [data["body_names"][b] for b in data["contact_body"]]
    soft = data["contact_deformable"]
    assert [row["deformable"] for row in rows] == [data["deformable_names"][d] if d >= 0 else "" for d in soft]

    # Particles are where the centre of their deformable is; all of the cube's weigh the same.
    assert data["particles"].dtype == np.float32 and len(data["particles"]) == len(data["frame_time"]) == 10
    begin, end = data["deformable_ranges"][list(data["deformable_names"]).index("cube")]
    for step, x in zip(data["frame_step"], data["particles"]):
        middle = [data["observables"][int(step), list(names).index(f"cube.{axis}")] for axis in "xyz"]
        assert np.allclose(x[begin:end].mean(axis=0), middle, atol=1e-5), (step, middle)
    print("read", steps, "steps of", len(names), "observables and", len(rows), "contacts")


main(*sys.argv[1:])
