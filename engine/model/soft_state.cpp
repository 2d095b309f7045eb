#include "engine/model/soft_state.h"

#include <algorithm>

#include "engine/foundation/byte_count.h"
#include "engine/foundation/require.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/lanes/hash.h"
#include "engine/model/node_words.h"

namespace slipstick {

namespace {

/// Row by row, as lanes::HashWord has matrices.
void addEntry(const NodeField& field, std::size_t node, NodeWords& words) {
  const auto rows = field.spec.rows, columns = field.spec.columns;
  const double* const entry = field.values.data() + node * static_cast<std::size_t>(field.spec.size());
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) words.add(entry[column * rows + row]);
}

}  // namespace

const NodeField* SoftState::find(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [name](const NodeField& field) { return field.spec.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

std::size_t SoftState::byteCount() const {
  std::size_t bytes = bytesOf(x) + bytesOf(v) + bytesOf(contacts);
  for (const NodeField& field : fields) bytes += bytesOf(field.values);
  return bytes;
}

std::vector<FieldSpec> specsOf(const std::vector<NodeField>& fields) {
  std::vector<FieldSpec> specs;
  for (const NodeField& field : fields) specs.push_back(field.spec);
  return specs;
}

std::uint64_t hashOf(const SoftState& state) {
  for (const NodeField& field : state.fields)
    SIM_REQUIRE(field.values.size() == state.x.size() * static_cast<std::size_t>(field.spec.size()),
                field.spec.name);
  std::uint64_t hash = hashOf(state.contacts);
  for (std::size_t node = 0; node < state.x.size(); ++node) {
    NodeWords words;
    words.addPosition(state.x[node]);
    words.addAll(state.v[node]);
    for (const NodeField& field : state.fields) addEntry(field, node, words);
    hash += words.hash(static_cast<int>(node));
  }
  return hash;
}

std::uint64_t hashOf(const std::vector<ContactImpulse>& contacts) {
  std::uint64_t sum = 0;
  for (const ContactImpulse& c : contacts)
    sum += lanes::contactHash(c.node, c.geometry, lanes::toLanes<double>(c.impulse));
  return sum;
}

}  // namespace slipstick
