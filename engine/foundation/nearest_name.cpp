#include "engine/foundation/nearest_name.h"

#include <algorithm>
#include <cstddef>

#include "engine/foundation/lower_case.h"

namespace slipstick {
namespace {

constexpr std::size_t kLongestName = 200;  // longer ones are not names; bounds the quadratic distance
constexpr std::size_t kListedNames = 12;

/// Levenshtein distance without regard to case.
std::size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (lowerCase(a[i - 1]) == lowerCase(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearestName(const std::string& name, const std::vector<std::string>& candidates) {
  if (name.size() > kLongestName) return std::nullopt;
  std::size_t best = std::max<std::size_t>(2, name.size() / 3) + 1;
  std::optional<std::string> nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestName) continue;
    const std::size_t distance = editDistance(name, candidate);
    if (distance >= best || distance >= candidate.size()) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string suggestName(const std::string& name, const std::vector<std::string>& candidates) {
  if (const auto nearest = nearestName(name, candidates)) return "did you mean '" + *nearest + "'?";
  if (candidates.empty()) return "none is defined";
  std::string text = "known: ";
  for (std::size_t i = 0; i < std::min(candidates.size(), kListedNames); ++i)
    text += (i ? ", " : "") + candidates[i];
  if (candidates.size() > kListedNames) text += ", … (" + std::to_string(candidates.size()) + " in all)";
  return text;
}

}  // namespace slipstick
