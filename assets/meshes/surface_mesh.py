"""Surfaces made of smooth grids: the common ground of the mesh generators in this folder.

A grid is an array of points (rows x columns x 3) with one unit normal per point. Within a grid the surface is smooth;
where two grids meet there is a crease. All lengths are in metres. Everything is deterministic: the same numbers give the
same file, byte for byte.
"""

import pathlib

import numpy as np


RESOLUTION = 1e-5  # of the files that are written [m]; what is smaller collapses


def unit(vectors):
    """The vectors (last axis) scaled to length one."""
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


class SurfaceMesh:
    """Quads and triangles with one normal per vertex, written as Wavefront OBJ."""

    def __init__(self):
        self.vertices, self.normals, self.faces = [], [], []

    def add_grid(self, points, normals, closed=False):
        """Appends a grid; `closed` joins its last column to its first. Faces turn to the side of the normals."""
        rows, columns = points.shape[:2]
        base = len(self.vertices)
        self.vertices.extend(points.reshape(-1, 3))
        self.normals.extend(normals.reshape(-1, 3))
        for i in range(rows - 1):
            for j in range(columns if closed else columns - 1):
                k = (j + 1) % columns
                self._add_face([base + i * columns + j, base + i * columns + k,
                                base + (i + 1) * columns + k, base + (i + 1) * columns + j])

    def add_loft(self, points, closed=True):
        """Appends a grid whose normals follow from its points: outside lies to the right of one who walks along the columns
        with the next row above, i.e. columns run counter-clockwise about rows that run upwards. Rows may end in one point.
        """
        around = np.roll(points, -1, 1) - np.roll(points, 1, 1) if closed else np.gradient(points, axis=1)
        along = np.gradient(points, axis=0)
        for row, beside in ((0, 1), (-1, -2)):  # a pole: the ring beside it knows the directions
            if np.ptp(points[row], axis=0).max() < RESOLUTION:
                around[row] = around[beside]
        normals = np.cross(around, along)
        length = np.linalg.norm(normals, axis=-1, keepdims=True)
        self.add_grid(points, np.where(length > 1e-14, normals / np.maximum(length, 1e-14), [0.0, 0, 1]), closed)
        return self

    def _add_face(self, corners):
        """A face without its collapsed corners (at a pole), counter-clockwise as seen from outside."""
        kept = [c for n, c in enumerate(corners)
                if np.linalg.norm(self.vertices[c] - self.vertices[corners[n - 1]]) > RESOLUTION]
        if len(kept) < 3:
            return
        p = [self.vertices[c] for c in kept]
        facing = np.cross(p[1] - p[0], p[2] - p[0]) + np.cross(p[2] - p[0], p[-1] - p[0])
        if facing @ sum(self.normals[c] for c in kept) < 0:
            kept.reverse()
        self.faces.append(kept)

    def add(self, other, rotation=np.eye(3), offset=(0, 0, 0)):
        """Appends another mesh, turned by `rotation` and then moved by `offset`."""
        base = len(self.vertices)
        self.vertices.extend(rotation @ v + offset for v in other.vertices)
        self.normals.extend(rotation @ n for n in other.normals)
        self.faces.extend([base + c for c in face] for face in other.faces)
        return self

    def triangles(self):
        """All faces as triangles: points (n x 3 corners x 3)."""
        vertices = np.array(self.vertices)
        corners = [(f[0], f[i], f[i + 1]) for f in self.faces for i in range(1, len(f) - 1)]
        return vertices[np.array(corners)]

    def write_obj(self, file, note):
        """Writes the vertices that faces use, in millimetres (the URDF scales by 0.001): a third shorter than metres."""
        used = sorted({c for f in self.faces for c in f})
        number = {c: n + 1 for n, c in enumerate(used)}
        lines = [f"# {note} Units: mm."]
        lines += ["v " + " ".join(short_number(x, 2) for x in 1000 * self.vertices[c]) for c in used]
        lines += ["vn " + " ".join(short_number(x, 3) for x in unit(self.normals[c])) for c in used]
        lines += ["f " + " ".join(f"{number[c]}//{number[c]}" for c in f) for f in self.faces]
        path = pathlib.Path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="ascii")


def short_number(x, digits):
    """The number with at most so many digits after the point, without trailing zeros."""
    text = f"{x:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def lathe(sections, segments=48):
    """Turns profiles about the z axis.

    sections: list of smooth profiles, each a list of (r, z) running so that the outside lies to the right of the
    direction of travel in the (r, z) plane with r to the right and z up, i.e. upwards along an outer wall. Two profiles
    that share a point meet in a crease.
    """
    mesh = SurfaceMesh()
    angles = 2 * np.pi * np.arange(segments) / segments
    c, s = np.cos(angles), np.sin(angles)
    for profile in sections:
        r, z = np.array(profile, float).T
        dr, dz = _tangents(r, z)
        points = np.stack([np.outer(r, c), np.outer(r, s), np.outer(z, np.ones(segments))], axis=-1)
        normals = np.stack([np.outer(dz, c), np.outer(dz, s), np.outer(-dr, np.ones(segments))], axis=-1)
        mesh.add_grid(points, unit(normals), closed=True)
    return mesh


def _tangents(r, z):
    """Tangent at each profile point: the mean direction of the segments beside it, the shorter segment counting more."""
    d = np.stack([np.diff(r), np.diff(z)])
    length = np.linalg.norm(d, axis=0)
    weighted = d / length**2
    tangent = np.concatenate([weighted[:, :1], weighted[:, :-1] + weighted[:, 1:], weighted[:, -1:]], axis=1)
    return tangent / np.linalg.norm(tangent, axis=0)


