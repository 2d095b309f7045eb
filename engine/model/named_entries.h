// Arrays whose entries belong to things with names, as joints and deformables, and what of one goes into that of another model.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "engine/foundation/math.h"
#include "engine/foundation/require.h"

namespace slipstick {

/// Where the entries of one thing stand in an array: [begin, begin + count).
struct EntryRange {
  Eigen::Index begin, count;
};
/// Where those of all its things do, by their names.
using NamedEntries = std::map<std::string, EntryRange>;

/// Copies the entries whose name is in both; the others stay.
template <class Array>
void copyNamedEntries(const NamedEntries& from, const Array& source, const NamedEntries& to, Array& target) {
  for (const auto& [name, place] : to) {
    const auto found = from.find(name);
    if (found == from.end() || found->second.count != place.count) continue;
    SIM_REQUIRE(found->second.begin + place.count <= static_cast<Eigen::Index>(source.size()), name);
    SIM_REQUIRE(place.begin + place.count <= static_cast<Eigen::Index>(target.size()), name);
    std::copy_n(source.begin() + found->second.begin, place.count, target.begin() + place.begin);
  }
}

}  // namespace slipstick
