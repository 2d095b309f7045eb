// Whether an output can be written, found out before an hour of simulation rather than after it.
#pragma once

#include <filesystem>

#include "engine/foundation/result.h"

namespace slipstick::app {

/// Opens the file for appending; a file that this creates is removed again.
Result<void> checkWritableFile(const std::filesystem::path& file);

/// Makes the folder (its parent must exist) and checks that files can be made in it.
Result<void> makeWritableFolder(const std::filesystem::path& folder);

}  // namespace slipstick::app
