// What files of Slipstick are to a desktop, asked of Qt's reader of the shared MIME database.
#include <gtest/gtest.h>

#include <QMimeDatabase>

#include "tests/package/installed_files.h"
#include "tests/support/test_paths.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

/// Types of the system with ours among them, before the database is first asked.
class Mime : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!folder_
             .said("test -e /usr/share/mime/packages/freedesktop.org.xml && command -v update-mime-database")
             .second)
      GTEST_SKIP() << "shared-mime-info is not installed";
    fs::create_directories(folder_ / "mime/packages");
    fs::copy_file("/usr/share/mime/packages/freedesktop.org.xml",
                  folder_ / "mime/packages/freedesktop.org.xml");
    fs::copy_file(testing::prefix() / "share/mime/packages/slipstick.xml",
                  folder_ / "mime/packages/slipstick.xml");
    const auto [said, well] = folder_.said("XDG_DATA_HOME=$PWD update-mime-database mime");
    ASSERT_TRUE(well) << said;
    ASSERT_EQ(said, "");
    qputenv("XDG_DATA_DIRS", QByteArray::fromStdString((folder_ / "").string()));
    qputenv("XDG_DATA_HOME", "/nowhere");
  }

  std::string typeOf(const std::string& name) {
    return QMimeDatabase()
        .mimeTypeForFile(QString::fromStdString((folder_ / name).string()))
        .name()
        .toStdString();
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Mime, ScenesAndRecordingsAreKnownByTheirNamesOrTheirContent) {
  const std::string program = "'" + (testing::prefix() / "bin/slipstick").string() + "' ";
  const auto [said, well] =
      folder_.said(program + "run hold --duration 0.001 --quiet --record r.slipstick.h5");
  ASSERT_TRUE(well) << said;
  const fs::path hold = testing::sourceDir() / "assets/scenes/hold.yaml";
  fs::copy_file(hold, folder_ / "hold.slipstick.yaml");
  fs::copy_file(hold, folder_ / "scene");
  fs::copy_file(folder_ / "r.slipstick.h5", folder_ / "recording");
  std::ofstream(folder_ / "robot_arms.yaml") << "arms: 2\n";
  std::ofstream(folder_ / "list") << "- slipstick\n- slipstick: 1\n";
  std::ofstream(folder_ / "other.h5", std::ios::binary) << "\x89HDF\r\n\x1a\n" << std::string(4096, '\0');

  EXPECT_EQ(typeOf("hold.slipstick.yaml"), "application/x-slipstick-scene");
  EXPECT_EQ(typeOf("scene"), "application/x-slipstick-scene");
  EXPECT_EQ(typeOf("r.slipstick.h5"), "application/x-slipstick-recording");
  EXPECT_EQ(typeOf("recording"), "application/x-slipstick-recording");
  // YAML and HDF5 of others stay theirs.
  for (const char* other : {"robot_arms.yaml", "list", "other.h5"})
    EXPECT_EQ(typeOf(other).find("slipstick"), std::string::npos) << other;
  EXPECT_TRUE(QMimeDatabase().mimeTypeForName("application/x-slipstick-scene").inherits("text/plain"))
      << "editors open it, too";
}

}  // namespace
}  // namespace slipstick
