// Where the shipped assets are: known from where the program lies, so that a folder with both can be moved.
#include <cstdlib>
#include <sstream>

#include "assets/shipped.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

thread_local std::optional<fs::path> elsewhere;  ///< of AssetsFolderIs

/// share/slipstick of the folder whose bin/ has the running program.
fs::path besideTheProgram() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  return program.parent_path().parent_path() / "share" / "slipstick";
}

std::vector<fs::path> candidates() {
  std::vector<fs::path> folders = {besideTheProgram()};
  const char* variable = std::getenv("XDG_DATA_DIRS");
  std::stringstream list(variable && *variable ? variable : "/usr/local/share:/usr/share");
  for (std::string entry; std::getline(list, entry, ':');)
    if (!entry.empty()) folders.push_back(fs::path(entry) / "slipstick");
  return folders;
}

fs::path findAssets() {
  const std::vector<fs::path> folders = candidates();
  std::error_code failed;
  for (const fs::path& folder : folders) {
    // Scenes and recordings name files by their true places, not by a link of a build tree.
    const fs::path place = fs::canonical(folder, failed);
    if (!failed && fs::is_directory(place / "scenes", failed)) return place;
  }
  return folders.front();
}

}  // namespace

AssetsFolderIs::AssetsFolderIs(fs::path folder) {
  elsewhere = std::move(folder);
}

AssetsFolderIs::~AssetsFolderIs() {
  elsewhere.reset();
}

fs::path assetsFolder() {
  if (elsewhere) return *elsewhere;
  if (const char* folder = std::getenv("SLIPSTICK_ASSETS")) return folder;
  static const fs::path found = findAssets();
  return found;
}

}  // namespace slipstick::assets
