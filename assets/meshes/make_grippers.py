#!/usr/bin/env python3
"""Makes the two parallel grippers: robots/parallel_gripper.urdf and cloth_gripper.urdf with their meshes, folders of the same
names beside this file.

Frame of a gripper: origin in the middle of the mounting face, z along the fingers, x the direction of closing. A finger's
frame lies in the middle of its pad's face; x points into the finger. Joint position = distance of that face from the
middle plane, so that the opening is twice as large. The right finger is the left one turned by half a turn about z.
"""

import dataclasses
import pathlib

import numpy as np

import urdf_text as urdf
from surface_mesh import SurfaceMesh, lathe, rounded_box

FOLDER = pathlib.Path(__file__).resolve().parent
NOTE = "Made by assets/meshes/make_grippers.py."
ROTOR_INERTIA, SCREW_LEAD = 1e-6, 0.004  # [kg m²], [m/turn]: a spindle drive, 2.5 kg as seen by the fingers
DRIVE_DAMPING = 60.0                     # [N s/m]
FLANGE_RADIUS, FLANGE_HEIGHT = 0.0365, 0.012


@dataclasses.dataclass
class Gripper:
    name: str
    about: str
    body: tuple     # size of the housing [m]
    masses: tuple   # of the housing with its drive and of one finger [kg]
    pad: tuple      # size [m]: thickness, width, length along z
    pad_z: float    # height of the pad's middle [m]
    stroke: float   # of one finger [m]
    friction: float
    press: float = 0  # how far a pad may pass the middle: particles of cloth have no thickness to be pressed by [m]

    @property
    def deck(self):
        """Height of the housing's upper face [m]."""
        return FLANGE_HEIGHT + self.body[2]


GRIPPERS = [
    Gripper("parallel_gripper", "A parallel gripper in the class of the Schunk WSG 50 (stroke 110 mm, 80 N per finger), with pads for soft blocks.",
            body=(0.146, 0.054, 0.060), masses=(1.0, 0.11), pad=(0.018, 0.060, 0.054), pad_z=0.128, stroke=0.055, friction=1.0),
    Gripper("cloth_gripper", "A parallel gripper for the edges of cloth: slim housing, wide pads, 12 mm thick so that no layer of cloth passes\n"
            "     through them, on long fingers that reach over the edge of a table.",
            body=(0.074, 0.092, 0.064), masses=(0.8, 0.12), pad=(0.012, 0.090, 0.050), pad_z=0.176, stroke=0.025, friction=1.0, press=0.003),
]


def housing(g):
    """Shell, dark rail and flange, bright side covers."""
    x, y, z = g.body
    middle = FLANGE_HEIGHT + z / 2
    shell = SurfaceMesh().add(rounded_box(g.body, 0.009), offset=(0, 0, middle))
    rail = SurfaceMesh().add(rounded_box([x - 0.018, 0.030, 0.010], 0.003, 2), offset=(0, 0, g.deck))
    r, h = FLANGE_RADIUS, FLANGE_HEIGHT + 0.003
    trim = rail.add(lathe([[(0.0, 0.0), (r, 0.0)], [(r, 0.0), (r, h)]], 32))
    covers = SurfaceMesh()
    for side in (-1, 1):
        covers.add(rounded_box([x - 0.036, 0.004, z - 0.030], 0.0018, 2), offset=(0, side * y / 2, middle))
    return shell, trim, covers


def finger(g):
    """Carriage and bar of a finger, and its pad, in the finger's frame."""
    thick, width, length = g.pad
    low = g.deck + 0.006 - g.pad_z           # underside of the carriage
    carriage = [max(0.026, thick + 0.008), 0.042, 0.016]
    bar_low, bar_high = low + 0.004, length / 2 - 0.003
    metal = SurfaceMesh().add(rounded_box(carriage, 0.004, 3), offset=(carriage[0] / 2 + 0.001, 0, low + 0.008))
    bar = [thick * 0.62, min(0.034, width - 0.016), bar_high - bar_low]
    metal.add(rounded_box(bar, 0.003, 3), offset=(thick + 0.002 - bar[0] / 2, 0, (bar_low + bar_high) / 2))
    pad = rounded_box(g.pad, min(0.005, 0.45 * thick), 3)
    return metal, SurfaceMesh().add(pad, offset=(thick / 2, 0, 0))


