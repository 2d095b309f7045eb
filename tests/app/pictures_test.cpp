// Pictures and videos from the command line: every option once, as a person writes it.
#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "assets/image_io.h"
#include "tests/app/program_run.h"

namespace slipstick {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Pictures : public testing::ProgramTest {
 protected:
  Pictures() {
    std::ofstream(folder_ / "drop.yaml", std::ios::app)
        << "cameras:\n  front: {position: [0.5, -0.5, 0.4]}\n  above: {position: [0.1, -0.1, 0.9]}\n";
  }
  Outcome render(const std::string& arguments) const {
    return run("render drop.yaml --size 160x90 " + arguments);
  }
  std::string refusal(const std::string& arguments) const {
    const Outcome outcome = render(arguments);
    EXPECT_EQ(outcome.status, 1) << arguments << outcome.err;
    EXPECT_EQ(testing::lineCount(outcome.err), 1u) << outcome.err;
    return outcome.err;
  }
};

TEST_F(Pictures, EveryKindOfFileIsWhatItsSuffixSays) {
  const std::string header[] = {"ftyp", "\x1A\x45\xDF\xA3", "GIF89a", "\x89PNG"};
  const char* names[] = {"v.mp4", "v.webm", "v.gif", "p.png"};
  for (int i = 0; i < 4; ++i) {
    const Outcome outcome = render(std::string("--fps 20 --quality draft --out ") + names[i]);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, std::string(names[i]) + "\n");
    EXPECT_THAT(testing::readText(path(names[i])).substr(0, 8), HasSubstr(header[i])) << names[i];
  }
}

TEST_F(Pictures, ASummarySaysHowManyHowFastAndWhereTheTimeWent) {
  const Outcome outcome = render("--fps 50 --out v.mp4");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(StartsWith("slipstick: v.mp4: 6 pictures in "), HasSubstr("simulating"),
                                 HasSubstr("drawing"), HasSubstr("reading back"), HasSubstr("encoding")));
  EXPECT_EQ(render("--fps 50 --quiet --out v.mp4").err, "");
}

TEST_F(Pictures, SlowMotionHasMorePictures) {
  EXPECT_THAT(render("--fps 50 --speed 0.5 --out v.mp4").err, HasSubstr(" 11 pictures in "));
}

TEST_F(Pictures, CamerasAreNamedListedAndFollowed) {
  std::ofstream(path("way.yaml")) << "- {t: 0, camera: front}\n- {t: 0.1, eye: [0.2, -0.9, 0.5]}\n";
  std::set<std::string> pictures;
  for (const char* cameras : {"--camera front", "--camera above", "--camera above,front", "--camera all",
                              "--camera-path way.yaml"}) {
    const Outcome outcome = render(std::string(cameras) + " --out p.png");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    pictures.insert(testing::readText(path("p.png")));
  }
  EXPECT_EQ(pictures.size(), 5u);
  EXPECT_THAT(refusal("--out p.png --camera front,nowhere"), HasSubstr("choose from: front, above, all"));
  EXPECT_THAT(refusal("--out p.png --camera-path none.yaml"), HasSubstr("none.yaml"));
  std::ofstream(path("wrong.yaml")) << "- {t: 0, camera: nowhere}\n";
  EXPECT_THAT(refusal("--out p.png --camera-path wrong.yaml"),
              AllOf(HasSubstr("wrong.yaml:1"), HasSubstr("known: front, above")));
}

TEST_F(Pictures, FiguresTitlesAndGhosts) {
  for (const char* options :
       {"--out s.png --strip 0,0.05,0.1 --light", "--out g.png --ghosts 0,0.05 --supersample 2",
        "--out t.png --transparent --show no-hud", "--out v.mp4 --title Drop --subtitle slowly --fade 0.02"})
    EXPECT_EQ(render(options).status, 0) << options;
}

TEST_F(Pictures, OfARecordingAreThoseOfTheRunUpToItsLattice) {
  ASSERT_EQ(run("run drop.yaml --record r.h5").status, 0);
  const std::string options = " --size 160x90 --to 0.1 --quiet --show no-hud --out ";
  ASSERT_EQ(run("render drop.yaml" + options + "a.png").status, 0);
  ASSERT_EQ(run("render r.h5" + options + "b.png").status, 0);
  ASSERT_EQ(run("render r.h5" + options + "c.png").status, 0);
  EXPECT_EQ(testing::readText(path("b.png")), testing::readText(path("c.png"))) << "bit for bit";
  const auto simulated = assets::loadImage(path("a.png"), assets::ImageUse::Color).value(),
             recorded = assets::loadImage(path("b.png"), assets::ImageUse::Color).value();
  ASSERT_EQ(recorded->rgb.size(), simulated->rgb.size());
  std::size_t off = 0;
  for (std::size_t i = 0; i < simulated->rgb.size(); ++i)
    off += std::abs(simulated->rgb[i] - recorded->rgb[i]) > 24 ? 1 : 0;
  EXPECT_LT(off, simulated->rgb.size() / 50) << "the lattice moves edges by less than a pixel";

  const Outcome video = run("render r.h5 --size 160x90 --fps 30 --out v.mp4");
  EXPECT_EQ(video.status, 0) << video.err;
  EXPECT_THAT(video.err, AllOf(HasSubstr(" 4 pictures in "), HasSubstr("drawing")));
  const Outcome late = run("render r.h5 --size 160x90 --to 5 --out v.mp4");
  EXPECT_EQ(late.status, 1);
  EXPECT_THAT(late.err, HasSubstr("--to 5: the recording is of 0 s to 0.1 s; choose times in it"));
  const Outcome changed = run("render r.h5 --set contact.friction=1 --out p.png");
  EXPECT_EQ(changed.status, 1);
  EXPECT_THAT(changed.err, HasSubstr("what was recorded cannot be changed"));
}

TEST_F(Pictures, WhatCannotBeIsRefusedInOneLine) {
  EXPECT_THAT(refusal("--out v.avi"), AllOf(HasSubstr("--out v.avi"), HasSubstr(".webm")));
  EXPECT_THAT(refusal("--out v.mp4 --transparent"), HasSubstr("PNG"));
  EXPECT_THAT(refusal("--out v.mp4 --quality superb"), HasSubstr("draft, good, best"));
  EXPECT_THAT(refusal("--out v.gif --fps 60"), HasSubstr("50 frames/s"));
  EXPECT_THAT(refusal("--out p.png --ghosts 5"), HasSubstr("ghost at 5 s"));
  EXPECT_THAT(refusal("--out p.png --title T"), HasSubstr("write a video"));
  EXPECT_THAT(refusal("--out p.png --show nothing"), AllOf(HasSubstr("legend"), HasSubstr("caption")));
  EXPECT_EQ(render("--out p.png --strip 0 --fps 3").status, 2);
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_THAT(entry.path().extension(), ::testing::AnyOf(".yaml", ".txt")) << entry.path();
}

TEST_F(Pictures, TheHelpListsEveryWordOfShow) {
  const std::string help = run("render --help").out;
  for (const char* word :
       {"forces", "contact=auto|pairs", "time", "legend", "card", "bar", "inset", "caption"})
    EXPECT_THAT(help, HasSubstr(word));
}

}  // namespace
}  // namespace slipstick
