#!/usr/bin/env python3
"""Makes the four-finger hand: robots/hand16.urdf and the meshes hand16/*.obj beside this file.

At zero all frames are parallel and all fingers point along z, away from the mounting face. The palm looks to +x; the three
fingers stand side by side along y and bend towards +x, the thumb stands in front of the palm and bends towards −x. Joint 1
of a finger swings it sideways (about x), joints 2 to 4 bend it (about y). Joint 1 of the thumb turns it about z, to the side
of the index finger (+y) for positive angles.
"""

import dataclasses
import pathlib

import numpy as np

import urdf_text as urdf
from surface_mesh import SurfaceMesh, arc, lathe, loft, rounded_box

FOLDER = pathlib.Path(__file__).resolve().parent / "hand16"
NOTE = "Made by assets/meshes/make_hand16.py."
Z_TO_Y = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
HALF_TURN_Z = np.diag([-1.0, -1, 1])

PALM_SIZE, PALM_CENTER, PALM_MASS = (0.038, 0.112, 0.084), (-0.006, 0, 0.054), 0.42
KNUCKLES = {"index": 0.036, "middle": 0.0, "ring": -0.036}  # y of the fingers [m]
KNUCKLE_X, KNUCKLE_Z = -0.012, 0.100
THUMB_AXIS = (0.012, 0, 0.074)  # where the thumb turns [m]
RADIUS = 0.012                  # of all capsules and fingertips [m]
ROTOR_INERTIA, GEAR_RATIO = 5e-9, 369  # of every joint's motor: 0.7 g m² as seen by the joint [kg m²], [-]
BARREL, WIDTH = 0.0108, 0.0235  # radius and length of a joint's barrel [m]


@dataclasses.dataclass
class Chain:
    """What differs between a finger and the thumb: first link's reach (x, z), lengths of the others, limits, torque, masses."""
    reach: tuple
    lengths: tuple  # to the next joint, the last one to the middle of the fingertip's sphere [m]
    limits: tuple
    effort: float   # [N m]
    masses: tuple   # [kg]


FINGER = Chain((0.0, 0.014), (0.050, 0.036, 0.020), ((-0.35, 0.35), (-0.7, 1.7), (-0.15, 1.75), (-0.15, 1.7)), 0.7,
               (0.018, 0.065, 0.040, 0.022))
THUMB = Chain((0.034, 0.008), (0.064, 0.054, 0.030), ((-0.5, 1.5), (-1.1, 1.2), (-0.2, 1.6), (-0.3, 1.6)), 1.8,
              (0.045, 0.070, 0.045, 0.026))


def barrel():
    """The drum of a joint about y, with rounded rims, and the bright discs on its ends."""
    half, rim = WIDTH / 2, 0.002
    side = [(0.0, -half), (BARREL - rim, -half)], arc((BARREL - rim, -half + rim), rim, -90, 0, 3) + arc((BARREL - rim, half - rim), rim, 0, 90, 3)
    drum = SurfaceMesh().add(lathe([*side, [(BARREL - rim, half), (0.0, half)]], 24), Z_TO_Y)
    discs = SurfaceMesh()
    for sign in (-1, 1):
        profile = [(0.0058, half - 0.001), (0.0058, half + 0.0006), (0.0052, half + 0.001)], [(0.0052, half + 0.001), (0.0, half + 0.001)]
        discs.add(SurfaceMesh().add(lathe(profile, 16), Z_TO_Y), np.diag([1.0, sign, sign]))
    return drum, discs


def bone(length):
    """The shell between two barrels: narrow at both, a little fuller on the back (−x) in the middle."""
    ends = 0.0075
    t = np.linspace(0, 1, 9)
    swell = np.sin(np.pi * t)
    z = ends + t * (length - 2 * ends)
    return loft([(zi, 0.0084 + 0.0016 * k, 0.0094 + 0.0014 * k, -0.0010 * k) for zi, k in zip(z, swell)])


def tip(length):
    """The last link: a short shell, then the rubber, a rounded pad whose end is that of the collision capsule."""
    shell = loft([(0.006, 0.0088, 0.0098, 0), (0.008, 0.0098, 0.0106, 0), (length - 0.009, 0.0104, 0.0112, 0), (length - 0.008, 0.0100, 0.0108, 0)])
    r = RADIUS
    rubber = lathe([[(0.0, length - 0.0095), (0.0100, length - 0.0095)], [(0.0100, length - 0.0095), (r - 0.0004, length - 0.0075), (r, length - 0.004)]
                    + arc((0.0, length), r, 0, 90, 8)], 28)
    return shell, rubber


