// What the writer of scenes writes the reader reads, whatever the reader has accepted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "assets/scene_file.h"
#include "assets/scene_io.h"
#include "assets/scene_writer.h"
#include "tests/assets/random_scene.h"
#include "tests/assets/scene_facts.h"
#include "tests/assets/scene_text.h"
#include "tests/support/long_runs.h"
#include "tests/support/sanitizers.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

class WrittenScenes : public ::testing::Test {
 protected:
  WrittenScenes() {
    std::string name = (fs::temp_directory_path() / "slipstick_written_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~WrittenScenes() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  Result<assets::LoadedScene> read(const std::string& text) const {
    return assets::parseScene(text, folder_, "drawn");
  }
  /// What differs after it was written and read; or why it was not.
  std::string lostBy(const Result<std::string>& written, const Scene& scene) const {
    if (!written) return "not written: " + written.error().message();
    Result<assets::LoadedScene> again = read(*written);
    if (!again) return "not read: " + again.error().message() + "\n" + *written;
    again->scene.name = scene.name;
    const std::string difference = testing::SceneFacts::difference(scene, again->scene);
    return difference.empty() ? "" : difference + "\n" + *written;
  }
  /// Into a file of its own, whose order and comments stay, with another title.
  std::string lostBySaving(const std::string& text) const {
    const fs::path file = folder_ / "own.yaml";
    std::ofstream(file, std::ios::binary) << text;
    Result<assets::LoadedScene> own = assets::loadScene(file.string());
    if (!own) return "";  // its name is another one than that of the text
    own->scene.title += " 2";
    if (const Result<void> saved = assets::saveScene(own->scene, {}, file); !saved)
      return "not saved: " + saved.error().message();
    const Result<assets::LoadedScene> again = assets::loadScene(file.string());
    if (!again) return "not read: " + again.error().message();
    return testing::SceneFacts::difference(own->scene, again->scene);
  }

  /// Draws scenes until so many were accepted. @return the keys that made no difference in any of them
  std::set<std::string> drawAndCompare(unsigned seed, int count) {
    testing::RandomScene random(seed, folder_);
    std::set<std::string> unheard = testing::RandomScene::allKeys();
    // There is one version; boundaries are planes, boxes and spheres.
    for (const char* key : {"scene.slipstick", "boundary.file", "boundary.scale"}) unheard.erase(key);
    int accepted = 0, lost = 0, drawn = 0;
    for (; drawn < 10 * count && accepted < count && lost < 20; ++drawn) {
      if (drawn % 1000 == 999) std::fprintf(stderr, "%d scenes written and read, %d lost\n", accepted, lost);
      const std::string text = random.draw().dump();
      const Result<assets::LoadedScene> loaded = read(text);
      if (!loaded) {
        if (std::getenv("SLIPSTICK_REFUSED"))
          std::fprintf(stderr, "%s\n%s\n", loaded.error().message().c_str(), text.c_str());
        continue;
      }
      ++accepted;
      const Result<std::string> written = assets::writeScene(loaded->scene, folder_);
      std::string difference = lostBy(written, loaded->scene);
      if (difference.empty() && accepted % 8 == 0) difference = lostBySaving(text);
      EXPECT_TRUE(difference.empty()) << difference.substr(0, 3000) << "\n"
                                      << text.substr(0, 20'000) << "\nscene " << drawn << " of seed " << seed;
      lost += difference.empty() ? 0 : 1;
      const auto [other, key] = random.changed(unheard);
      if (!written || !unheard.contains(key)) continue;
      const Result<assets::LoadedScene> changed = read(other.dump());
      if (!changed) continue;
      const Result<std::string> rewritten = assets::writeScene(changed->scene, folder_);
      if (rewritten && *rewritten != *written) unheard.erase(key);
    }
    EXPECT_GE(accepted, count) << "of " << drawn << " drawn";
    std::printf("%d scenes written and read, %d drawn, %d lost\n", accepted, drawn, lost);
    return unheard;
  }

  fs::path folder_;
};

TEST_F(WrittenScenes, AreReadAsTheyWere) {
#ifdef SLIPSTICK_ASAN
  drawAndCompare(52, 30);  // which takes a minute there
#else
  drawAndCompare(52, 150);
#endif
}

TEST_F(WrittenScenes, AreReadAsTheyWereTenThousandTimesFullRun) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  EXPECT_THAT(drawAndCompare(2026, 10'000), ::testing::IsEmpty())
      << "keys that were in no scene that is accepted, or that the writer leaves out";
}

}  // namespace
}  // namespace slipstick
