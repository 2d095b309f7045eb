// "Did you mean …?": the known name that a mistyped one most resembles.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace slipstick {

/// The candidate with the smallest edit distance to `name`, if it is near enough to be a slip of the pen (at
/// most a third of the name, and at least two edits allowed). Letters' case is ignored.
std::optional<std::string> nearestName(const std::string& name, const std::vector<std::string>& candidates);

/// A remedy in words: "did you mean 'x'?" where one is near, else "known: a, b, c".
std::string suggestName(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace slipstick
