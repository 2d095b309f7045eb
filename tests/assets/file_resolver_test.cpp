#include "assets/file_resolver.h"

#include <cstdlib>

#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using testing::expectFault;

/// A folder of the test's own with files in it, and an environment variable for as long as it lives.
class Files {
 public:
  Files() : root_(testing::writeFile("start", "").parent_path() / "files") { fs::remove_all(root_); }
  fs::path write(const fs::path& name, const std::string& text = "x") const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
    return root_ / name;
  }
  fs::path package(const fs::path& folder, const std::string& name) const {
    return write(folder / "package.xml", "<package><name>" + name + "</name></package>").parent_path();
  }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(FileResolver, FindsAnInstalledPackageUnderAmentPrefixes) {
  const Files files;
  const fs::path mesh = files.write("install/share/my_robot/meshes/a.stl");
  const Variable prefix("AMENT_PREFIX_PATH",
                        (files.root() / "nowhere").string() + ":" + (files.root() / "install").string());
  const auto found = assets::findFile("package://my_robot/meshes/a.stl", "/", {});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->file, mesh);
  EXPECT_EQ(found->remark, "");
}

TEST(FileResolver, CrawlsTheRosPackagePathByNamesThatManifestsDeclare) {
  const Files files;
  const fs::path package = files.package("src/stack/folder_of_another_name", "my_robot");
  files.write("src/stack/folder_of_another_name/a.stl");
  files.package("src/.git/hidden", "my_robot");
  const Variable path("ROS_PACKAGE_PATH", (files.root() / "src").string());
  const auto found = assets::findFile("package://my_robot/a.stl", "/", {});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->file, package / "a.stl");
}

TEST(FileResolver, GuessesAreSaid) {
  const Files files;
  const fs::path mesh = files.write("a.stl");
  const auto found = assets::findFile("package://gone/meshes/a.stl", files.root(), {});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->file, mesh);
  EXPECT_NE(found->remark.find("mere name"), std::string::npos) << found->remark;
}

TEST(FileResolver, APackagesNameDoesNotLeadOutOfIt) {
  const Files files;
  files.package("p", "p");
  files.write("secret");
  for (const char* name :
       {"package://p/../secret", "package://p/a/../../secret", "model://p/../secret", "package://../secret"})
    expectFault(assets::findFile(name, files.root() / "p", {files.root()}).error().message(),
                {"leaves its package"});
}

TEST(FileResolver, RelativeNamesMayLeaveTheirPackageAndThatIsSaid) {
  const Files files;
  files.package("p", "p");
  const fs::path inside = files.write("p/meshes/a.stl"), outside = files.write("other/b.stl");
  const auto own = assets::findFile("../meshes/a.stl", files.root() / "p" / "urdf", {});
  ASSERT_FALSE(own) << "there is no folder urdf";
  fs::create_directories(files.root() / "p" / "urdf");
  const auto found = assets::findFile("../meshes/a.stl", files.root() / "p" / "urdf", {});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->remark, "");
  const auto left = assets::findFile("../../other/b.stl", files.root() / "p" / "urdf", {});
  ASSERT_TRUE(left) << left.error().message();
  EXPECT_NE(left->remark.find("outside of the package"), std::string::npos) << left->remark;
}

TEST(FileResolver, TheErrorListsEveryPlaceOnce) {
  const Files files;
  const std::string message =
      assets::findFile("package://gone/a.stl", files.root(), {files.root()}).error().message();
  expectFault(message, {"'package://gone/a.stl' does not exist", (files.root() / "gone/a.stl").string()});
  const std::string place = (files.root() / "gone/a.stl").string();
  EXPECT_EQ(message.find(place), message.rfind(place)) << message;
}

}  // namespace
}  // namespace slipstick