def rounded_box(size, rounding, steps=4):
    """A box about the origin whose edges are rounded: each vertex is pushed out from the box shrunk by the rounding."""
    core = np.array(size) / 2 - rounding
    corner = np.tan(np.radians(np.linspace(0, 45, steps + 1)))[1:]
    line = np.concatenate([-corner[::-1], [0], [0], corner])  # directions across one face; its flat part in the middle
    side = np.concatenate([-np.ones(steps + 1), np.ones(steps + 1)])
    mesh = SurfaceMesh()
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for sign in (-1, 1):
            direction, center = np.zeros((2, len(line), len(line), 3))
            direction[..., axis], direction[..., u], direction[..., v] = sign, line[:, None], line[None, :]
            center[..., axis], center[..., u], center[..., v] = sign * core[axis], side[:, None] * core[u], side[None, :] * core[v]
            mesh.add_grid(center + rounding * unit(direction), unit(direction))
    return mesh


def loft(sections, segments=28, power=2.7):
    """A solid of superellipses stacked along z, each (z, half x, half y, centre x); closed by flat discs."""
    phi = 2 * np.pi * np.arange(segments) / segments
    c, s = np.cos(phi), np.sin(phi)
    around = np.sign(c) * np.abs(c)**(2 / power), np.sign(s) * np.abs(s)**(2 / power)
    rows = [np.stack([x0 + a * around[0], b * around[1], np.full(segments, z)], axis=-1) for z, a, b, x0 in sections]
    mesh = SurfaceMesh().add_loft(np.stack(rows))
    for row, up in ((rows[0], -1.0), (rows[-1], 1.0)):
        disc = np.stack([row, np.broadcast_to(row.mean(0), row.shape)])
        mesh.add_grid(disc, np.broadcast_to([0, 0, up], disc.shape), closed=True)
    return mesh


def rounded_rectangle(half_x, half_y, radius, corner_steps=6, side_steps=1):
    """Directions and corner centres (each n x 2) of a rounded rectangle, counter-clockwise: point = centre + radius · direction."""
    directions, centers = [], []
    for quarter in range(4):
        angles = np.radians(np.linspace(90 * quarter, 90 * quarter + 90, corner_steps + 1))
        signs = [(1, 1), (-1, 1), (-1, -1), (1, -1)][quarter], [(-1, 1), (-1, -1), (1, -1), (1, 1)][quarter]
        here, there = (np.array([x * (half_x - radius), y * (half_y - radius)]) for x, y in signs)
        directions += [(np.cos(a), np.sin(a)) for a in angles]
        centers += [here] * (corner_steps + 1)
        for n in range(1, side_steps):
            directions.append((np.cos(angles[-1]), np.sin(angles[-1])))
            centers.append(here + n / side_steps * (there - here))
    return np.array(directions), np.array(centers)


def tube(path, radii, segments=12, flat=1.0):
    """A round tube with rounded ends along a path in the xz plane: points (n x 2, x and z), one radius per point; across the
    plane it is `flat` times as wide."""
    path, radii = np.asarray(path, float), np.asarray(radii, float)
    tangent = unit(np.gradient(path, axis=0))
    tip = np.radians(np.linspace(90, 0, 5))[:-1]
    rows = [(path[0] - r * np.sin(a) * t, r * np.cos(a), t) for a in tip for r, t in [(radii[0], tangent[0])]]
    rows += list(zip(path, radii, tangent))
    rows += [(path[-1] + r * np.sin(a) * t, r * np.cos(a), t) for a in tip[::-1] for r, t in [(radii[-1], tangent[-1])]]
    phi = 2 * np.pi * np.arange(segments) / segments
    points = np.zeros((len(rows), segments, 3))
    for k, (center, r, t) in enumerate(rows):
        across = r * np.cos(phi)
        points[k] = np.stack([center[0] + across * t[1], flat * r * np.sin(phi), center[1] - across * t[0]], axis=-1)
    return SurfaceMesh().add_loft(points)


def arc(center, radius, start_deg, end_deg, steps=6):
    """Profile points on a circle in the (r, z) plane; 0 deg points along r, 90 deg along z."""
    a = np.radians(np.linspace(start_deg, end_deg, steps + 1))
    return [(center[0] + radius * np.cos(x), center[1] + radius * np.sin(x)) for x in a]


def bezier(control, t):
    """Cubic Bezier curve through four control points at parameters t: points (len(t) x dimension)."""
    p = np.array(control, float)
    t = np.asarray(t, float)[:, None]
    return (1 - t)**3 * p[0] + 3 * t * (1 - t)**2 * p[1] + 3 * t**2 * (1 - t) * p[2] + t**3 * p[3]


def mass_properties(triangles, mass):
    """Centre of mass and inertia about it of a closed, uniformly filled surface of the given mass.

    Sums signed tetrahedra from the origin; exact for the polyhedron.
    """
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    volumes = np.einsum("ni,ni->n", a, np.cross(b, c)) / 6
    volume = volumes.sum()
    center = np.einsum("n,ni->i", volumes, a + b + c) / (4 * volume)
    total = a + b + c
    moment = sum(np.einsum("n,ni,nj->ij", volumes, p, p) for p in (a, b, c, total)) / 20
    covariance = mass * (moment / volume - np.outer(center, center))
    return center, np.trace(covariance) * np.eye(3) - covariance
