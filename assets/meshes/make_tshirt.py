#!/usr/bin/env python3
"""Makes a T-shirt that lies flat, in millimetres (scale 0.001): tshirt/tshirt.obj beside this file, and tshirt_coarse.obj with
edges 1.6 times as long. Needs SciPy.

Frame: origin in the middle of the waist hem, y towards the neck, x along the sleeves, z up. Front (above, with the lower
neckline) and back are sewn together along shoulders, sleeves and sides, where they share their vertices; neck, waist and the two
sleeves are open. The panels lie GAP apart and meet at the seams. Triangles face outwards and are nearly equilateral; edges are
finer at the hems. A triangle mesh with four holes has 2 V − F = B − 4, B edges at the hems.
"""

import pathlib

import numpy as np
from scipy.spatial import Delaunay

from surface_mesh import bezier, short_number

FOLDER = pathlib.Path(__file__).resolve().parent / "tshirt"

EDGES = {"tshirt.obj": (0.01345, 0.0074), "tshirt_coarse.obj": (0.022, 0.0125)}  # of triangles: inside and at the hems [m]
GAP, SEAM_WIDTH = 0.005, 0.018    # between the panels; width of the strip in which they close up [m]
ROUNDS = 120                      # of smoothing

# The right half of the outline [m].
WAIST, UNDERARM = (0.230, 0.0), (0.222, 0.410)
CUFF_LOW, CUFF_HIGH = (0.318, 0.372), (0.356, 0.512)
NECK, BACK_DEPTH, FRONT_DEPTH = (0.082, 0.630), 0.022, 0.085


def sides():
    """The seams and hems of the right half from the waist's middle to the neck's: (points along it, whether it is a hem)."""
    t = np.linspace(0, 1, 200)
    side = bezier([WAIST, (0.224, 0.14), (0.220, 0.27), UNDERARM], t)
    armpit = bezier([UNDERARM, (0.222, 0.428), (0.262, 0.395), CUFF_LOW], t)
    under = np.concatenate([side, armpit[1:]])
    shoulder = bezier([CUFF_HIGH, (0.290, 0.545), (0.215, 0.592), NECK], t)
    return [(np.linspace((0, 0), WAIST, 200), True), (under, False),
            (np.linspace(CUFF_LOW, CUFF_HIGH, 200), True), (shoulder, False)]


def neckline(depth):
    """From the shoulder to the middle."""
    x, y = NECK
    return bezier([NECK, (0.92 * x, y - 0.62 * depth), (0.55 * x, y - depth), (0, y - depth)], np.linspace(0, 1, 200))


def resample(points, edge):
    """Points at even distances, about `edge`, along a polyline; both ends stay."""
    length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    s = np.linspace(0, length[-1], max(2, round(length[-1] / edge) + 1))
    return np.stack([np.interp(s, length, points[:, k]) for k in (0, 1)], axis=1)


def outline(depth, edges):
    """The panel's border, counter-clockwise: points, and for each whether it lies on a seam."""
    edge, hem_edge = edges
    half, seam = [], []
    for points, hem in [*sides(), (neckline(depth), True)]:
        points = resample(points, hem_edge if hem else edge)
        on_seam = np.full(len(points), not hem)
        if half and seam[-1][-1] != on_seam[0]:
            on_seam[0] = True  # where seam and hem meet both panels share the vertex
            seam[-1][-1] = True
        skip = 1 if half else 0
        half.append(points[skip:])
        seam.append(on_seam[skip:])
    points, seam = np.concatenate(half), np.concatenate(seam)
    mirrored = points[-2:0:-1] * [-1, 1]
    return np.concatenate([points, mirrored]), np.concatenate([seam, seam[-2:0:-1]])


def inside(points, polygon):
    """Which points lie in the polygon: crossings of a ray along x."""
    a, b = polygon, np.roll(polygon, -1, 0)
    x, y = points[:, 0, None], points[:, 1, None]
    crosses = (a[:, 1] > y) != (b[:, 1] > y)
    rise = np.where(b[:, 1] == a[:, 1], 1, b[:, 1] - a[:, 1])
    return (crosses & (x < a[:, 0] + (y - a[:, 1]) / rise * (b[:, 0] - a[:, 0]))).sum(1) % 2 == 1


