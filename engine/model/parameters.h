// One table of the numbers that may change while it runs: what the scene's file calls them, their units and
// what they may be. The compiler, the reader of scene files with --set, commands and panels share it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/foundation/number_range.h"
#include "engine/foundation/result.h"
#include "engine/model/tuning.h"

namespace slipstick {

struct Model;

/// Which block of a scene's file a parameter stands in.
enum class ParameterBlock {
  Scene,
  Material,
  Contact,  ///< of the scene, a body, a robot, a link or a shape
  Deformable,
  PairRule,
  Boundary,
  Servo,  ///< controllers of the kinds end_effector_path, joint_path, gripper
  Gripper,
  JointEffort,
  JointVelocity,
  Joint,   ///< of a robot; the key stands before the joint's name: "robots.arm.damping.elbow"
  Method,  ///< of a method's own, from its own row (engine/model/method_rows.h); the key is the whole path
};

/// Where a parameter's value stands in a Tuning.
using ParameterSlot =
    std::variant<double*, int*, Vec3*, std::array<double, 4>*, std::optional<double>*, std::vector<double>*>;

/// One row of the table, for all places where the key may stand.
struct ParameterKind {
  ParameterBlock block;
  std::string_view key;   ///< below the block's path: "E", "rigid.modulus_Pa"
  std::string_view unit;  ///< "Pa"; empty: a plain number
  Range range;            ///< of each of its numbers
  std::string_view what;  ///< what is wrong with a value out of range
  std::string_view remedy;
  /// @param index  of the material, contact place, deformable, pair rule, boundary, controller or joint
  ParameterSlot (*slot)(Tuning& tuning, std::size_t index);
  /// The number that this one takes the place of, or null.
  ParameterSlot (*displaces)(Tuning& tuning, std::size_t index) = nullptr;
  bool isWhole = false;         ///< it counts something, though its slot could hold other numbers
  std::string_view about = {};  ///< what it is, where its name does not say that
};

/// What the key of a block may be. Requires a row of the table.
Range rangeOf(ParameterBlock block, std::string_view key);
std::string_view unitOf(ParameterBlock block, std::string_view key);  ///< likewise

/// Keys of a block, in the order of the table.
std::vector<std::string> keysOf(ParameterBlock block);

/// Sets one number of a block's entry. Requires a row of the table for plain numbers. @return false where it is out of its range
bool setNumber(ParameterBlock block, std::string_view key, double value, std::size_t index, Tuning& tuning);

/// Keys of a material in a scene's file, besides 'model' and 'density'; some of them cannot change.
std::vector<std::string> materialKeys(MaterialModel model);

/// One number, or one short list, of one model.
struct Parameter {
  std::string path = {};  ///< as in the scene's file: "materials.dough.E", "bodies.roller.contact.friction"
  const ParameterKind* kind = nullptr;
  std::size_t index = 0;    ///< what it acts on, see ParameterKind::slot
  std::size_t entries = 1;  ///< of a list of gains: one for all, or as many as this
  bool isOptional = false;  ///< may be unset: then a place further out, or a default, decides
};

/// Every parameter of a model, from its names.
std::vector<Parameter> parametersOf(const Model& model);

/// One number or a list; empty: not set here, what is further out decides.
using ParameterValue = std::vector<double>;

/// The value that stands in a tuning, not what it falls back to.
ParameterValue valueOf(const Parameter& parameter, const Tuning& tuning);

/// Whether it counts something, so that only whole numbers fit.
bool isWhole(const Parameter& parameter, const Tuning& tuning);

/// The value of a path, which may name one entry of a list; nothing where there is no such path, or it is not
/// set.
ParameterValue valueOf(const Model& model, const std::string& path, const Tuning& tuning);

/// Path of the friction of one rigid geometry, at the place nearest to it.
std::string frictionPath(const Model& model, int geometry);

/// Whether what stands in a tuning is what a row allows.
bool isWithin(const ParameterKind& kind, const Tuning& tuning, std::size_t index);

/// Whether all rows of a block hold for its entry `index`. @return the row that is broken, or null
const ParameterKind* brokenKind(ParameterBlock block, const Tuning& tuning, std::size_t index);

/// Sets the parameter of a path; one entry of a list by its place or axis ("gravity.z",
/// "controllers.0.kp.1"). Errors: a path that is not there, with the nearest one; a wrong count; a number out
/// of range.
Result<void> setParameter(const Model& model, const std::string& path, const ParameterValue& value,
                          Tuning& tuning);

}  // namespace slipstick
