"""Reads a recording with h5py alone: names, shapes and units of every field, and what must fit together.

read_recording.py FILE.h5 FILE.csv   the CSV is of the same run
"""
import csv
import sys

import h5py
import numpy as np

FIELDS = {
    "steps": {"values": "", "hash": "", "health": "", "contact_end": "", "has_contacts": "", "slipping": "",
              "pair_end": "", "largest_force": "N"},
    "contacts": {"sides": "", "key": "", "mode": "", "point": "m", "normal": "", "force": "N",
                 "penetration": "m", "slip_speed": "m/s", "friction": "", "friction_bound": "N",
                 "pressure": "Pa"},
    "pairs": {"sides": "", "values": "N, N, N, 1, m/s"},
    "frames": {"step": "", "is_whole": "", "places": "", "colors": "", "color_ranges": "m/s, Pa, Pa, 1"},
    "commands": {"step": "", "text": ""},
    "keyframes": {"step": "", "q": "m, rad", "v": "m/s, rad/s", "controller_q": "m, rad",
                  "particle_x": "m", "particle_v": "m/s", "particle_F": "", "particle_C": "1/s",
                  "particle_plastic": "", "particle_internal": "", "impulse_end": "", "memory_end": "",
                  "extra": ""},
    "keyframe_impulses": {"key": "", "impulse": "N s"},
    "keyframe_memory": {"name": "", "value": ""},
}


def main(recording, table):
    with h5py.File(recording, "r") as f:
        assert f.attrs["format"] == "slipstick recording" and f.attrs["version"] == 1
        for text in ("program", "created", "method", "backend", "runs_on"):
            assert f.attrs[text], text
        for group, fields in FIELDS.items():
            rows = {len(f[group][name]) for name in fields}
            assert len(rows) == 1, (group, rows)
            for name, unit in fields.items():
                assert f[group][name].attrs["unit"] == unit, (group, name)
                assert f[group][name].attrs["meaning"], (group, name)
        assert "drop" in f["scene"].attrs["name"] and len(f["scene/paths"]) == len(f["scene/files"])

        names = [n.decode() for n in f["steps/columns"]]
        units = [u.decode() for u in f["steps/units"]]
        values = f["steps/values"][:]
        with open(table) as rows:
            written = list(csv.DictReader(rows))
        assert len(written) == len(values) > 10
        for i, (name, unit) in enumerate(zip(names, units)):
            head = f"{name} [{unit}]" if unit else name
            if name.startswith("solver.time."):  # wall times are no part of CSV files
                continue
            column = [float(row[head]) for row in written]
            assert np.allclose(column, values[:, i], rtol=4e-9, atol=0), name

        ends = f["steps/contact_end"][:]
        assert np.all(np.diff(ends.astype(np.int64)) >= 0) and ends[-1] == len(f["contacts/force"]) > 0
        # Contacts of the last step add up to what the columns say of the table, but for what solves leave over.
        last = slice(int(ends[-2]), int(ends[-1]))
        table_body = f["contacts/sides"][last, 0] == 1
        up = f["contacts/force"][last, 2][table_body].sum()
        assert abs(up - values[-1, names.index("table.contact.fz")]) < 1e-2 * abs(up), up

        pair_ends = f["steps/pair_end"][:]
        assert pair_ends[-1] == len(f["pairs/sides"]) > 0
        of_table = f["pairs/sides"][int(pair_ends[-2]):, 0] == 1
        normal = f["pairs/values"][int(pair_ends[-2]):, 0][of_table].sum()
        assert abs(normal - abs(up)) < 0.1 * normal, (normal, up)

        # Particles are where the codes say, which is where the deformable is.
        whole = np.flatnonzero(f["frames/is_whole"][:])[-1]
        codes = f["frames/places"][whole:].astype(np.int64)
        x = f.attrs["lattice"] * ((codes >> 1) ^ -(codes & 1)).sum(axis=0)
        step = int(f["frames/step"][-1])
        for axis, name in enumerate(("x", "y", "z")):
            middle = values[step, names.index(f"cube.{name}")]
            assert abs(x[:, axis].mean() - middle) < f.attrs["lattice"] / 2, (name, x[:, axis].mean(), middle)
        assert np.allclose(f["keyframes/q"][0], 0, atol=2) and f["keyframes/step"][0] == 0
    print("read", len(values), "steps of", len(names), "observables")


main(*sys.argv[1:])
