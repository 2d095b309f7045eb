// One scene document laid over another one, key by key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assets/yaml_tree.h"

namespace slipstick::assets {

/// Mappings are merged key by key; anything else of `over` takes the place of what `base` has, and a key that is written
/// empty takes it away (as RFC 7396). Where keys contradict each other ('mass' and 'density'), that of `over` takes the
/// place of the other one, too. Either may be null.
YamlTree merged(const YamlTree& base, const YamlTree& over);

/// The same for whole scenes: the entries of their outermost lists ('controllers', 'pair_rules') are all kept, those of
/// `base` first.
YamlTree mergedScenes(const YamlTree& base, const YamlTree& over);

/// Keys that cannot stand beside this one: 'density' of 'mass'.
std::vector<std::string> alternativesTo(std::string_view key);

}  // namespace slipstick::assets
