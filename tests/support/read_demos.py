"""Reads demonstrations with h5py alone and checks the rules of robomimic's and Isaac Lab's layout.

read_demos.py FILE.hdf5 DEMOS EFFECTORS
"""
import json
import sys

import h5py
import numpy as np


def names(dataset):
    return [n.decode() if isinstance(n, bytes) else n for n in dataset[:]]


def leaves(group, prefix=""):
    for key, value in group.items():
        if isinstance(value, h5py.Group):
            yield from leaves(value, prefix + key + "/")
        else:
            yield prefix + key, value


CHANNELS = {"image": (3, np.uint8), "depth": (1, np.float32), "segmentation": (1, np.uint16), "normals": (3, np.uint8)}


def takePictures(demo, now):
    """Checks the pictures of a demonstration, and takes them out of its observations."""
    pictures = {key: now.pop(key) for key in list(now) if key.rsplit("_", 1)[-1] in CHANNELS}
    if not pictures:
        assert "cameras" not in demo.attrs and "picture_step" not in demo
        return
    steps = demo["picture_step"][:]
    own = np.arange(len(steps)) * demo.attrs["steps_per_sample"]
    assert np.all(steps <= own) and np.all(np.diff(steps.astype(np.int64)) >= 0), "shown steps go forwards"
    cameras = {camera["name"]: camera for camera in json.loads(demo.attrs["cameras"])}
    seen = {}
    for key, values in pictures.items():
        name, kind = key.rsplit("_", 1)
        camera = cameras[name]
        channels, numbers = CHANNELS[kind]
        assert values.shape == (len(steps), camera["height"], camera["width"], channels), (key, values.shape)
        assert values.dtype == numbers and values.chunks == (1,) + values.shape[1:] and values.compression, key
        assert camera["fx"] == camera["fy"] > 0 and camera["cx"] == camera["width"] / 2
        seen.setdefault(name, {})[kind] = values[:]
    assert set(seen) == set(cameras)
    for kinds in seen.values():
        if "image" in kinds:
            assert np.all(kinds["image"].reshape(len(steps), -1).std(axis=1) > 1), "not a plain colour"
        if "segmentation" not in kinds:
            continue
        ids = [segment["id"] for segment in json.loads(demo.attrs["segments"])]
        assert ids == list(range(len(ids))) and np.all(np.isin(kinds["segmentation"], ids))
        covered = kinds["segmentation"][..., 0] > 0
        assert covered.any()
        if "depth" in kinds:
            depth = kinds["depth"][..., 0]
            assert np.all(np.isfinite(depth)) and np.array_equal(depth > 0, covered) and depth.max() < 100
        if "normals" in kinds:
            normals = kinds["normals"] / 127.5 - 1
            assert np.all(kinds["normals"][~covered] == 0)
            assert np.allclose(np.linalg.norm(normals[covered], axis=1), 1, atol=0.02)


def checkTouch(now):
    """The cells of a tactile image sum to the contact force on its finger."""
    for key, values in now.items():
        if not key.endswith("_tactile"):
            continue
        assert values.shape[1:] == (16, 16, 3) and values.dtype == np.float32, key
        forces = [now[k][:] for k in now if k.startswith("contact_force/") and key[:-8].endswith(k.split(".")[-1])]
        assert len(forces) == 1, key
        size = np.linalg.norm(forces[0], axis=1)
        assert np.allclose(np.linalg.norm(values[:].sum(axis=(1, 2)), axis=1), size, rtol=1e-3, atol=1e-3), key


def main(path, demos, effectors):
    with h5py.File(path, "r") as f:
        data = f["data"]
        environment = json.loads(data.attrs["env_args"])
        assert environment["env_type"] == 2 and environment["type"] == 2 and environment["env_name"]
        kwargs = environment["env_kwargs"]
        assert kwargs["scene"] and kwargs["program"].startswith("slipstick ") and len(kwargs["seeds"]) == demos
        assert len(json.loads(data.attrs["effectors"])) == effectors
        states = json.loads(data.attrs["state_names"])
        assert sorted(data) == sorted(f"demo_{i}" for i in range(demos)), list(data)
        assert data.attrs["total"] == sum(data[d].attrs["num_samples"] for d in data)
        assert np.issubdtype(type(data.attrs["total"]), np.integer)
        for i in range(demos):
            demo = data[f"demo_{i}"]
            n = int(demo.attrs["num_samples"])
            assert n > 0 and demo.attrs["success"] in (0, 1)
            assert (demo.attrs["seed"] if "seed" in demo.attrs else None) == kwargs["seeds"][i]
            model = json.loads(demo.attrs["model_file"])
            assert "task:" in model["scene"] and all("<robot" in text for text in model["robots"].values())
            assert demo["states"].shape == (n, len(states)) and demo["states"].dtype == np.float64
            assert demo["actions"].shape == (n, 8 * effectors) and demo["actions"].dtype == np.float64
            assert demo["actions_delta"].shape == (n, 7 * effectors)
            assert demo["actions_asked"].shape == (n, effectors)
            assert demo["state_hash"].shape == (n,) and demo["state_hash"].dtype == np.uint64
            assert demo["rewards"].shape == (n,) and demo["dones"].shape == (n,)
            assert demo["dones"][-1] == 1 and np.all(np.diff(demo["rewards"][:]) >= 0)
            for name in ("states", "actions", "actions_delta", "rewards"):
                assert np.all(np.isfinite(demo[name][:])), name
            # Goals are what was moved by: the delta is the goal less that before.
            for e in range(effectors):
                goal = demo["actions"][:, 8 * e:8 * e + 3]
                delta = demo["actions_delta"][:, 7 * e:7 * e + 3]
                assert np.allclose(np.diff(goal, axis=0), delta[1:], atol=1e-12)
                norm = np.linalg.norm(demo["actions"][:, 8 * e + 3:8 * e + 7], axis=1)
                assert np.all(norm > 1e-6)
                closing = demo["actions"][:, 8 * e + 7]
                assert np.allclose(demo["actions_delta"][:, 7 * e + 6], 2 * closing - 1)
            now, after = dict(leaves(demo["obs"])), dict(leaves(demo["next_obs"]))
            takePictures(demo, now)
            checkTouch(now)
            assert list(now) == list(after) and now
            for key, values in now.items():
                assert len(values) == n and values.shape == after[key].shape, key
                # What is next is what is now one sample later.
                assert np.array_equal(values[1:], after[key][:-1]), key
            # Observations and states say the same.
            time = demo["states"][:, states.index("time [s]")]
            assert np.allclose(np.diff(time), demo.attrs["sample_period_s"])
        masks = {key: names(f["mask"][key]) for key in ("train", "valid", "success")}
        assert sorted(masks["train"] + masks["valid"]) == sorted(data)
        assert set(masks["success"]) == {d for d in data if data[d].attrs["success"]}
    print("ok")


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
