// Soft bodies between two steps, in the form in which keyframes, recordings and tests see them. The live ones belong to the
// method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/math.h"

namespace slipstick {

/// What the entry of one node in a field is: a number, a vector or a matrix.
struct FieldSpec {
  std::string name;
  int rows = 1, columns = 1;
  std::string unit = {}, meaning = {};  ///< for those who read a recording: "1/s", "affine velocities"

  int size() const { return rows * columns; }
};
/// Whether entries of one field can be those of the other.
inline bool fits(const FieldSpec& a, const FieldSpec& b) {
  return a.name == b.name && a.rows == b.rows && a.columns == b.columns;
}

/// What a method remembers of each node beside its position and velocity.
struct NodeField {
  FieldSpec spec;
  std::vector<double> values;  ///< node by node; of a matrix, column by column
};

/// What a contact gave to its node in the last substep: where the next contact solve starts from.
struct ContactImpulse {
  int node = 0, geometry = 0;
  Vec3 impulse = Vec3::Zero();  ///< W [N s]
};

struct SoftState {
  std::vector<Vec3> x;            ///< per node, W [m]
  std::vector<Vec3> v;            ///< per node, W [m/s]
  std::vector<NodeField> fields;  ///< names and their order are the method's
  std::vector<ContactImpulse> contacts;

  /// The field of this name, or null.
  const NodeField* find(std::string_view name) const;
  std::size_t byteCount() const;  ///< of what the arrays hold
};

std::vector<FieldSpec> specsOf(const std::vector<NodeField>& fields);

/// Sum over the nodes of a hash of each one's index and bits, and of all impulses (engine/lanes/hash.h). It does not depend on
/// names.
std::uint64_t hashOf(const SoftState& state);
/// Of the impulses alone.
std::uint64_t hashOf(const std::vector<ContactImpulse>& contacts);

}  // namespace slipstick
