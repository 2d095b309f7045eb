// Entries of a scene that are made from others: numbered copies and mirror images.
#pragma once

#include <string>

#include "assets/yaml_tree.h"
#include "engine/foundation/result.h"

namespace slipstick::assets {

inline constexpr const char* kReplicate = "replicate";
inline constexpr const char* kMirror = "mirror";
inline constexpr int kMaxCopies = 10'000;  ///< of one entry

/// Whether another entry of the block makes this one: "brick_3", where "brick" is replicated often enough.
bool isCopy(const std::string& name, const YamlTree& block);

/// A scene's document in which copies and mirror images are entries like all others, in the place of what makes them. An
/// entry that has the name of a copy is laid over it, and so are the keys beside 'mirror'. Errors name file and line: a
/// block that cannot be read, an image of nothing or of itself, what has no pose of its own, too many copies.
Result<YamlTree> withCopies(const YamlTree& scene);

}  // namespace slipstick::assets
