// Keys in dotted paths of a scene: "robots.arm.links.\"left.finger\".mass".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipstick {

/// A key as it stands in a path: in double quotes where it has points, spaces, quotes or an equals sign, or is empty.
/// Within quotes a backslash stands before quotes and backslashes.
std::string pathKey(std::string_view key);

/// The keys of a path; none where a quote is not closed, or stands inside a key.
std::optional<std::vector<std::string>> keysOfPath(std::string_view path);

}  // namespace slipstick