def knuckle():
    """A finger's first link: a block between the swing about x and the bend about y."""
    block = loft([(-0.012, 0.0090, 0.0100, 0), (-0.010, 0.0105, 0.0113, 0), (0.006, 0.0100, 0.0108, 0), (0.010, 0.0088, 0.0098, 0)])
    return block


def thumb_root():
    """The thumb's first link: an arm from the turning axis out to the first bend."""
    (x, z), half = THUMB.reach, WIDTH / 2
    hub = lathe([[(0.0, -0.013), (0.0125, -0.013)], [(0.0125, -0.013), (0.014, -0.0115), (0.014, 0.0095), (0.0125, 0.011)], [(0.0125, 0.011), (0.0, 0.011)]], 28)
    arm = rounded_box([x - 0.004, 2 * half - 0.003, 0.016], 0.005, 3)
    return SurfaceMesh().add(hub).add(arm, offset=((x - 0.004) / 2, 0, z - 0.010))


def palm():
    """Housing, dark front pad and flange with the yoke of the thumb, bright back cover."""
    x, y, z = PALM_CENTER
    shell = rounded_box(PALM_SIZE, 0.011)
    front = rounded_box([0.004, PALM_SIZE[1] - 0.026, 0.030], 0.0018, 2)
    trim = SurfaceMesh().add(front, offset=(x + PALM_SIZE[0] / 2, 0, z - 0.024))
    trim.add(lathe([[(0.0, 0.0), (0.0365, 0.0)], [(0.0365, 0.0), (0.0365, 0.016)]], 32))
    for name in KNUCKLES:
        trim.add(rounded_box([0.019, 0.020, 0.012], 0.003, 2), offset=(KNUCKLE_X, KNUCKLES[name], z + PALM_SIZE[2] / 2 - 0.002))
    cover = rounded_box([0.004, PALM_SIZE[1] - 0.034, PALM_SIZE[2] - 0.030], 0.0018, 2)
    moved = SurfaceMesh().add(shell, offset=PALM_CENTER)
    return moved, trim, SurfaceMesh().add(cover, offset=(x - PALM_SIZE[0] / 2, 0, z))


def write_meshes():
    """All meshes; returns the solids that give the inertias, by part."""
    shell, trim, cover = palm()
    drum, discs = barrel()
    parts = {"palm": shell, "palm_trim": trim, "palm_cover": cover, "barrel": drum, "barrel_discs": discs, "knuckle": knuckle(), "thumb_root": thumb_root()}
    for name, chain in (("finger", FINGER), ("thumb", THUMB)):
        for k, part in enumerate(("proximal", "medial")):
            parts[f"{name}_{part}"] = bone(chain.lengths[k])
        parts[f"{name}_tip"], parts[f"{name}_rubber"] = tip(chain.lengths[2])
    for part, mesh in parts.items():
        mesh.write_obj(FOLDER / f"{part}.obj", NOTE)
    return parts


def link(name, solid, mass, visuals, collisions, turn=np.eye(3)):
    """One link. Thumb links are drawn turned by half a turn, so that their backs look outwards."""
    text = f'  <link name="{name}">\n' + urdf.inertial(SurfaceMesh().add(solid, turn), mass)
    for file, material in visuals:
        text += _turned(urdf.visual(f"hand16/{file}", material), turn)
    return text + "".join(collisions) + "  </link>\n\n"


def _turned(visual, turn):
    if np.allclose(turn, np.eye(3)):
        return visual
    return visual.replace("<visual>\n", '<visual>\n      <origin xyz="0 0 0" rpy="0 0 3.141592653589793"/>\n')


def bend(k, chain, name, parent, xyz, axis):
    low, high = chain.limits[k]
    limit = f'lower="{low:g}" upper="{high:g}" effort="{chain.effort:g}" velocity="7"'
    return urdf.joint(f"{name}_{k + 1}", "revolute", parent, f"{name}_link_{k + 1}", xyz, axis, limit=limit, more='    <dynamics damping="0.01"/>\n')


