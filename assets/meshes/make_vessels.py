#!/usr/bin/env python3
"""Makes the things that hold liquids, sand and boxes: vessels/*.obj beside this file. All are closed surfaces (the handle of
the mug is a closed part that overlaps the wall) with walls at least as thick as the grid spacing they are meant for, 0.01 m.
Origins: in the middle of the foot, z up. The scoop's mouth faces +x, the mug's handle +x.

mug   radius 0.041, height 0.072, wall 0.009, floor 0.011; holds 0.19 l: 791 particles at 8 per cell of 0.01 m (0.0989 l) half fill it
bin   0.26 x 0.20 x 0.13 at the rim, walls 0.010
tray  0.50 x 0.40 x 0.07 at the rim, walls 0.012
scoop 0.15 x 0.11 x 0.07, walls 0.010; its handle rises backwards to (-0.19, 0, 0.145), where it points 45 degrees up
"""

import pathlib

import numpy as np

from surface_mesh import SurfaceMesh, arc, bezier, lathe, rounded_rectangle, tube

FOLDER = pathlib.Path(__file__).resolve().parent / "vessels"


def mug(radius=0.041, height=0.072, wall=0.009, floor=0.011, fillet=0.008):
    """A stout mug; the grip is an ear of 11 mm thickness."""
    inner = radius - wall
    outside = [(0.0, 0.0), (0.030, 0.0), (0.0315, 0.0008), (0.0345, 0.004)]
    belly = [tuple(p) for p in bezier([(0.0345, 0.004), (0.0425, 0.014), (radius, 0.04), (radius, height - wall / 2)],
                                      np.linspace(0, 1, 10))]
    rim = arc((radius - wall / 2, height - wall / 2), wall / 2, 0, 180, 8)[1:-1]
    inside = [(inner, height - wall / 2), (inner, floor + fillet)] + arc((inner - fillet, floor + fillet), fillet, 0, -90)[1:]
    body = lathe([outside, belly + rim + inside + [(0.0, floor)]], 32)
    ear = bezier([(0.035, 0.060), (0.083, 0.067), (0.078, 0.012), (0.034, 0.017)], np.linspace(0, 1, 18))
    return body.add(tube(ear, 0.0055 + 0.0012 * np.abs(np.linspace(-1, 1, 18))**3, 12, flat=1.15))


def tub(half_x, half_y, corner, profile, side_steps=1, rise=None):
    """A closed vessel: the profile of (inset, z), from the outer edge of the foot over the rim to the inner edge of the floor,
    goes around a rounded rectangle. rise(x): factor on the height above the floor."""
    directions, centers = rounded_rectangle(half_x, half_y, corner, side_steps=side_steps)
    floor = profile[-1][1]
    rings = []
    for inset, z in profile:
        ring = centers + (corner - inset) * directions
        factor = np.ones(len(ring)) if rise is None else rise(ring[:, 0])
        rings.append(np.column_stack([ring, np.where(z > floor, floor + (z - floor) * factor, z)]))
    middle = np.column_stack([centers * [0.0, 0.6], np.zeros(len(centers))])
    foot = np.stack([middle + [0, 0, profile[0][1]], rings[0]])
    base = np.stack([rings[-1], middle + [0, 0, floor]])
    mesh = SurfaceMesh().add_loft(np.stack(rings))
    for disc, up in ((foot, -1.0), (base, 1.0)):
        mesh.add_grid(disc, np.broadcast_to([0, 0, up], disc.shape), closed=True)
    return mesh


def wall_profile(height, wall, floor, draft, fillet):
    """Foot edge rounded by `fillet`, a wall that leans outwards by `draft`, a round rim, the inside parallel to the outside."""
    r = wall / 2
    outer = [(draft + fillet * (1 - np.sin(a)), fillet * (1 - np.cos(a))) for a in np.radians(np.linspace(0, 90, 6))]
    rim = [(r - r * np.cos(a), height - r + r * np.sin(a)) for a in np.radians(np.linspace(0, 180, 9))]
    inner = [(draft + wall + fillet * (1 - np.cos(a)), floor + fillet * (1 - np.sin(a))) for a in np.radians(np.linspace(0, 90, 6))]
    return outer + rim + inner


def scoop():
    """A shovel with a flat floor whose side walls sink towards the mouth, and a round handle that an arm holds from behind and above."""
    def rise(x):
        s = np.clip((0.07 - x) / 0.10, 0, 1)
        return 0.03 + 0.97 * s * s * (3 - 2 * s)

    bowl = tub(0.075, 0.055, 0.03, wall_profile(0.07, 0.010, 0.010, 0.003, 0.006), side_steps=10, rise=rise)
    grip = bezier([(-0.0755, 0.050), (-0.100, 0.055), (-0.14, 0.095), (-0.19, 0.145)], np.linspace(0, 1, 18))
    return bowl.add(tube(grip, 0.0085 + 0.0045 * np.linspace(0, 1, 18)**2, 16, flat=1.1))


def main():
    made = "Made by assets/meshes/make_vessels.py."
    mug().write_obj(FOLDER / "mug.obj", made)
    tub(0.13, 0.10, 0.035, wall_profile(0.13, 0.010, 0.010, 0.012, 0.010)).write_obj(FOLDER / "bin.obj", made)
    tub(0.25, 0.20, 0.040, wall_profile(0.07, 0.012, 0.012, 0.006, 0.008)).write_obj(FOLDER / "tray.obj", made)
    scoop().write_obj(FOLDER / "scoop.obj", made)


if __name__ == "__main__":
    main()
