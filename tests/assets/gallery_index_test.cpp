// The start page knows every shipped scene, has a picture for each, and says what it is about.
#include "assets/gallery_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "assets/scene_io.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

TEST(Gallery, NamesEveryShippedSceneOnceUnderASubject) {
  std::vector<std::string> names, shipped;
  for (const assets::GalleryEntry& entry : assets::galleryEntries())
    if (!entry.isRobot) {
      names.push_back(entry.name);
      EXPECT_FALSE(entry.subject.empty() || entry.subject == "More scenes") << entry.name;
    }
  for (const assets::ShippedScene& scene : assets::shippedScenes()) shipped.push_back(scene.name);
  EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(shipped));
}

TEST(Gallery, SubjectsDoNotComeBackOnceTheyAreThrough) {
  std::set<std::string> seen;
  std::string last;
  for (const assets::GalleryEntry& entry : assets::galleryEntries()) {
    if (entry.subject == last) continue;
    EXPECT_TRUE(seen.insert(entry.subject).second) << entry.subject;
    last = entry.subject;
  }
  EXPECT_EQ(last, "Robots");
}

/// From a PNG's header (its first chunk): width and height [px].
std::pair<unsigned, unsigned> sizeOfPng(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  unsigned char head[24] = {};
  stream.read(reinterpret_cast<char*>(head), sizeof head);
  const auto number = [&](int at) {
    return (unsigned{head[at]} << 24) | (unsigned{head[at + 1]} << 16) | (unsigned{head[at + 2]} << 8) |
           unsigned{head[at + 3]};
  };
  return stream ? std::pair(number(16), number(20)) : std::pair(0u, 0u);
}

TEST(Gallery, EveryEntryHasAPictureThatFillsItsCardAtTwiceTheSize) {
  for (const assets::GalleryEntry& entry : assets::galleryEntries()) {
    EXPECT_EQ(sizeOfPng(entry.picture), std::pair(576u, 324u)) << entry.picture;
    EXPECT_TRUE(fs::is_regular_file(entry.file)) << entry.file;
    EXPECT_FALSE(entry.title.empty()) << entry.name;
  }
}

TEST(Gallery, AnAssetsFolderWithoutAnIndexStillShowsItsScenes) {
  const fs::path folder = fs::path(::testing::TempDir()) / "slipstick_own_assets";
  fs::create_directories(folder / "scenes");
  std::ofstream(folder / "scenes" / "mine.yaml") << "title: Mine\n";
  setenv("SLIPSTICK_ASSETS", folder.c_str(), 1);
  std::vector<assets::GalleryEntry> entries = assets::galleryEntries();
  fs::create_directories(folder / "gallery");
  std::ofstream(folder / "gallery" / "index.yaml") << "scenes: {A: 3, B: [gone, mine]}\nrobots: [x]\n";
  const std::vector<assets::GalleryEntry> odd = assets::galleryEntries();
  unsetenv("SLIPSTICK_ASSETS");
  fs::remove_all(folder);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].title, "Mine");
  EXPECT_EQ(entries[0].subject, "Scenes");
  ASSERT_EQ(odd.size(), 1u);
  EXPECT_EQ(odd[0].subject, "B");
}

}  // namespace
}  // namespace slipstick
