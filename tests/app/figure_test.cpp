// Figures for papers from the command line: what is in the files, and what is refused.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/app/program_run.h"

namespace slipstick {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Figures : public testing::ProgramTest {
 protected:
  Outcome figure(const std::string& arguments, const std::string& environment = "") const {
    return run("figure drop.yaml --dpi 72 " + arguments, environment);
  }
  std::string refusal(const std::string& arguments) const {
    const Outcome outcome = figure(arguments);
    EXPECT_EQ(outcome.status, 1) << arguments << outcome.err;
    EXPECT_EQ(testing::lineCount(outcome.err), 1u) << outcome.err;
    return outcome.err;
  }
  /// Of a PNG [px].
  std::array<int, 2> sizeOf(const std::string& name) const {
    const std::string bytes = testing::readText(path(name));
    std::array<int, 2> size{};
    for (std::size_t side = 0; side < 2 && bytes.size() > 24; ++side)
      for (std::size_t i = 0; i < 4; ++i)
        size[side] = size[side] << 8 | static_cast<unsigned char>(bytes[16 + 4 * side + i]);
    return size;
  }
  std::size_t count(const std::string& text, const std::string& part) const {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

TEST_F(Figures, APdfIsOnePageOfTheWidthWithItsFontAndPicturesInIt) {
  const Outcome outcome =
      figure("--out f.pdf --width 85 --at 0,0.05,0.1 --plot 'puck.v?' --plot '|puck.contact.f|'");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "f.pdf\n");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("85.0 x "), HasSubstr("3 pictures"), HasSubstr("2 plots"),
                                 HasSubstr("text in ")));
  const std::string pdf = testing::readText(path("f.pdf"));
  EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
  EXPECT_EQ(count(pdf, "/Type /Page\n"), 1u);
  EXPECT_GE(count(pdf, "/FontFile"), 1u) << "fonts are embedded";
  EXPECT_EQ(count(pdf, "/Subtype /Image"), 3u);
  EXPECT_EQ(count(pdf, "/DCTDecode"), 0u) << "pictures lose nothing";
  std::smatch box;
  ASSERT_TRUE(std::regex_search(pdf, box, std::regex(R"(MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\])")));
  EXPECT_NEAR(std::stod(box[1]) / 72 * 25.4, 85, 0.4) << "whole points";
}

TEST_F(Figures, AnSvgKeepsItsWords) {
  ASSERT_EQ(
      figure("--out f.svg --strip 2 --labels --plot 'Speed=puck.v?' --plot 'puck.z' --font sans").status, 0);
  const std::string svg = testing::readText(path("f.svg"));
  for (const char* word : {"time [s]", "Speed [m/s]", "puck:", "vx", "vy", "vz", "position [m]", "puck.z",
                           "(a)  0 s", "(b)  0.1 s", "(c)", "(d)"})
    EXPECT_THAT(svg, HasSubstr(">" + std::string(word) + "<"));
  EXPECT_THAT(svg, HasSubstr("width=\"170.0"));
}

TEST_F(Figures, APngIsAsWideAsItsMillimetres) {
  ASSERT_EQ(run("figure drop.yaml --out f.png --width 85 --dpi 150 --at 0.05").status, 0);
  EXPECT_EQ(sizeOf("f.png")[0], static_cast<int>(std::lround(85 / 25.4 * 150)));
  const int alone = sizeOf("f.png")[1];
  ASSERT_EQ(
      run("figure drop.yaml --out f.png --width 85 --dpi 150 --at 0.05 --no-times --plot puck.z").status, 0);
  EXPECT_GT(sizeOf("f.png")[1], alone + 26 / 25.4 * 150) << "the plot";
}

/// Positions of particles are rounded in it; numbers are not.
TEST_F(Figures, ARecordingGivesThePlotsOfItsScene) {
  ASSERT_EQ(run("run drop.yaml --record r.h5 --record-fps 1000 --quiet").status, 0);
  const std::string options = " --dpi 72 --at 0,0.1 --plot puck.vz --plot '|table.contact.f|' --quiet";
  const auto withoutPictures = [&](const std::string& name) {
    std::string svg = testing::readText(path(name));
    for (std::size_t at = svg.find("base64,"); at != std::string::npos; at = svg.find("base64,", at + 1))
      svg.erase(at + 7, svg.find('"', at) - at - 7);
    return svg;
  };
  ASSERT_EQ(run("figure drop.yaml --out a.svg" + options).status, 0);
  ASSERT_EQ(run("figure r.h5 --out b.svg" + options).status, 0);
  EXPECT_EQ(withoutPictures("a.svg"), withoutPictures("b.svg"));
}

TEST_F(Figures, NeedNoDisplay) {
  const Outcome outcome = figure("--out f.pdf --at 0,0.1 --ghosts --plot puck.vz",
                                 "env -u DISPLAY -u WAYLAND_DISPLAY QT_QPA_PLATFORM=xcb");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(testing::lineCount(outcome.err), 1u) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("1 picture of"));
}

