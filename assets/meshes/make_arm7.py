#!/usr/bin/env python3
"""Makes the meshes of the 7-joint arm, arm7/*.obj beside this file, and prints the inertials that robots/arm7.urdf holds.

At zero joint positions all link frames are parallel and the arm points straight up (z). Odd joints turn about z, even ones
about y. At an even joint two half drums meet in the plane y = 0: each link bulges to one side of the arm, so that both can
turn far and no gap ever opens. At an odd joint two round tubes of one radius meet in the plane z = 0.
"""

import pathlib

import numpy as np

from surface_mesh import SurfaceMesh, arc, bezier, lathe, mass_properties, rounded_box, unit

FOLDER = pathlib.Path(__file__).resolve().parent / "arm7"

LENGTHS = [0.15, 0.19, 0.21, 0.19, 0.21, 0.19, 0.081, 0.045]  # from each link's joint to the next, along z [m]
TUBES = [0.080, 0.070, 0.061, 0.045]                          # radii at joints 1, 3, 5, 7
DRUMS = [0.081, 0.071, 0.056]                                 # radii at joints 2, 4, 6
BULGES = [0.088, 0.078, 0.062]
MASSES = [4.8, 3.9, 3.6, 2.9, 2.6, 1.9, 1.6, 0.5]             # [kg]

SEAM = 0.0014      # half the visible groove between two links
BEVEL = 0.0035     # radius of a shell's edge at a groove
GROOVE = 0.006     # depth of the groove; the dark gasket lies in it
CLEARANCE = 0.002  # between a drum and the shelf below it
COLUMNS, ROWS = 40, 22

Z_TO_Y = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
HALF_TURN_X = np.diag([1.0, -1, -1])
HALF_TURN_Z = np.diag([-1.0, -1, 1])


class Elbow:
    """The shell from a round tube seam (circle about z in the plane z = 0, radius `tube`) to a half drum (circle about y in
    the plane y = 0, radius `drum`, centre at z = `height`) that bulges to −y by `bulge`.

    A loft of ellipses: in the plane x = 0 each spans from the outer rail over the dome to the inner rail under the joint;
    across, its half width goes from one seam's radius to the other's. The inner rail arrives early: from there on the
    ellipses swing like a fan about the drum's lowest point, which keeps the shell out of the other link's half space.
    """

    def __init__(self, tube, drum, height, bulge):
        self.tube, self.drum, self.height, self.bulge = tube, drum, height, bulge

    def rails(self, t):
        """Points (y, z) of the outer and of the inner rail at parameters t in 0…1."""
        tube, drum, h, bulge = self.tube, self.drum, self.height, self.bulge
        start, shelf = SEAM + BEVEL, h - drum - CLEARANCE
        side = [(-tube, start), (-tube, 0.42 * h), (-bulge, 0.5 * h), (-bulge, h)]
        dome = [(-bulge, h), (-bulge, h + 0.62 * drum), (-0.66 * bulge, h + drum), (-SEAM, h + drum)]
        under = [(tube, start), (tube, start + 0.9 * (shelf - start)), (0.9 * tube, shelf), (-SEAM, shelf)]
        turn = 0.5
        outer = np.where((t < turn)[:, None], bezier(side, np.minimum(t / turn, 1)),
                         bezier(dome, np.maximum((t - turn) / (1 - turn), 0)))
        return outer, bezier(under, 1 - (1 - t)**2)

    def points(self, t, phi):
        """Surface points at t (n) and phi (n x m); phi = 0 on the inner rail, pi on the outer one."""
        outer, inner = self.rails(t)
        center, half = (inner + outer) / 2, (inner - outer) / 2
        blend = t * t * (3 - 2 * t)
        width = (1 - blend) * self.tube + blend * self.drum
        y, z = (center[:, None, k] + np.cos(phi) * half[:, None, k] for k in (0, 1))
        room = BEVEL * _smooth_step(-0.2, 0.3, -np.cos(phi)) * (t**12)[:, None]
        return np.stack([np.sin(phi) * width[:, None], y - room, z], axis=-1)

    def surface(self, t, phi):
        """Points and outward unit normals; at the seams, where the loft ends, the normals are those a hair before."""
        e = 1e-4
        inside = np.clip(t, e, 1 - e)
        along = self.points(inside + e, phi) - self.points(inside - e, phi)
        around = self.points(inside, phi + e) - self.points(inside, phi - e)
        return self.points(t, phi), unit(np.cross(along, around))

    def shell(self):
        """The outside, its rounded edges at both seams, and the flat rims down to the gaskets."""
        mesh = SurfaceMesh()
        t = np.linspace(0, 1, ROWS)
        phi = np.tile(2 * np.pi * np.arange(COLUMNS) / COLUMNS, (ROWS, 1))
        mesh.add_grid(*self.surface(t, phi), closed=True)
        r = self.tube
        edge = [(r - BEVEL, SEAM)] + arc((r - BEVEL, SEAM + BEVEL), BEVEL, -90, 0, 3)[1:]
        mesh.add(lathe([[(r - GROOVE, SEAM), (r - BEVEL, SEAM)], edge], COLUMNS))
        self._add_drum_edge(mesh, phi[0])
        return mesh

    def _add_drum_edge(self, mesh, phi):
        """Rounded where the drum is free, sharp where it meets the shelf."""
        rounded = BEVEL * _smooth_step(-0.2, 0.3, -np.cos(phi))
        rim = self.points(np.ones(1), phi[None, :])[0]
        rim[:, 1] = -SEAM
        radial = unit(rim - [0, -SEAM, self.height])
        angles = np.radians(np.linspace(0, 90, 4))[:, None, None]
        shape = rim - radial * rounded[:, None] + rounded[:, None] * (
            np.cos(angles) * radial + (np.sin(angles) - 1) * np.array([0.0, 1, 0]))
        mesh.add_grid(shape, np.cos(angles) * radial + np.sin(angles) * np.array([0.0, 1, 0]), closed=True)
        flat = np.stack([shape[-1], rim - radial * GROOVE])
        mesh.add_grid(flat, np.broadcast_to([0.0, 1, 0], flat.shape), closed=True)

    def cap(self, up=0.25, down=0.24, wide=0.95):
        """A slightly raised cover on the dome, reaching `up` and `down` along t and `wide` [rad] around."""
        def raised(rho, theta):
            u, v = rho * np.cos(theta), rho * np.sin(theta)
            t = 0.55 + np.where(u > 0, up, down) * u
            p, n = self.surface(t.reshape(-1), np.pi + wide * v.reshape(-1, 1))
            lift = 0.0014 - 0.003 * _smooth_step(0.955, 1.0, rho)
            return p.reshape(rho.shape + (3,)) + lift[..., None] * n.reshape(rho.shape + (3,))

        e = 1e-4
        rings = np.array([0, 0.2, 0.4, 0.6, 0.78, 0.9, 0.955, 0.97, 0.985, 1.0])
        rho, theta = np.meshgrid(rings, 2 * np.pi * np.arange(COLUMNS) / COLUMNS, indexing="ij")
        off_pole = np.maximum(rho, 2 * e)
        outward = raised(off_pole + e, theta) - raised(off_pole - e, theta)
        around = raised(off_pole, theta + e) - raised(off_pole, theta - e)
        mesh = SurfaceMesh()
        mesh.add_grid(raised(rho, theta), unit(np.cross(outward, around)), closed=True)
        return mesh

    def solid(self):
        """The shell closed by discs at both seams: for mass properties."""
        mesh = self.shell()
        ring = self.points(np.ones(1), 2 * np.pi * np.arange(COLUMNS)[None, :] / COLUMNS)[0]
        center = np.array([0, -SEAM, self.height])
        ring[:, 1] = -SEAM
        inner = ring - unit(ring - center) * GROOVE
        disc = np.stack([inner, np.broadcast_to(center, inner.shape)])
        mesh.add_grid(disc, np.broadcast_to([0.0, 1, 0], disc.shape), closed=True)
        return mesh.add(lathe([[(0.0, SEAM), (self.tube - GROOVE, SEAM)]], COLUMNS))