def finger(name, chain, origin, parts):
    """Joints and links of a finger or of the thumb."""
    thumb = name == "thumb"
    kind, turn = ("thumb", HALF_TURN_Z) if thumb else ("finger", np.eye(3))
    side = (0, -1, 0) if thumb else (0, 1, 0)
    rubber = urdf.proximity(mu_dynamic=1, point_contact_stiffness=1e4, hunt_crossley_dissipation=5)
    (reach, rise), (a, b, c) = chain.reach, chain.lengths
    text = bend(0, chain, name, "palm", origin, (0, 0, 1) if thumb else (1, 0, 0))
    root = "thumb_root" if thumb else "knuckle"
    shapes = [urdf.collision(f"{name}_root", urdf.box((reach, 0.02, 0.016)), (reach / 2, 0, rise - 0.010))] if thumb else []
    text += link(f"{name}_link_1", parts[root], chain.masses[0], [(root, "shell" if thumb else "trim")], shapes)
    text += bend(1, chain, name, f"{name}_link_1", (reach, 0, rise), side)
    for k, (part, length) in enumerate((("proximal", a), ("medial", b))):
        solid = SurfaceMesh().add(parts[f"{kind}_{part}"]).add(parts["barrel"])
        visuals = [(f"{kind}_{part}", "shell"), ("barrel", "trim"), ("barrel_discs", "cap")]
        shapes = [urdf.collision(f"{name}_{part}", urdf.capsule(RADIUS, length), (0, 0, length / 2))]
        text += link(f"{name}_link_{k + 2}", solid, chain.masses[k + 1], visuals, shapes, turn)
        text += bend(k + 2, chain, name, f"{name}_link_{k + 2}", (0, 0, length), side)
    solid = SurfaceMesh().add(parts[f"{kind}_tip"]).add(parts[f"{kind}_rubber"]).add(parts["barrel"])
    visuals = [(f"{kind}_tip", "shell"), (f"{kind}_rubber", "rubber"), ("barrel", "trim"), ("barrel_discs", "cap")]
    shapes = [urdf.collision(f"{name}_tip", urdf.capsule(RADIUS, c), (0, 0, c / 2), extra=rubber)]
    return text + link(f"{name}_link_4", solid, chain.masses[3], visuals, shapes, turn)


HEAD = """<?xml version="1.0"?>
<!-- A hand with three fingers and a thumb, four joints each, in the class of the Allegro hand (about 1.1 kg, 0.7 N m per joint);
     kinematics and shape are our own. z points from the mounting face to the fingertips, the palm looks to +x. Fingers:
     joint 1 swings sideways, 2 to 4 bend (positive: closing). Thumb: joint 1 turns about z, 2 to 4 bend towards the fingers. Links
     are filled evenly to give the inertias; those of the motors stand in the transmissions. Written by assets/meshes/make_hand16.py. -->
<robot name="hand16" xmlns:drake="https://drake.mit.edu">
  <material name="shell"><color rgba="0.80 0.81 0.82 1"/></material>
  <material name="cap"><color rgba="0.788 0.541 0.227 1"/></material>
  <material name="trim"><color rgba="0.17 0.18 0.20 1"/></material>
  <material name="rubber"><color rgba="0.12 0.13 0.15 1"/></material>

"""


def main():
    parts = write_meshes()
    palm_visuals = [("palm", "shell"), ("palm_trim", "trim"), ("palm_cover", "cap")]
    text = HEAD + link("palm", parts["palm"], PALM_MASS, palm_visuals, [urdf.collision("palm", urdf.box(PALM_SIZE), PALM_CENTER)])
    for name, y in KNUCKLES.items():
        text += finger(name, FINGER, (KNUCKLE_X, y, KNUCKLE_Z), parts)
    text += finger("thumb", THUMB, THUMB_AXIS, parts)
    for name in [*KNUCKLES, "thumb"]:
        text += "".join(urdf.drive(f"{name}_{k}", ROTOR_INERTIA, GEAR_RATIO) for k in range(1, 5))
    text += urdf.joint("grasp_point", "fixed", "palm", "grasp", (0.040, 0, 0.210))
    text += "  <!-- The middle of a box of 0.08 m held between the fingers and the thumb. -->\n  <link name=\"grasp\"/>\n</robot>\n"
    (FOLDER.parent.parent / "robots/hand16.urdf").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
