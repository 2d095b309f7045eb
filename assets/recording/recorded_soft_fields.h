// Which fields of soft bodies the keyframes of a recording have, as a text: an attribute of the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model/soft_state.h"

namespace slipstick::assets::recording {

inline constexpr const char* kSoftFields = "soft_fields";
/// Those of a file that does not say it: every recording had them before methods had fields of their own.
inline constexpr const char* kSoftFieldsBefore = "F 3 3, C 3 3, plastic 1 1, internal 2 1";

/// "F 3 3, plastic 1 1": names, rows and columns. Names are letters, digits and underscores.
std::string textOf(const std::vector<FieldSpec>& fields);
/// None where it is no such text.
std::optional<std::vector<FieldSpec>> softFieldsOf(const std::string& text);

}  // namespace slipstick::assets::recording
