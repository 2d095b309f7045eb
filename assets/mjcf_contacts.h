// <contact>, <equality> and masks of an MJCF file: which links do not meet, and what holds bodies together beside joints.
#pragma once

#include "assets/mjcf_tree.h"

namespace slipstick::assets {

/// Fills the description's excludedLinks: what <exclude> names, bodies that a joint of several freedoms connects, and links
/// none of whose geoms may meet by their masks. What the masks exempt within links is named.
Result<void> readMjcfContacts(MjcfDocument& document, MjcfTree& tree);

/// Fills the description's loops, and mimic of its joints. What cannot be said is named.
Result<void> readMjcfEqualities(MjcfDocument& document, MjcfTree& tree);

}  // namespace slipstick::assets
