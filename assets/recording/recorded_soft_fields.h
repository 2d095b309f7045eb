// Which fields of soft bodies the keyframes of a recording have: an attribute of the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assets/recording/hdf5_file.h"
#include "engine/foundation/result.h"
#include "engine/model/soft_state.h"

namespace slipstick::assets::recording {

/// Names are letters, digits and underscores.
Result<void> writeSoftFields(hid_t file, const std::vector<FieldSpec>& fields);
/// Those of a file that does not say it are the ones that every recording had before methods had fields of their own.
/// Errors: it is damaged.
Result<std::vector<FieldSpec>> readSoftFields(hid_t file);

/// "F 3 3, plastic 1 1": names, rows and columns.
std::string textOf(const std::vector<FieldSpec>& fields);
/// None where it is no such text.
std::optional<std::vector<FieldSpec>> softFieldsOf(const std::string& text);

}  // namespace slipstick::assets::recording