def distance(points, targets):
    return np.sqrt(((points[:, None] - targets[None])**2).sum(-1)).min(1)


def size(points, hem, edges):
    """Wanted edge length: fine at the hems, growing inwards."""
    edge, hem_edge = edges
    return np.minimum(edge, hem_edge + 0.35 * distance(points, hem))


def triangulate(points, border):
    """Delaunay triangles within the border, counter-clockwise."""
    triangles = Delaunay(points).simplices
    triangles = triangles[inside(points[triangles].mean(1), border)]
    p = points[triangles]
    (ux, uy), (vx, vy) = (p[:, 1] - p[:, 0]).T, (p[:, 2] - p[:, 0]).T
    area = ux * vy - uy * vx
    triangles[area < 0] = triangles[area < 0][:, ::-1]
    return triangles[np.abs(area) > 1e-9]


def fill(border, seam, edges):
    """Points of a panel, the border first, and its triangles: springs push the inner points apart until they are even."""
    rng = np.random.default_rng(1)
    hem = border[~seam]
    low, high = border.min(0), border.max(0)
    step = edges[1]
    grid = np.stack(np.meshgrid(np.arange(low[0], high[0], step), np.arange(low[1], high[1], step * np.sqrt(3) / 2)), -1)
    grid[1::2, :, 0] += step / 2
    grid = grid.reshape(-1, 2)
    grid = grid[inside(grid, border)]
    wanted = size(grid, hem, edges)
    keep = (rng.random(len(grid)) < (step / wanted)**2) & (distance(grid, border) > 0.6 * wanted)
    points, fixed = np.concatenate([border, grid[keep]]), len(border)
    for _ in range(ROUNDS):
        triangles = triangulate(points, border)
        segments = np.unique(np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
        along = points[segments[:, 0]] - points[segments[:, 1]]
        length = np.linalg.norm(along, axis=1)
        rest = size(points[segments].mean(1), hem, edges)
        rest *= 1.15 * np.sqrt((length**2).sum() / (rest**2).sum())
        push = along * (np.maximum(rest - length, 0) / length)[:, None]
        move = np.zeros_like(points)
        np.add.at(move, segments[:, 0], push)
        np.add.at(move, segments[:, 1], -push)
        points[fixed:] += 0.2 * move[fixed:]
    return points, triangulate(points, border)


def shirt(edges):
    """Vertices [m] and triangles: the front, then what the back does not share with it."""
    border, seam = outline(FRONT_DEPTH, edges)
    front, front_triangles = fill(border, seam, edges)
    back_border, back_seam = outline(BACK_DEPTH, edges)
    back, back_triangles = fill(back_border, back_seam, edges)
    own = np.r_[np.flatnonzero(~back_seam), len(back_border):len(back)]
    number = np.empty(len(back), int)
    number[own] = len(front) + np.arange(len(own))
    number[np.flatnonzero(back_seam)] = np.flatnonzero(seam)  # both panels' seams are sampled alike, in the same order
    vertices = np.concatenate([raised(front, border[seam], 1), raised(back[own], border[seam], -1)])
    return vertices, np.concatenate([front_triangles, number[back_triangles][:, ::-1]])


def raised(points, seam, side):
    """Half the gap above or below the middle plane, less near the seams."""
    lift = np.sin(0.5 * np.pi * np.minimum(distance(points, seam) / SEAM_WIDTH, 1))
    return np.column_stack([points, side * 0.5 * GAP * lift])


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, edges in EDGES.items():
        vertices, triangles = shirt(edges)
        lines = ["# Made by assets/meshes/make_tshirt.py. Units: mm."]
        lines += ["v " + " ".join(short_number(x, 1) for x in 1000 * v) for v in vertices]
        lines += ["f " + " ".join(str(c + 1) for c in t) for t in triangles]
        (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="ascii")
        print(name, len(vertices), "vertices,", len(triangles), "triangles")


if __name__ == "__main__":
    main()
