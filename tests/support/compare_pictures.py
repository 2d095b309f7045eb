"""Compares the pictures of a demonstration's sample with what slipstick render made of the same moment.

compare_pictures.py FILE.hdf5 SAMPLE FOLDER BODY: FOLDER has CAMERA.npy of each camera; BODY is red, is seen by all of
them, and is held between two pads at the sample, nearer to the tips of the fingers than to the hand.
"""
import json
import sys

import h5py
import numpy as np


def main(path, sample, folder, body):
    with h5py.File(path, "r") as f:
        demo = f["data/demo_0"]
        obs = demo["obs"]
        segments = json.loads(demo.attrs["segments"])
        bodyId = next(s["id"] for s in segments if s["name"] == body)
        for camera in json.loads(demo.attrs["cameras"]):
            name = camera["name"]
            assert np.array_equal(obs[name + "_depth"][sample, :, :, 0], np.load(f"{folder}/{name}.npy")), name
            where = obs[name + "_segmentation"][sample, :, :, 0] == bodyId
            red, green, blue = obs[name + "_image"][sample][where].mean(axis=0)
            assert where.sum() > 5 and red > 1.5 * green and red > 1.5 * blue, (name, where.sum(), red, green, blue)
        pads = [obs[key][sample] for key in obs if key.endswith("_tactile")]
        assert len(pads) == 2
        for pad in pads:
            normal = pad[:, :, 0]
            assert normal.sum() > 1 and normal.min() > -1e-3 * normal.max(), "it is pressed"
            rows = (normal.sum(axis=1) * np.arange(16)).sum() / normal.sum()
            assert 4 < rows < 7, rows
        assert np.isclose(pads[0][:, :, 0].sum(), pads[1][:, :, 0].sum(), rtol=0.2), "from both sides alike"
    print("ok")


main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4])
