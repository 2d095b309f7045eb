#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/package/installed_files.h"
#include "tests/support/test_paths.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using testing::contentOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::prefix;
using testing::TemporaryFolder;

std::set<std::string> namesIn(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) names.insert(fs::relative(entry.path(), folder).generic_string());
  return names;
}

/// The file of what `program --man-page` and others print, beside what the installed program prints.
void expectPrinted(const std::string& file, const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string unpack = file.ends_with(".gz") ? "gzip -dc" : "cat";
  const auto [said, well] =
      folder.said("'" + (prefix() / "bin/slipstick").string() + "' " + arguments + " > printed && " + unpack +
                  " '" + (prefix() / file).string() + "' | cmp printed -");
  EXPECT_TRUE(well) << said;
  EXPECT_GT(fs::file_size(folder / "printed"), 1000u);
}

TEST(Installed, NoFileSaysWhereItWasBuilt) {
#ifndef SLIPSTICK_RELOCATABLE
  GTEST_SKIP() << "built with SLIPSTICK_RELOCATABLE=OFF, or with CUDA, whose kernels name their sources";
#endif
  const std::string source = testing::sourceDir().string() + "/", build = SLIPSTICK_BUILD_DIR;
  std::size_t count = 0;
  for (const std::string& name : namesIn(prefix())) {
    const std::string content = contentOf(prefix() / name);
    for (const std::string& place : {source, build}) {
      const std::size_t at = content.find(place);
      EXPECT_EQ(at, std::string::npos) << name << ": " << content.substr(at, 80);
    }
    ++count;
  }
  EXPECT_GT(count, 500u);
}

TEST(Installed, TheProgramFindsWhatShipsBesideItself) {
  const TemporaryFolder folder;
  const std::string program = "'" + (prefix() / "bin/slipstick").string() + "' ";
  const auto [scenes, listed] = folder.said(program + "scenes");
  EXPECT_TRUE(listed) << scenes;
  for (const auto& entry : fs::directory_iterator(testing::sourceDir() / "assets/scenes"))
    EXPECT_THAT(scenes, HasSubstr("  " + entry.path().stem().string() + " "));
  const auto [arm, checked] = folder.said(program + "check arm7");
  EXPECT_TRUE(checked) << arm;
  EXPECT_THAT(arm, HasSubstr("robot 'arm7'"));
  const auto [run, ran] = folder.said(program + "run tshirt_folding --duration 0.01 --quiet --record r.h5");
  EXPECT_TRUE(ran) << run;
  EXPECT_THAT(contentOf(folder / "r.h5"), HasSubstr((fs::canonical(prefix()) / "share/slipstick").string()));
}

TEST(Installed, AProgramAloneSaysWhereItLooked) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "bin");
  fs::copy_file(prefix() / "bin/slipstick", folder / "bin/slipstick");
  const auto [said, well] = folder.said("XDG_DATA_DIRS=/nowhere bin/slipstick scenes");
  EXPECT_FALSE(well);
  EXPECT_THAT(said, HasSubstr((folder / "share/slipstick/scenes").string()));
  const auto [listed, found] =
      folder.said("XDG_DATA_DIRS=/nowhere:'" + (prefix() / "share").string() + "' bin/slipstick scenes");
  EXPECT_TRUE(found) << listed;
}

TEST(Installed, ShipsWhatScenesAndTheStartPageNeedAndNoneOfItsMakers) {
  const std::set<std::string> names = namesIn(prefix() / "share/slipstick");
  for (const char* folder : {"scenes", "robots", "meshes", "gallery/cards"})
    for (const std::string& name : namesIn(testing::sourceDir() / "assets" / folder)) {
      if (name.ends_with(".py") || name.find("__pycache__") != std::string::npos) continue;
      EXPECT_TRUE(names.count(std::string(folder) + "/" + name)) << folder << '/' << name;
    }
  EXPECT_THAT(names, ::testing::IsSupersetOf({"gallery/index.yaml", "scene_format.md", "recording_format.md",
                                              "export_formats.md", "figures.md", "network_protocol.md",
                                              "scene.schema.json"}));
  const std::regex shipped(R"((scenes|robots|meshes|gallery)/.*\.(yaml|urdf|obj|png)|[a-z_.]+\.(md|json))");
  for (const std::string& name : names) EXPECT_TRUE(std::regex_match(name, shipped)) << name;
}

TEST(Installed, PagesAreWhatTheProgramPrints) {
  expectPrinted("share/man/man1/slipstick.1.gz", "--man-page");
  expectPrinted("share/bash-completion/completions/slipstick", "--completion bash");
  expectPrinted("share/zsh/vendor-completions/_slipstick", "--completion zsh");
  expectPrinted("share/fish/vendor_completions.d/slipstick.fish", "--completion fish");
}

TEST(Installed, LicencesAreBesideTheProgram) {
  const std::string copyright = contentOf(prefix() / "share/doc/slipstick/copyright");
  for (const char* part : {"Apache-2.0", "Eigen", "Dear ImGui", "CLI11", "cppzmq", "JSON for Modern C++"})
    EXPECT_THAT(copyright, HasSubstr(part));
  EXPECT_THAT(contentOf(prefix() / "share/doc/slipstick/LICENSES.md"), HasSubstr("meshes"));
}

TEST(Installed, SoftwareCentresAndMenusTakeTheDescriptions) {
  const TemporaryFolder folder;
  if (!folder.said("command -v appstreamcli && command -v desktop-file-validate").second)
    GTEST_SKIP() << "appstream or desktop-file-utils is not installed";
  const std::string share = (prefix() / "share").string();
  EXPECT_THAT(folder.said("desktop-file-validate '" + share + "/applications/slipstick.desktop'"),
              ::testing::Pair(IsEmpty(), true));
  const auto [said, well] =
      folder.said("appstreamcli validate --no-net '" + share + "'/metainfo/*.metainfo.xml");
  EXPECT_TRUE(well) << said;
  EXPECT_THAT(said, HasSubstr("successful"));
  const std::string version = folder.said("'" + (prefix() / "bin/slipstick").string() + "' --version").first;
  EXPECT_THAT(contentOf(share + "/metainfo/org.slipstick.studio.metainfo.xml"),
              HasSubstr("<release version=\"" + version.substr(10, version.size() - 11) + "\""));
}

}  // namespace
}  // namespace slipstick
