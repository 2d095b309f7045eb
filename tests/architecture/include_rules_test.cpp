#include "tests/architecture/include_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/test_paths.h"

namespace slipstick::architecture {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A made-up source tree, gone when the test ends.
class Architecture : public ::testing::Test {
 protected:
  Architecture()
      : root_(fs::temp_directory_path() / ("slipstick_architecture_" + std::to_string(::getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~Architecture() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  const fs::path root_;
};

TEST_F(Architecture, TheProjectFollowsOnlyTheArrowsOfItsDesign) {
  const fs::path source = slipstick::testing::sourceDir();
  ASSERT_GT(sourceFileCount(source), 20u);
  EXPECT_THAT(forbiddenIncludes(source), IsEmpty());
}

TEST_F(Architecture, TheProjectsTopLevelHoldsOnlyWhatTheDesignAllows) {
  const std::vector<std::string> names = topLevelNames(slipstick::testing::sourceDir());
  EXPECT_THAT(names, ::testing::IsSupersetOf({"CMakeLists.txt", "engine", "tests"}));
  EXPECT_THAT(strangersAtTopLevel(names), IsEmpty());
}

TEST_F(Architecture, AnAllowedTreePasses) {
  write("engine/model/a.h", "#include <vector>\n#include \"engine/model/b.h\"\n");
  write("gpu/a.cpp", "#include <cuda_runtime_api.h>\n#include \"engine/model/a.h\"\n");
  write("render/a.cpp", "#include <epoxy/gl.h>\n#include \"imgui.h\"\n#include \"engine/model/a.h\"\n");
  write("ui/a.cpp", "#include <QWidget>\n#include \"render/a.h\"\n#include \"imgui.h\"\n");
  write("app/main.cpp",
        "#include <QApplication>\n#include \"ui/a.h\"\n#include \"assets/a.h\"\n#include \"gpu/a.h\"\n");
  EXPECT_EQ(sourceFileCount(root_), 5u);
  EXPECT_THAT(forbiddenIncludes(root_), IsEmpty());
}

TEST_F(Architecture, EveryForbiddenArrowIsFoundWithItsFileAndLine) {
  const std::vector<std::pair<std::string, std::string>> arrows = {
      {"engine", "render"}, {"engine", "gpu"}, {"engine", "assets"}, {"engine", "ui"},  {"engine", "app"},
      {"gpu", "render"},    {"gpu", "assets"}, {"assets", "render"}, {"assets", "gpu"}, {"render", "ui"},
      {"render", "gpu"},    {"ui", "assets"},  {"ui", "gpu"},        {"ui", "app"},     {"engine", "tests"}};
  for (const auto& [from, to] : arrows)
    write(from + "/to_" + to + ".cpp", "\n#  include \"" + to + "/x.h\"\n");
  const auto found = forbiddenIncludes(root_);
  EXPECT_EQ(found.size(), arrows.size());
  for (const auto& [from, to] : arrows)
    EXPECT_THAT(found, ::testing::Contains(
                           HasSubstr(from + "/to_" + to + ".cpp:2: " + from + "/ must not include " + to)));
}

TEST_F(Architecture, LibrariesAreFoundOutsideTheFoldersThatMayKnowThem) {
  write("engine/deep/a.h", "#include <QString>\n");
  write("render/a.h", "#include <QtGui/QImage>\n");
  write("app/a.cpp", "#include <GL/gl.h>\n");
  write("engine/b.h", "#include <epoxy/egl.h>\n");
  write("assets/a.cpp", "#include <cuda_runtime.h>\n");
  write("assets/b.cpp", "#include \"imgui.h\"\n");
  write("ui/a.cpp", "#include <SDL.h>\n#include <zmq.hpp>\n");
  EXPECT_THAT(forbiddenIncludes(root_),
              ElementsAre(HasSubstr("app/a.cpp:1: app/ must not know OpenGL"),
                          HasSubstr("assets/a.cpp:1: assets/ must not know CUDA"),
                          HasSubstr("assets/b.cpp:1: assets/ must not know OpenGL"),
                          HasSubstr("engine/b.h:1: engine/ must not know OpenGL"),
                          HasSubstr("engine/deep/a.h:1: engine/ must not know Qt"),
                          HasSubstr("render/a.h:1: render/ must not know Qt"),
                          HasSubstr("ui/a.cpp:1: ui/ must not know device libraries"),
                          HasSubstr("ui/a.cpp:2: ui/ must not know device libraries")));
}

TEST_F(Architecture, EveryArrowUpwardsInTheEngineIsFoundWithItsFileAndLine) {
  const std::vector<std::pair<std::string, std::string>> arrows = {
      {"foundation", "lanes"}, {"lanes", "numerics"},     {"numerics", "geometry"}, {"lanes", "geometry"},
      {"geometry", "model"},   {"geometry", "multibody"}, {"multibody", "rigid"},   {"contact", "model"},
      {"model", "mpm"},        {"model", "rigid"},        {"rigid", "mpm"},         {"mpm", "step"},
      {"mpm", "rigid"},        {"step", "methods"},       {"step", "runtime"},      {"runtime", "methods"}};
  for (const auto& [from, to] : arrows)
    write("engine/" + from + "/deep/to_" + to + ".h", "\n#include \"engine/" + to + "/x.h\"\n");
  const auto found = forbiddenIncludes(root_);
  EXPECT_EQ(found.size(), arrows.size());
  for (const auto& [from, to] : arrows)
    EXPECT_THAT(found, ::testing::Contains(HasSubstr("engine/" + from + "/deep/to_" + to + ".h:2: engine/" +
                                                     from + "/ must not include engine/" + to + "/")));
}

TEST_F(Architecture, ACycleBetweenFoldersOfTheEngineIsFoundWhicheverWayItRuns) {
  for (const auto& [a, b] : {std::pair("geometry", "multibody"), {"rigid", "mpm"}, {"lanes", "contact"}}) {
    write("engine/" + std::string(a) + "/x.h", "#include \"engine/" + std::string(b) + "/x.h\"\n");
    write("engine/" + std::string(b) + "/x.h", "#include \"engine/" + std::string(a) + "/x.h\"\n");
    EXPECT_THAT(forbiddenIncludes(root_), ::testing::Not(IsEmpty())) << a << " and " << b;
    fs::remove_all(root_ / "engine");
  }
}

TEST_F(Architecture, AFolderOfTheEngineWithoutAFloorIsFound) {
  write("engine/attic/a.h", "#include \"engine/model/a.h\"\n");
  write("engine/model/b.h", "#include \"engine/attic/a.h\"\n");
  EXPECT_THAT(forbiddenIncludes(root_),
              ElementsAre(HasSubstr("engine/attic/a.h:1: engine/attic is on no floor"),
                          HasSubstr("engine/model/b.h:1: engine/attic is on no floor")));
}

TEST_F(Architecture, APathThatClimbsOutIsForbidden) {
  write("engine/a.h", "#include \"../render/view.h\"\n");
  EXPECT_THAT(forbiddenIncludes(root_), ElementsAre(HasSubstr("engine/a.h:1: includes by '..'")));
}

TEST_F(Architecture, StrangersAtTheTopLevelAreFound) {
  write("engine/a.h", "");
  write("scripts/a.py", "");
  write("notes.txt", "");
  write(".hidden", "");
  write("build/a.o", "");
  EXPECT_THAT(strangersAtTopLevel(topLevelNames(root_)), ElementsAre("notes.txt", "scripts"));
}

}  // namespace
}  // namespace slipstick::architecture