def finger_link(g, side, metal, pad):
    folder, (thick, width, length) = g.name, g.pad
    low = g.deck + 0.006 - g.pad_z
    text = f'  <link name="{side}_finger">\n' + urdf.inertial(SurfaceMesh().add(metal).add(pad), g.masses[1])
    text += urdf.visual(f"{folder}/finger", "steel") + urdf.visual(f"{folder}/pad", "rubber")
    rubber = urdf.proximity(mu_dynamic=g.friction, hydroelastic_modulus=1e6)
    text += urdf.collision(f"{side}_pad", urdf.box(g.pad), (thick / 2, 0, 0), extra=rubber)
    bar = [thick * 0.62, min(0.034, width - 0.016), -length / 2 - low]
    if bar[2] > 0.01:  # what of the bar is not behind the pad
        text += urdf.collision(f"{side}_bar", urdf.box(bar), (thick - bar[0] / 2, 0, low + bar[2] / 2))
    return text + "  </link>\n\n"


def robot(g):
    """The whole file."""
    shell, trim, covers = housing(g)
    metal, pad = finger(g)
    for mesh, part in ((shell, "housing"), (trim, "trim"), (covers, "covers"), (metal, "finger"), (pad, "pad")):
        mesh.write_obj(FOLDER / g.name / f"{part}.obj", NOTE)
    text = f"""<?xml version="1.0"?>
<!-- {g.about}
     z points along the fingers, x is the direction of closing; the joint left_slide is half the opening, the right finger
     mimics it, so that its effort is that of both fingers together. The motor's
     inertia stands in the transmission. Written by assets/meshes/make_grippers.py. -->
<robot name="{g.name}" xmlns:drake="https://drake.mit.edu">
  <material name="shell"><color rgba="0.80 0.81 0.82 1"/></material>
  <material name="cap"><color rgba="0.788 0.541 0.227 1"/></material>
  <material name="trim"><color rgba="0.17 0.18 0.20 1"/></material>
  <material name="steel"><color rgba="0.58 0.60 0.63 1"/></material>
  <material name="rubber"><color rgba="0.12 0.13 0.15 1"/></material>

  <link name="housing">
"""
    text += urdf.inertial(shell, g.masses[0])
    text += urdf.visual(f"{g.name}/housing", "shell") + urdf.visual(f"{g.name}/trim", "trim") + urdf.visual(f"{g.name}/covers", "cap")
    text += urdf.collision("housing", urdf.box(g.body), (0, 0, FLANGE_HEIGHT + g.body[2] / 2)) + "  </link>\n\n"
    limit = f'lower="{-g.press:g}" upper="{g.stroke:g}" effort="160" velocity="0.42"'
    place = (0, 0, g.pad_z)
    friction = f'    <dynamics damping="{DRIVE_DAMPING:g}"/>\n'
    text += urdf.joint("left_slide", "prismatic", "housing", "left_finger", place, (1, 0, 0), limit=limit, more=friction)
    text += finger_link(g, "left", metal, pad)
    mimic = '    <mimic joint="left_slide" multiplier="1" offset="0"/>\n'
    text += urdf.joint("right_slide", "prismatic", "housing", "right_finger", place, (1, 0, 0), (0, 0, np.pi), limit, mimic)
    text += finger_link(g, "right", metal, pad)
    text += urdf.joint("grip_point", "fixed", "housing", "grip", place)
    if g.press > 0:
        text += ('  <!-- The pads press what is between them, not each other. -->\n  <drake:collision_filter_group name="pads">\n'
                 '    <drake:member link="left_finger"/>\n    <drake:member link="right_finger"/>\n'
                 '    <drake:ignored_collision_filter_group name="pads"/>\n  </drake:collision_filter_group>\n\n')
    text += urdf.drive("left_slide", ROTOR_INERTIA, 2 * np.pi / SCREW_LEAD)
    return text + '  <!-- The middle between the pads, axes as the housing. -->\n  <link name="grip"/>\n</robot>\n'


if __name__ == "__main__":
    for gripper in GRIPPERS:
        (FOLDER.parent / "robots" / f"{gripper.name}.urdf").write_text(robot(gripper), encoding="utf-8")
