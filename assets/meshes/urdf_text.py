"""URDF elements as text: what the generators of robots share."""

import numpy as np

from surface_mesh import mass_properties


def inertial(solid, mass, indent="    "):
    """The inertial of a closed surface that is evenly filled; centre in 0.1 mm, products below 1e-9 kg m² are zero."""
    center, inertia = mass_properties(solid.triangles(), mass)
    xyz = " ".join(f"{round(c, 4) + 0.0:g}" for c in center)
    i = np.where(np.abs(inertia) < 1e-9, 0, inertia)
    entries = [("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2)]
    values = " ".join(f'{name}="{i[a, b]:.4g}"' for name, a, b in entries)
    return (f'{indent}<inertial>\n{indent}  <origin xyz="{xyz}"/>\n{indent}  <mass value="{mass:g}"/>\n'
            f"{indent}  <inertia {values}/>\n{indent}</inertial>\n")


def visual(file, material, indent="    "):
    """A mesh in millimetres, as SurfaceMesh.write_obj writes it."""
    return (f'{indent}<visual>\n{indent}  <geometry><mesh filename="../meshes/{file}.obj" scale="0.001 0.001 0.001"/></geometry>\n'
            f'{indent}  <material name="{material}"/>\n{indent}</visual>\n')


def collision(name, geometry, xyz=(0, 0, 0), rpy=(0, 0, 0), extra="", indent="    "):
    """geometry: the element inside <geometry>; `extra`: drake:proximity_properties, if any."""
    place = f'xyz="{_numbers(xyz)}"' + (f' rpy="{_angles(rpy)}"' if any(rpy) else "")
    return (f'{indent}<collision name="{name}">\n{indent}  <origin {place}/>\n'
            f"{indent}  <geometry>{geometry}</geometry>\n{extra}{indent}</collision>\n")


def proximity(**tags):
    """What a collision's surface is like: tags of drake:proximity_properties with their values."""
    lines = "".join(f'        <drake:{tag} value="{value:g}"/>\n' for tag, value in tags.items())
    return f"      <drake:proximity_properties>\n{lines}      </drake:proximity_properties>\n"


def box(size):
    return f'<box size="{_numbers(size)}"/>'


def capsule(radius, length):
    return f'<capsule radius="{radius:g}" length="{length:g}"/>'


def joint(name, kind, parent, child, xyz, axis=None, rpy=(0, 0, 0), limit="", more=""):
    """limit: the attributes of <limit>; `more`: further elements, one per line with their indentation."""
    place = f'xyz="{_numbers(xyz)}"' + (f' rpy="{_angles(rpy)}"' if any(rpy) else "")
    text = f'  <joint name="{name}" type="{kind}">\n    <parent link="{parent}"/>\n    <child link="{child}"/>\n    <origin {place}/>\n'
    if axis is not None:
        text += f'    <axis xyz="{_numbers(axis)}"/>\n'
    if limit:
        text += f"    <limit {limit}/>\n"
    return text + more + "  </joint>\n\n"


def drive(joint_name, rotor_inertia, gear_ratio):
    """The motor of a joint: inertia [kg m²] and turns of the motor per radian of the joint, or radians per metre."""
    return (f'  <transmission name="{joint_name}_drive">\n    <type>transmission_interface/SimpleTransmission</type>\n'
            f'    <joint name="{joint_name}"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>\n'
            f'    <actuator name="{joint_name}_motor">\n      <drake:rotor_inertia value="{rotor_inertia:g}"/>\n'
            f'      <drake:gear_ratio value="{gear_ratio:.1f}"/>\n    </actuator>\n  </transmission>\n\n')


def _numbers(values):
    return " ".join(f"{round(v, 6) + 0.0:.7g}" for v in values)


def _angles(values):
    return " ".join(f"{v + 0.0:.16g}" for v in values)
