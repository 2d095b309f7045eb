#!/usr/bin/env python3
"""Makes the meshes of the rolling pin, of the slider's panel and of a bar of dough: rolling_pin/*.obj, slider/panel.obj and
dough/bar.obj beside this file."""

import pathlib

import numpy as np

from surface_mesh import SurfaceMesh, arc, lathe, loft, rounded_box

FOLDER = pathlib.Path(__file__).resolve().parent
Z_TO_Y = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])

HANDLE_RADIUS, HANDLE_LENGTH = 0.02, 0.5
ROLLER_RADIUS, ROLLER_LENGTH = 0.03, 0.35
PANEL_SIZE = [0.033, 0.14, 0.11]


def handle():
    """A grip at each end with a slim neck beside the roller; hidden inside the roller."""
    end, rounding, r = HANDLE_LENGTH / 2, 0.009, HANDLE_RADIUS
    neck = ROLLER_LENGTH / 2 - 0.006
    upper = [(0.0165, neck), (0.0165, neck + 0.009), (0.0172, neck + 0.014), (0.0188, neck + 0.022),
             (0.0197, neck + 0.03), (r, neck + 0.038), (r, end - rounding - 0.004)]
    upper += arc((r - rounding, end - rounding), rounding, 0, 90) + [(0.0, end)]
    lower = [(radius, -y) for radius, y in reversed(upper)]
    return SurfaceMesh().add(lathe([lower, upper], 32), Z_TO_Y)


def roller():
    """A cylinder with rounded rims and an opening for the handle at each end."""
    half, rim, bore = ROLLER_LENGTH / 2, 0.005, 0.0185
    side = [(ROLLER_RADIUS - rim - 0.001, -half)] + arc((ROLLER_RADIUS - rim, -half + rim), rim, -90, 0)
    side += [(radius, -y) for radius, y in reversed(side)]
    lip = [(bore, half - 0.012), (bore, half - 0.001), (bore + 0.001, half), (ROLLER_RADIUS - rim - 0.001, half)]
    lip.reverse()
    other = [(radius, -y) for radius, y in reversed(lip)]
    return SurfaceMesh().add(lathe([other, side, lip], 40), Z_TO_Y)


def inlays():
    """Two rings and five slender lens-shaped strips along the roller, raised by a hair above its surface."""
    mesh = SurfaceMesh()
    for y in (-0.148, 0.148):
        r = ROLLER_RADIUS + 0.0002
        mesh.add(lathe([[(r - 0.0006, y - 0.0025), (r, y - 0.0021), (r, y + 0.0021), (r - 0.0006, y + 0.0025)]]), Z_TO_Y)
    for n in range(5):
        mesh.add(_strip(2 * np.pi * n / 5))
    return mesh


def _strip(angle, half_length=0.132, half_width=0.0042):
    along = np.linspace(-1, 1, 29)
    width = half_width * np.sqrt(1.002 - np.abs(along)**3)
    across = np.linspace(-1, 1, 5)
    lift = np.where(np.abs(across) == 1, -0.0004, 0.0003)
    phi = angle + np.outer(width, across) / ROLLER_RADIUS
    r = ROLLER_RADIUS + lift
    normals = np.stack([np.cos(phi), np.zeros_like(phi), np.sin(phi)], axis=-1)
    points = normals * r[None, :, None]
    points[..., 1] = half_length * along[:, None]
    mesh = SurfaceMesh()
    mesh.add_grid(points, normals)
    return mesh


def dough_bar(half_length=0.16, foot=0.036):
    """A bar along x, 0.32 m long, 86 x 72 mm thick with a waist of 58 x 54 mm; flat below, where z = −foot."""
    t = np.linspace(-1, 1, 25)
    lobe = 0.5 - 0.5 * np.cos(np.pi * np.minimum(np.abs(t) / 0.42, 1))          # 0 at the waist
    end = np.sqrt(1 - np.clip((np.abs(t) - 0.9) / 0.115, 0, 1)**2)              # the ends are rounded
    height, width = (0.027 + 0.009 * lobe) * end, (0.029 + 0.014 * lobe) * end
    mesh = loft([(half_length * s, h, w, h - foot) for s, h, w in zip(t, height, width)], 32, power=4)
    return SurfaceMesh().add(mesh, np.array([[0.0, 0, 1], [0, -1, 0], [1, 0, 0]]))


if __name__ == "__main__":
    made = "Made by assets/meshes/make_tools.py."
    handle().write_obj(FOLDER / "rolling_pin/handle.obj", made)
    roller().write_obj(FOLDER / "rolling_pin/roller.obj", made)
    inlays().write_obj(FOLDER / "rolling_pin/inlays.obj", made)
    rounded_box(PANEL_SIZE, 0.0025).write_obj(FOLDER / "slider/panel.obj", made)
    dough_bar().write_obj(FOLDER / "dough/bar.obj", made)
