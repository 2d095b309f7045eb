// The drake: tags of robot files, which URDF and SDF share in meaning if not in writing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// Children of <drake:proximity_properties>: name with its prefix, value as text.
using DrakeTags = std::vector<std::pair<std::string, std::string>>;

/// Friction and rigid surface of a collision shape. drake:mu_dynamic is the one μ; what has no counterpart
/// here gives a notice, once per file. Errors: values that are not numbers, or out of range.
Result<ContactSpec> contactOf(const DrakeTags& tags, const std::string& where, std::vector<Notice>& notices);

/// One <drake:collision_filter_group>.
struct FilterGroup {
  std::string name;
  std::string where;
  std::vector<std::string> links;    ///< members
  std::vector<std::string> groups;   ///< groups whose members are members too
  std::vector<std::string> ignored;  ///< groups whose members its members do not meet; may be itself
};
/// Pairs of links that do not meet, each once. Names that do not exist give notices.
Result<std::vector<std::pair<std::string, std::string>>> excludedLinks(const std::vector<FilterGroup>& groups,
                                                                       const std::vector<LinkSpec>& links,
                                                                       std::vector<Notice>& notices);

/// Adds a notice unless one with the same words is there already.
void noteOnce(std::vector<Notice>& notices, Notice notice);

}  // namespace slipstick::assets
