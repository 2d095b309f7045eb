#include "assets/file_resolver.h"

#include <cstdlib>

#include "tests/assets/inside_folder.h"
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
  fs::create_directories(files.root() / "p" / "urdf");
  const auto found = assets::findFile("../meshes/a.stl", files.root() / "p" / "urdf", {});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->remark, "");
  const auto left = assets::findFile("../../other/b.stl", files.root() / "p" / "urdf", {});
  ASSERT_TRUE(left) << left.error().message();
  EXPECT_NE(left->remark.find("outside of the package"), std::string::npos) << left->remark;
}

/// "slipstick check arm.urdf" in the folder of the file: the folder of that name is "".
TEST(FileResolver, TheFolderThatTheProgramRunsInIsOneLikeAnyOther) {
  const Files files;
  files.package("work/pkg", "pkg");
  const fs::path mesh = files.write("work/pkg/meshes/a.stl");
  files.write("work/b.stl");
  fs::create_directories(files.root() / "work/pkg/urdf");
  const testing::InsideFolder inside(files.root() / "work/pkg/urdf");
  const auto found = assets::findFile("package://pkg/meshes/a.stl", "", {});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->file, mesh);
  EXPECT_EQ(found->remark, "");
  const auto left = assets::findFile("../../b.stl", "", {});
  ASSERT_TRUE(left) << left.error().message();
  EXPECT_NE(left->remark.find("outside of the package"), std::string::npos) << left->remark;
}

/// As MuJoCo has it; what was found is what is opened.
TEST(FileResolver, WhatIsAboveALinkedFolderIsReadOffItsName) {
  const Files files;
  files.write("deep/er/robots/model.xml");
  const fs::path above = files.write("lib/a.stl");
  files.write("deep/er/lib/b.stl");
  fs::create_directory_symlink("deep/er/robots", files.root() / "robots");
  const auto found = assets::findFile("../lib/a.stl", files.root() / "robots", {});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->file, above);
  EXPECT_FALSE(assets::findFile("../lib/b.stl", files.root() / "robots", {}));
}

TEST(FileResolver, ErrorsAreShortWhateverAFileIsCalled) {
  const std::string message = assets::findFile(std::string(100'000, 'a'), "/", {}).error().message();
  expectFault(message, {"'aaa", "…' does not exist"});
  EXPECT_LT(message.size(), 2'000u);
}

TEST(FileResolver, TheErrorListsEveryPlaceOnce) {
  const Files files;
  const std::string message =
      assets::findFile("package://gone/a.stl", files.root(), {files.root()}).error().message();
  expectFault(message, {"'package://gone/a.stl' does not exist", (files.root() / "gone/a.stl").string()});
  const std::string place = (files.root() / "gone/a.stl").string();
  EXPECT_EQ(message.find(place), message.rfind(place)) << message;
}

TEST(FileResolver, EmptyPartsOfAPathMeanNothing) {
  const Files files;
  const fs::path mesh = files.write("robot/meshes/a.stl");
  files.package("robot", "robot");
  for (const char* name : {"package://robot//meshes/./a.stl", "package://robot/meshes//a.stl",
                           "package:///robot/meshes/a.stl", "model://robot///meshes/a.stl"}) {
    const auto found = assets::findFile(name, files.root() / "robot/urdf", {});
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_EQ(found->file, mesh) << name;
    EXPECT_EQ(found->remark, "") << name;
  }
  for (const char* name : {"package://robot//../a.stl", "package://robot/%2e%2e/other/a.stl"})
    EXPECT_FALSE(assets::findFile(name, files.root() / "robot/urdf", {})) << name;
}

TEST(FileResolver, NamesAreReadAsUrisWhereNoFileHasThem) {
  const Files files;
  const fs::path spaced = files.write("robot/finger tip.stl");
  files.package("robot", "robot");
  const std::vector<std::string> names = {"package://robot/finger%20tip.stl", "finger%20tip.stl",
                                          "file://" + files.root().string() + "/robot/finger%20tip.stl"};
  for (const std::string& name : names) {
    const auto found = assets::findFile(name, files.root() / "robot", {});
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_EQ(found->file, spaced) << name;
  }
  const fs::path literal = files.write("robot/finger%20tip.stl");
  EXPECT_EQ(assets::findFile("finger%20tip.stl", files.root() / "robot", {})->file, literal)
      << "as it is called";
  EXPECT_FALSE(assets::findFile("100%.stl", files.root() / "robot", {}));
  EXPECT_EQ(assets::percentDecoded("a%2Fb%zz%00%"), "a/b%zz%00%");
}

}  // namespace
}  // namespace slipstick
