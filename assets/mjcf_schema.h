// The elements and attributes of MJCF, and what becomes of each: the one table that files are checked against. Facts of
// the format: MuJoCo's XML reference, version 4.0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipstick::assets {

enum class MjcfUse {
  Used,
  Neutral,  ///< nothing of what happens or is seen here depends on it
  Named,    ///< not used, and the load report says so
  Acts,     ///< the same, and it would act on the motion
  Refused,  ///< a model without it would be another one
  Unknown,  ///< no such thing in MJCF
};

struct MjcfAttribute {
  std::string name;
  MjcfUse use = MjcfUse::Used;
  std::size_t least = 0, most = 0;  ///< how many numbers stand in it; 0: it is text
  std::size_t multiple = 0;  ///< any number of numbers that is a multiple of this; 0: see least and most
  std::vector<std::string> words;  ///< the only ones that may stand in it; empty: any
};

/// What an element may say.
struct MjcfRules {
  std::vector<MjcfAttribute> attributes;
  std::string inside;  ///< the context of its children; empty: they are not checked
  const MjcfAttribute* find(std::string_view attribute) const;
  std::vector<std::string> names() const;
};

/// Rules of an element that is used; null for others.
/// @param context  what stands around it: "mujoco", "body" (also of worldbody, frame and replicate), "default", …
const MjcfRules* mjcfRules(const std::string& context, const std::string& tag);

/// What becomes of an element that has no rules.
MjcfUse useOfElement(const std::string& context, const std::string& tag);

/// All elements that are known in a context.
std::vector<std::string> knownElements(const std::string& context);

}  // namespace slipstick::assets