def _smooth_step(low, high, x):
    s = np.clip((x - low) / (high - low), 0, 1)
    return s * s * (3 - 2 * s)


def gasket(radius):
    """The dark ring in the groove of a seam about z."""
    r = radius - 0.0028
    return lathe([[(r, -SEAM - 0.001), (r, SEAM + 0.001)]], COLUMNS)


def base():
    """Link 0: a bolted foot with a connector box at its back, a waist and the first seam; as body, box, bolts and foot plate."""
    top, r = LENGTHS[0] - SEAM, TUBES[0]
    rim = [(0.1120, 0.004), (0.1120, 0.014)] + arc((0.1085, 0.0165), 0.0035, 0, 90, 4)
    waist = [tuple(p) for p in bezier([(0.0935, 0.02), (0.084, 0.02), (r, 0.03), (r, 0.056)], np.linspace(0, 1, 10))]
    wall = waist + [(r, top - BEVEL - 0.004)] + arc((r - BEVEL, top - BEVEL), BEVEL, 0, 90, 3)
    body = lathe([rim, [rim[-1], waist[0]], wall, [(r - BEVEL, top), (r - GROOVE, top)]], COLUMNS)
    box = SurfaceMesh().add(rounded_box([0.036, 0.062, 0.05], 0.007, 2), offset=(-0.084, 0, 0.043))
    bolt = lathe([[(0.0048, 0.018), (0.0048, 0.0228)], [(0.0048, 0.0228), (0.0042, 0.0234)], [(0.0042, 0.0234), (0, 0.0234)]], 8)
    bolts = SurfaceMesh()
    for n in range(8):
        a = 2 * np.pi * (n + 0.5) / 8
        bolts.add(bolt, offset=(0.1005 * np.cos(a), 0.1005 * np.sin(a), 0))
    return body, box, bolts, lathe([[(0.1095, 0.0), (0.1095, 0.006)]], COLUMNS)