TEST_F(Figures, WhatCannotBeIsRefusedInOneLineAndLeavesNoFile) {
  EXPECT_THAT(refusal("--out f.jpg"), AllOf(HasSubstr("--out f.jpg"), HasSubstr(".pdf, .svg or .png")));
  EXPECT_THAT(refusal("--out none/f.pdf"), HasSubstr("make the folder none"));
  EXPECT_THAT(refusal("--out f.pdf --at 0,5"), AllOf(HasSubstr("--at 5"), HasSubstr("0 s to 0.1 s")));
  EXPECT_THAT(refusal("--out f.pdf --from 0.1 --to 0"), HasSubstr("the end lies before the start"));
  EXPECT_THAT(refusal("--out f.pdf --plot puk.z"),
              AllOf(HasSubstr("--plot puk.z"), HasSubstr("did you mean")));
  EXPECT_THAT(refusal("--out f.pdf --plot 'Height='"), HasSubstr("it chooses nothing"));
  EXPECT_THAT(refusal("--out f.pdf --plot 'puck.[zv]*'"), HasSubstr("one --plot for each unit"));
  EXPECT_THAT(refusal("--out f.pdf --plot '*.contact.?[xyz],*.[xyz],*.v[xyz]'"), HasSubstr("at most 12"));
  EXPECT_THAT(refusal("--out f.pdf --at 0 --ghosts"), HasSubstr("two moments"));
  EXPECT_THAT(run("figure drop.yaml --out f.png --width 1000 --dpi 1200").err, HasSubstr("16384"));
  EXPECT_THAT(refusal("--out f.pdf --camera nowhere"), HasSubstr("there is no such camera"));
  EXPECT_EQ(figure("--out f.pdf --at 0 --strip 3").status, 2);
  EXPECT_EQ(figure("--out f.pdf --font comic").status, 2);
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_THAT(entry.path().extension(), ::testing::AnyOf(".yaml", ".txt")) << entry.path();
}

TEST_F(Figures, TheOldFileStaysWhereARunFails) {
  std::ofstream(path("f.pdf")) << "what was there";
  EXPECT_EQ(refusal("--out f.pdf --plot nothing.at.all"), refusal("--out f.pdf --plot nothing.at.all"));
  EXPECT_EQ(testing::readText(path("f.pdf")), "what was there");
}

/// Depth, normals and segmentation, of a ball whose place is known.
class Passes : public testing::ProgramTest {
 protected:
  static constexpr int kWidth = 61, kHeight = 41;
  Passes() {
    std::ofstream(folder_ / "drop.yaml", std::ios::app)
        << "cameras:\n  ball: {position: [1, -1, 1], target: [1, 0, 1], fov_deg: 20}\n"
        << "  down: {position: [0.5, -0.5, 1], target: [0.5, 0.5, 0]}\n";
  }
  Outcome render(const std::string& arguments) const {
    return run("render drop.yaml --size 61x41 --to 0 --camera ball " + arguments);
  }
};

TEST_F(Passes, DepthIsInMetresAndInMillimetres) {
  const Outcome outcome = render("--pass depth --out d.png");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("1 is 1 mm"));
  const std::string npy = testing::readText(path("d.npy"));
  EXPECT_THAT(npy.substr(0, 128), AllOf(HasSubstr("NUMPY"), HasSubstr("'<f4'"), HasSubstr("(41, 61)")));
  ASSERT_EQ(npy.size(), 128u + 4 * kWidth * kHeight);
  const auto depth = [&](int x, int y) {
    float value;
    std::memcpy(&value, npy.data() + 128 + 4 * (y * kWidth + x), 4);
    return static_cast<double>(value);
  };
  EXPECT_NEAR(depth(kWidth / 2, kHeight / 2), 0.95, 3e-4) << "a ball of 5 cm, 1 m away, drawn of triangles";
  EXPECT_EQ(depth(0, 0), 0) << "nothing";
}

TEST_F(Passes, IdsAreNamed) {
  ASSERT_EQ(render("--pass segmentation --out frames").status, 0);
  const auto legend = nlohmann::json::parse(testing::readText(path("frames/segmentation.json")));
  std::map<std::string, int> ids;
  for (const auto& segment : legend["segments"])
    ids[segment["kind"].get<std::string>() + " " + segment["name"].get<std::string>()] = segment["id"];
  EXPECT_EQ(ids["background "], 0);
  EXPECT_EQ(ids["ground "], 1);
  EXPECT_EQ(ids.size(), legend["segments"].size());
  EXPECT_TRUE(ids.contains("body puck") && ids.contains("body table") && ids.contains("deformable cube"));
}

TEST_F(Passes, WhatDoesNotGoTogetherIsRefused) {
  EXPECT_THAT(render("--pass depth --out d.mp4").err, HasSubstr("a folder"));
  EXPECT_THAT(render("--pass normals --supersample 2 --out d.png").err, HasSubstr("averaged"));
  EXPECT_THAT(run("render drop.yaml --pass depth --camera all --out d.png").err, HasSubstr("one camera"));
  EXPECT_THAT(run("render drop.yaml --pass depth --strip 0,0.1 --out d.png").err, HasSubstr("into a folder"));
  EXPECT_THAT(render("--pass depth --ghosts 0 --out d.png").err, HasSubstr("leave them out"));
  EXPECT_THAT(render("--pass height --out d.png").err, HasSubstr("depth, normals, segmentation"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_THAT(entry.path().extension(), ::testing::AnyOf(".yaml", ".txt")) << entry.path();
}

}  // namespace
}  // namespace slipstick
