"""Makes the tables of this folder from the full ones of the programs that computed them (README.md, "Where they come from").

    python3 compact.py FOLDER      FOLDER holds mpm/data and rigid; writes mpm/ and rigid/ beside this file

Drops what no test reads. Inputs keep every digit; results are rounded far below the tolerance of their tests. One row of a table
is one line, so that a change can be read.
"""
import json
import math
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent

# What the tests read. Results are rounded; every other key is an input, or is compared to each number's own digits.
MPM_DROPPED = {"grad_w", "before", "after", "grid_angular_momentum", "R_trial", "smallest_abs_phi"}
MPM_RESULTS = {
    "transfer": {"node_mass", "node_momentum", "v_after", "C_after"},
    "cloth": {"Dm_inverse", "F_trial", "F_E", "energy", "P", "vertex_forces", "V_tau_director"},
    "contact_problem": {"v", "gamma"},
}
MATERIAL_RESULTS = {"tau", "energy"}  # per sample: over many orders of magnitude. F_E and q_after are their inputs
MPM_RECORDS = {"x", "v", "C", "F", "q", "x_all", "phi", "normal", "gamma", "n0", "wrench", "wrench_sum"}
RECORDS_DROPPED = {"totals", "contact_counts", "f0", "eps"}
SMOOTH_DROPPED = {"model", "agreement", "energy_change_of_reference", "fraction_of_samples_saturated_per_joint",
                  "world_angular_momentum_about_com", "loop_force_xz_on_rocker", "engines", "mujoco"}
INVERSE_DROPPED = {"model", "max_difference", "largest_magnitude"}
CONTACT_DROPPED = {"relative_error_to_analytic"}
CONTACT_ENGINE = "drake_lagged_dt_0.001"
ROBOT_DROPPED = {"mass_matrix_note", "max_difference_drake_vs_pinocchio", "total_mass_minus_sum_in_file",
                 "sum_of_masses_in_file", "root_links", "root", "num_movable_joints", "num_velocities", "joint_kind"}
RESULT_DIGITS = 12       # below the leading digit of the largest entry: beside tolerances of 1e-10 of that entry
SMOOTH_DECIMALS = 10     # beside a tolerance of 1e-9 and more
INVERSE_SAMPLES = 100    # of 200


def numbers(value):
    if isinstance(value, list):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def with_decimals(value, decimals):
    if isinstance(value, dict):
        return {k: with_decimals(v, decimals) for k, v in value.items()}
    if isinstance(value, list):
        return [with_decimals(v, decimals) for v in value]
    return round(value, decimals) if isinstance(value, float) else value


def as_result(value):
    """Rounded to RESULT_DIGITS below the leading digit of the largest entry."""
    largest = max((abs(x) for x in numbers(value)), default=0)
    return with_decimals(value, RESULT_DIGITS - math.floor(math.log10(largest))) if largest > 0 else value


def pruned(value, dropped):
    if isinstance(value, dict):
        return {k: pruned(v, dropped) for k, v in value.items() if k not in dropped}
    return [pruned(v, dropped) for v in value] if isinstance(value, list) else value


def with_results(value, results):
    if isinstance(value, dict):
        return {k: as_result(v) if k in results else with_results(v, results) for k, v in value.items()}
    return [with_results(v, results) for v in value] if isinstance(value, list) else value


def text(value):
    """JSON with one key, one row of a table, or one object on a line."""
    if isinstance(value, dict) and len(flat(value)) > 100:
        return "{\n" + ",\n".join(json.dumps(k) + ":" + text(v) for k, v in value.items()) + "\n}"
    if isinstance(value, list):
        in_rows = any(isinstance(v, (list, dict)) for v in value) and len(flat(value)) > 100
        return "[\n" + ",\n".join(map(text, value)) + "\n]" if in_rows else flat(value)
    return flat(value)


def flat(value):
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(k) + ":" + flat(v) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(flat, value)) + "]"
    if isinstance(value, float):
        return repr(int(value) if value.is_integer() and abs(value) < 1e15 else value)
    return json.dumps(value)


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(value) + "\n")


def compact_mpm(source):
    for file in sorted((source / "mpm" / "data").glob("*.json")):
        data = pruned(json.loads(file.read_text()), MPM_DROPPED)
        data = with_results(data, MPM_RESULTS.get(file.stem, set()))
        for case in data["cases"]:
            if file.stem == "materials":
                case.update({key: [as_result(sample) for sample in case[key]] for key in MATERIAL_RESULTS})
            if "records" in case:
                case["records"] = with_results(pruned(case["records"], RECORDS_DROPPED), MPM_RECORDS)
        write(HERE / "mpm" / file.name, data)


def compact_rigid(source):
    for file in sorted((source / "rigid" / "smooth").glob("*.json")):
        data = pruned(json.loads(file.read_text()), SMOOTH_DROPPED)
        if "trajectory" in data:
            data["trajectory"] = with_decimals(data["trajectory"], SMOOTH_DECIMALS)
        write(HERE / "rigid" / "smooth" / file.name, data)
    for file in sorted((source / "rigid" / "inverse_dynamics").glob("*.json")):
        data = pruned(json.loads(file.read_text()), INVERSE_DROPPED)
        data["samples"] = data["samples"][:INVERSE_SAMPLES]
        write(HERE / "rigid" / "inverse_dynamics" / file.name, data)
    for file in sorted((source / "rigid" / "contact").glob("*.json")):
        data = pruned(json.loads(file.read_text()), CONTACT_DROPPED)
        for variant in data["variants"]:
            variant["engines"] = {CONTACT_ENGINE: variant["engines"][CONTACT_ENGINE]}
        write(HERE / "rigid" / "contact" / file.name, data)
    for folder in ("robots", "other_robots"):
        for file in sorted((source / "rigid" / folder).glob("*.json")):
            write(HERE / "rigid" / folder / file.name, pruned(json.loads(file.read_text()), ROBOT_DROPPED))
    for file in sorted((source / "rigid").glob("*/models/*.urdf")):
        copy = HERE / file.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)


if __name__ == "__main__":
    compact_mpm(pathlib.Path(sys.argv[1]))
    compact_rigid(pathlib.Path(sys.argv[1]))