def middle_links():
    """Links 1…6 as (elbow, rotation, offset): where the elbow's own frame lies in the link's frame."""
    links = []
    for pair in range(3):
        side = HALF_TURN_Z if pair == 1 else np.eye(3)  # the elbow joint bulges to the other side: the arm stays balanced
        lower = Elbow(TUBES[pair], DRUMS[pair], LENGTHS[2 * pair + 1], BULGES[pair])
        upper = Elbow(TUBES[pair + 1], DRUMS[pair], LENGTHS[2 * pair + 2], BULGES[pair])
        links.append((lower, side, np.zeros(3)))
        links.append((upper, side @ HALF_TURN_X, np.array([0, 0, LENGTHS[2 * pair + 2]])))
    return links


def hand_flange():
    """Link 7: a short collar that carries the tool flange, whose face is the plane z = 0.045."""
    r, face = TUBES[3], LENGTHS[7]
    edge = [(r - BEVEL, SEAM)] + arc((r - BEVEL, SEAM + BEVEL), BEVEL, -90, 0, 3)[1:]
    collar = edge + [(r, 0.016)] + arc((r - 0.006, 0.02), 0.006, 0, 90, 4)
    shell = lathe([[(r - GROOVE, SEAM), (r - BEVEL, SEAM)], collar, [collar[-1], (0.034, 0.026)]], COLUMNS)
    rim = [(0.0365, 0.026), (0.0365, face - 0.0015), (0.035, face)]
    metal = lathe([rim[:2], rim[1:], [(0.035, face), (0.0105, face)], [(0.0105, face), (0.0105, face - 0.006)],
                   [(0.0105, face - 0.006), (0.0, face - 0.006)]], COLUMNS)
    holes = SurfaceMesh()
    for n in range(8):
        a = 2 * np.pi * n / 8
        holes.add(lathe([[(0.0032, face + 0.0001), (0.0, face + 0.0001)]], 12), offset=(0.025 * np.cos(a), 0.025 * np.sin(a), 0))
    return shell, metal, holes


def close(mesh, *discs):
    """The mesh with discs (radius, z, direction ±1) added."""
    closed = SurfaceMesh().add(mesh)
    for radius, z, direction in discs:
        profile = [(radius, z), (0.0, z)] if direction > 0 else [(0.0, z), (radius, z)]
        closed.add(lathe([profile], COLUMNS))
    return closed


def print_inertial(name, solid, mass):
    """Prints a URDF inertial; every shape here is symmetric about x = 0, what the triangles leave of ixy, ixz is rounding."""
    center, inertia = mass_properties(solid.triangles(), mass)
    x, y, z = (round(c, 4) + 0.0 for c in center)
    i = np.where(np.abs(inertia) < 1e-5, 0, inertia)
    print(f'{name}:\n      <origin xyz="{x:g} {y:g} {z:g}"/>\n      <mass value="{mass}"/>')
    print(f'      <inertia ixx="{i[0, 0]:.6f}" ixy="{i[0, 1]:g}" ixz="{i[0, 2]:g}" '
          f'iyy="{i[1, 1]:.6f}" iyz="{i[1, 2]:.4g}" izz="{i[2, 2]:.6f}"/>')


def write(mesh, name):
    mesh.write_obj(FOLDER / f"{name}.obj", "Made by assets/meshes/make_arm7.py.")


def main():
    body, box, bolts, plate = base()
    write(SurfaceMesh().add(body).add(box), "link_0")
    write(bolts, "link_0_bolts")
    write(plate.add(gasket(TUBES[0]), offset=(0, 0, LENGTHS[0])), "link_0_trim")
    print_inertial("link_0", close(body, (0.112, 0.004, -1), (TUBES[0] - GROOVE, 0.15 - SEAM, 1)), MASSES[0])
    for n, (elbow, rotation, offset) in enumerate(middle_links(), 1):
        write(SurfaceMesh().add(elbow.shell(), rotation, offset), f"link_{n}")
        write(SurfaceMesh().add(elbow.cap(), rotation, offset), f"link_{n}_cap")
        ring = gasket(elbow.drum) if n % 2 else gasket(TUBES[n // 2])
        turn = Z_TO_Y if n % 2 else np.eye(3)
        write(SurfaceMesh().add(ring, turn, (0, 0, LENGTHS[n])), f"link_{n}_trim")
        print_inertial(f"link_{n}", SurfaceMesh().add(elbow.solid(), rotation, offset), MASSES[n])
    shell, metal, holes = hand_flange()
    write(shell, "link_7")
    write(metal, "link_7_flange")
    write(holes, "link_7_trim")
    print_inertial("link_7", close(lathe([[(0.04, SEAM), (0.04, LENGTHS[7])]], COLUMNS), (0.04, SEAM, -1), (0.04, LENGTHS[7], 1)), MASSES[7])


if __name__ == "__main__":
    main()
