"""What MuJoCo makes of MJCF files: degrees of freedom, masses, and the mass matrix where the file puts the joints (qpos0).

    python3 make_reference.py                      the models of this folder, NAME.json beside NAME.xml
    python3 make_reference.py --dm-control FILE    all models of the installed package dm_control, in one file

Needs `pip install mujoco==4.0.0` (and dm_control==1.0.50). README.md of the folder above says how the numbers are read.
"""
import json
import pathlib
import sys

import mujoco
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {mujoco.mjtJoint.mjJNT_FREE: "free", mujoco.mjtJoint.mjJNT_BALL: "ball",
         mujoco.mjtJoint.mjJNT_SLIDE: "slide", mujoco.mjtJoint.mjJNT_HINGE: "hinge"}


def mass_matrix(model):
    """M in joint coordinates with rotors, dense, at qpos0."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    columns = []
    for i in range(model.nv):  # M e_i, whatever form the model stores M in
        unit, column = np.zeros(model.nv), np.zeros(model.nv)
        unit[i] = 1
        mujoco.mj_mulM(model, data, column, unit)
        columns.append(column)
    return np.array(columns)


def reference(model):
    """Rows of the mass matrix up to the diagonal; bodies without the world."""
    M = mass_matrix(model)
    return {
        "nv": model.nv,
        "bodies": [model.body(i).name for i in range(1, model.nbody)],
        "masses": [float(m) for m in model.body_mass[1:]],
        "joints": [TYPES[mujoco.mjtJoint(int(t))] for t in model.jnt_type],
        "mass_matrix": [[float(x) for x in M[i, :i + 1]] for i in range(model.nv)],
    }


def write(path, value):
    """One row of a table is one line."""
    lines = ["{"]
    for key, item in value.items():
        if key == "mass_matrix":
            rows = ",\n".join(json.dumps(row) for row in item)
            lines.append(f'"{key}": [\n{rows}\n],')
        else:
            lines.append(f'"{key}": {json.dumps(item)},')
    lines[-1] = lines[-1].rstrip(",")
    path.write_text("\n".join(lines + ["}"]) + "\n")


def own_models():
    for file in sorted(HERE.glob("*.xml")):
        model = mujoco.MjModel.from_xml_path(str(file))
        write(file.with_suffix(".json"), {"mujoco": mujoco.__version__, "file": file.name, **reference(model)})


def models_of_dm_control(out):
    """Files that MuJoCo itself does not open (parts of others) are listed with what it says."""
    import dm_control
    root = pathlib.Path(dm_control.__file__).resolve().parent
    entries = []
    for file in sorted(root.rglob("*.xml")):
        entry = {"file": str(file), "name": str(file.relative_to(root))}
        try:
            entry.update(reference(mujoco.MjModel.from_xml_path(str(file))))
        except ValueError as error:
            entry["error"] = str(error).splitlines()[0]
        entries.append(entry)
    pathlib.Path(out).write_text(json.dumps({"mujoco": mujoco.__version__, "models": entries}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--dm-control"]:
        models_of_dm_control(sys.argv[2])
    else:
        own_models()
