// Changes to YAML in one call each: the text that they leave.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "assets/yaml_patch.h"
#include "assets/yaml_text.h"

namespace slipstick::assets::patched {

using Path = YamlPatch::Path;

inline YamlTree meaningOf(const std::string& text) {
  const Result<YamlTree> tree = parseYaml(text, "text.yaml");
  return tree ? *tree : nullptr;
}

inline constexpr const char* kRefused = "refused";

/// The text after a change; kRefused where it was refused, and then it must be as it was.
inline std::string outcome(const std::string& before, const YamlPatch& patch, bool isDone) {
  if (isDone) return patch.text();
  EXPECT_EQ(patch.text(), before) << "refused, but changed";
  return kRefused;
}
inline std::string set(const std::string& text, const Path& path, const std::string& value) {
  YamlPatch patch(text, meaningOf);
  const bool isDone = patch.set(path, value);
  return outcome(text, patch, isDone);
}
inline std::string removed(const std::string& text, const Path& path) {
  YamlPatch patch(text, meaningOf);
  const bool isDone = patch.remove(path);
  return outcome(text, patch, isDone);
}
inline std::string appended(const std::string& text, const std::string& section, const std::string& name) {
  YamlPatch patch(text, meaningOf);
  const bool isDone = patch.append(section, name, "9");
  return outcome(text, patch, isDone);
}

}  // namespace slipstick::assets::patched
