#include "app/output_path.h"

#include <fstream>
#include <system_error>

#include "engine/foundation/output_claim.h"
#include "render/jobs/output_format.h"

namespace slipstick::app {

namespace fs = std::filesystem;

namespace {

Error unwritable(const fs::path& path, const std::string& what, const std::string& remedy) {
  return {ErrorCode::FileUnwritable, what, path.string(), remedy};
}

}  // namespace

Result<void> checkWritableFile(const fs::path& file) {
  std::error_code ignored;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) {
    return unwritable(file, "its folder does not exist",
                      "make the folder " + folder.string() + " or choose another path");
  }
  if (fs::exists(file, ignored) && !fs::is_directory(file, ignored) &&
      !std::ofstream(file, std::ios::app).good())
    return unwritable(file, "cannot be written", "choose a path that you may write to");
  return OutputClaim::reserve(file);
}

Result<OutputKind> outputKindOf(const std::string& out) {
  const Result<render::OutputFormat> format = render::outputFormatOf(out);
  if (!format) return Error{format.error().code, format.error().what, "--out " + out, format.error().remedy};
  switch (*format) {
    case render::OutputFormat::Png:
      return OutputKind::Picture;
    case render::OutputFormat::Folder:
      return OutputKind::Folder;
    default:
      return OutputKind::Video;
  }
}

Result<void> makeWritableFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directory(folder, error);
  if (!fs::is_directory(folder, error)) {
    return unwritable(folder, "the folder cannot be made", "choose a path that you may write to");
  }
  return checkWritableFile(claimedIn(folder));
}

}  // namespace slipstick::app
