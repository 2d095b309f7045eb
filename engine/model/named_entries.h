// Arrays whose entries have names, and what of one goes into another.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "engine/foundation/math.h"
#include "engine/foundation/require.h"

namespace slipstick {

/// Where the entries of each name stand in an array: [begin, begin + count).
struct Entries {
  Eigen::Index begin, count;
};
/// By name.
using Places = std::map<std::string, Entries>;

/// Copies the entries whose name is in both; the others stay.
template <class Array>
void carry(const Places& from, const Array& source, const Places& to, Array& target) {
  for (const auto& [name, place] : to) {
    const auto found = from.find(name);
    if (found == from.end() || found->second.count != place.count) continue;
    SIM_REQUIRE(found->second.begin + place.count <= static_cast<Eigen::Index>(source.size()), name);
    SIM_REQUIRE(place.begin + place.count <= static_cast<Eigen::Index>(target.size()), name);
    std::copy_n(source.begin() + found->second.begin, place.count, target.begin() + place.begin);
  }
}

}  // namespace slipstick
