"""Reads an exported glTF file with trimesh: names, places, colours, and what lies where.

read_gltf.py FILE.glb BODY X Y Z   the body's place at the start, y up
"""
import sys

import numpy as np
import trimesh


def main(file, body, *place):
    scene = trimesh.load(file)
    X, _ = scene.graph.get(body)
    assert np.allclose(X[:3, 3], [float(x) for x in place], atol=1e-5), X
    assert {"table", "cube", "flag"} <= set(scene.graph.nodes), list(scene.graph.nodes)

    X, name = scene.graph.get(f"{body}.ball")
    ball = scene.geometry[name]
    assert ball.is_watertight or len(ball.faces) > 500, ball
    assert np.allclose(ball.extents, 0.1, atol=1e-3), ball.extents
    red = np.asarray(ball.visual.material.baseColorFactor[:3], float)
    assert red[0] > 3 * red[1] > 0, red

    flag, cube = (scene.geometry[scene.graph.get(n)[1]] for n in ("flag", "cube"))
    assert flag.vertices.shape == (49, 3) and flag.faces.shape == (72, 3), flag
    assert np.allclose(flag.area, 0.09, rtol=1e-3), flag.area
    assert cube.vertices.shape == (64, 3), cube
    # y is up: the table's top lies at 0, with the cube on it.
    X, name = scene.graph.get("table.top")
    top = trimesh.transform_points(scene.geometry[name].vertices, X)
    assert abs(top[:, 1].max()) < 1e-6 and top[:, 0].max() > 1.4, top.max(axis=0)
    X, _ = scene.graph.get("cube")
    low = trimesh.transform_points(cube.vertices, X)[:, 1].min()
    assert 0 < low < 0.03, low
    print("read", len(scene.geometry), "meshes of", len(scene.graph.nodes), "nodes")


main(*sys.argv[1:])
