// What the start page shows: assets/gallery/index.yaml, read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace slipstick::assets {

struct GalleryEntry {
  std::string name, title;
  std::filesystem::path file;
  std::string subject;            ///< the heading that it stands under
  std::filesystem::path picture;  ///< 16:9; may be missing
  bool isRobot = false;
};

/// All shipped scenes by subject, then the robots that are worth a look by themselves. Scenes that the index does not
/// name come last among them, under "More scenes"; names that have no file are left out.
std::vector<GalleryEntry> galleryEntries();

}  // namespace slipstick::assets
