#include "app/output_path.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <system_error>

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
  if (fs::is_directory(file, ignored)) return unwritable(file, "it is a folder", "name a file");
  const bool existed = fs::exists(file, ignored);
  const bool opens = std::ofstream(file, std::ios::app).good();
  if (!opens) return unwritable(file, "cannot be written", "choose a path that you may write to");
  if (!existed) fs::remove(file, ignored);
  return {};
}

Result<OutputKind> outputKindOf(const std::string& out) {
  std::string suffix = fs::path(out).extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::error_code ignored;
  if (suffix.empty() || fs::is_directory(out, ignored)) return OutputKind::Folder;
  if (suffix == ".mp4") return OutputKind::Video;
  if (suffix == ".png") return OutputKind::Picture;
  return Error{
      ErrorCode::Unsupported, "files that end in " + suffix + " cannot be written", "--out " + out,
      "end it in .mp4 or .png, or write a folder for many PNGs as " + fs::path(out).stem().string() + "/"};
}

Result<void> makeWritableFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directory(folder, error);
  if (!fs::is_directory(folder, error)) {
    return unwritable(folder, "the folder cannot be made", "choose a path that you may write to");
  }
  return checkWritableFile(folder / ".slipstick-write-test");
}

}  // namespace slipstick::app
