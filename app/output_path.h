// Whether an output can be written, found out before an hour of simulation rather than after it.
#pragma once

#include <filesystem>
#include <string>

#include "engine/foundation/result.h"

namespace slipstick::app {

/// Errors also where another run writes it. Who writes it later in this process finds it reserved (see OutputClaim).
Result<void> checkWritableFile(const std::filesystem::path& file);

/// Makes the folder (its parent must exist) and checks that files can be made in it.
Result<void> makeWritableFolder(const std::filesystem::path& folder);

/// One file of many pictures, one of one, or many files.
enum class OutputKind { Video, Picture, Folder };
/// What a name stands for, see render::outputFormatOf().
Result<OutputKind> outputKindOf(const std::string& out);

}  // namespace slipstick::app
