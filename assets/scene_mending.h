// A scene's own text, made to say what it should.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assets/yaml_patch.h"

namespace slipstick::assets {

/// What a scene's text says when nothing is left to others. @param folder  where the files that it names are looked up
YamlPatch::Reader readerFor(const std::filesystem::path& folder,
                            const std::vector<std::filesystem::path>& packagePaths);

/// Gives the keys of an older text their names of today. @return false where the text cannot take them
bool modernise(YamlPatch& patch);

/// Names the files of a text so that they are found from another folder. @return false where the text is not laid out
/// for it
bool renameFiles(YamlPatch& patch, const std::filesystem::path& from, const std::filesystem::path& to);

/// Changes a text until it says the same as another one. What an edit changes in one place may have been the pattern of
/// other things (a copy, an image, an alias): those get what they had, written where they stand.
/// @param wanted   a scene in the form of writeScene()
/// @param meaning  the same form of what a text says, nothing where it cannot be read
/// @return false where the text cannot say it
bool mend(YamlPatch& patch, const std::string& wanted,
          const std::function<std::optional<std::string>(const std::string& text)>& meaning);

}  // namespace slipstick::assets
