#include "render/jobs/picture_job.h"

#include <gmock/gmock.h>

#include <thread>

#include "render/jobs/picture_painter.h"
#include "tests/render/sample_walk.h"

namespace slipstick::render {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(OutputFormats, AreToldBySuffix) {
  const std::map<std::string, OutputFormat> formats = {
      {"a.mp4", OutputFormat::Mp4},   {"a.WebM", OutputFormat::WebM},   {"a.gif", OutputFormat::Gif},
      {"b/a.PNG", OutputFormat::Png}, {"frames", OutputFormat::Folder}, {"frames/", OutputFormat::Folder}};
  for (const auto& [name, format] : formats) {
    const Result<OutputFormat> found = outputFormatOf(name);
    ASSERT_TRUE(found.ok()) << name;
    EXPECT_EQ(*found, format) << name;
  }
  const Result<OutputFormat> avi = outputFormatOf("a.avi");
  ASSERT_FALSE(avi.ok());
  EXPECT_THAT(avi.error().message(), ::testing::AllOf(HasSubstr(".avi"), HasSubstr(".webm")));
  EXPECT_FALSE(outputQualityNamed("superb").ok());
}

TEST_F(PictureJobs, VideosHaveEveryPictureAndTheirDuration) {
  for (const auto& [out, codec] :
       {std::pair{"v.mp4", AV_CODEC_ID_H264}, {"v.webm", AV_CODEC_ID_VP9}, {"v.gif", AV_CODEC_ID_GIF}}) {
    const Result<PictureReport> made = make(request(out));
    ASSERT_TRUE(made.ok()) << made.error().message();
    EXPECT_TRUE(made->isWhole);
    EXPECT_EQ(made->done, 6u);
    const FoundVideo video = probeVideo(folder / out);
    EXPECT_EQ(video.codec, codec) << out;
    EXPECT_EQ(video.frames, 6) << out;
    EXPECT_NEAR(video.duration_s, 0.6, 0.02) << out;
    EXPECT_EQ(video.width, 160) << out;
    EXPECT_EQ(video.height, 90) << out;
  }
}

/// What cards and labels hide of a small picture: they are as large as their words, and there are fewer of them.
TEST_F(PictureJobs, CardsLeaveASmallPictureToItsScene) {
  const auto paint = [&](bool hud) {
    PictureRequest small = request("small.png");
    small.width = 480;
    small.height = 270;
    small.supersample = 1;
    small.view.hud = hud;
    small.selection = SelectedBody{1};
    Result<std::unique_ptr<PicturePainter>> painter = PicturePainter::create(small, walk.world.model);
    EXPECT_TRUE(painter.ok());
    return (*painter)->paint({slipstick::testing::sampleSnapshot(walk.world, 1), 30, 0, 1});
  };
  const Image bare = paint(false), whole = paint(true);
  ASSERT_EQ(bare.rgba.size(), whole.rgba.size());
  const std::size_t pixels = static_cast<std::size_t>(480) * 270, bytes = bare.rgba.size() / pixels;
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < pixels; ++i)
    hidden += !std::equal(bare.rgba.begin() + static_cast<std::ptrdiff_t>(i * bytes),
                          bare.rgba.begin() + static_cast<std::ptrdiff_t>((i + 1) * bytes),
                          whole.rgba.begin() + static_cast<std::ptrdiff_t>(i * bytes));
  EXPECT_GT(hidden, 0u) << "the time is there";
  EXPECT_LT(hidden, pixels / 8);
}

TEST_F(PictureJobs, SlowMotionMakesMorePicturesOfTheSameTime) {
  PictureRequest slow = request("v.mp4");
  slow.speed = 0.25;
  const Result<PictureReport> made = make(slow);
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->done, 21u);
  EXPECT_NEAR(made->reached, 0.5, 1e-9);
  const FoundVideo video = probeVideo(slow.out);
  EXPECT_EQ(video.frames, 21);
  EXPECT_NEAR(video.duration_s, 2.1, 0.02);
}

TEST_F(PictureJobs, TheSameWalkGivesTheSameBytes) {
  std::vector<std::map<std::string, std::size_t>> hashes;
  for (const char* out : {"first", "second"}) {
    PictureRequest frames = request(out);
    frames.view.hud = true;
    frames.title = "Twice";
    ASSERT_TRUE(make(frames).ok());
    hashes.emplace_back();
    for (const auto& entry : fs::directory_iterator(frames.out)) {
      const Image image = readPng(entry.path());
      hashes.back()[entry.path().filename()] = std::hash<std::string_view>{}(
          {reinterpret_cast<const char*>(image.rgba.data()), image.rgba.size()});
    }
  }
  EXPECT_EQ(hashes[0].size(), 6u);
  EXPECT_EQ(hashes[0], hashes[1]);
}

/// Two at a time on threads of their own, as a dialog and a window.
TEST_F(PictureJobs, RunOnAnyThreadBesideEachOther) {
  PictureRequest one = request("one.png"), other = request("other.png");
  one.view.hud = other.view.hud = true;
  const Image alone = picture(one);
  std::jthread beside([&] {
    SampleWalk ownWalk;
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(makePictures(ownWalk, other, {}, {}).ok()), ownWalk.at = 0;
  });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(picture(one).rgba, alone.rgba);
  beside.join();
  EXPECT_EQ(readPng(other.out).rgba, alone.rgba);
}

TEST_F(PictureJobs, ReportWhatWasDoneAndWhereTheTimeWent) {
  std::vector<std::size_t> done;
  PictureProgress last;
  const Result<PictureReport> made =
      makePictures(walk, request("v.mp4"), {}, [&](const PictureProgress& progress) {
        EXPECT_EQ(progress.total, 6u);
        done.push_back(progress.done);
        last = progress;
      });
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_THAT(done, ::testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_GT(last.perSecond(), 0);
  EXPECT_EQ(last.secondsLeft(), 0);
  const PictureTimes& t = made->times;
  for (const double part : {t.walk, t.build, t.draw, t.read, t.encode}) EXPECT_GT(part, 0);
  EXPECT_LE(t.walk + t.build + t.draw + t.read + t.wait, made->wall);
}

TEST_F(PictureJobs, StoppedEarlyLeaveAFileThatPlays) {
  for (const char* out : {"v.mp4", "v.webm", "v.gif"}) {
    stop = std::stop_source();
    walk.at = 0;
    PictureRequest video = request(out);
    video.to = 2;
    const Result<PictureReport> made =
        makePictures(walk, video, stop.get_token(), [&](const PictureProgress& progress) {
          if (progress.done == 3) stop.request_stop();
        });
    ASSERT_TRUE(made.ok()) << made.error().message();
    EXPECT_FALSE(made->isWhole);
    EXPECT_EQ(probeVideo(video.out).frames, static_cast<std::int64_t>(made->done)) << out;
    EXPECT_GE(made->done, 3u);
    EXPECT_LT(made->done, 21u);
  }
}

TEST_F(PictureJobs, AFailedRunLeavesWhatCameBefore) {
  walk.failsAfter = walk.stepAt(0.25);
  const Result<PictureReport> made = make(request("v.mp4"));
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, ErrorCode::SimulationFailed);
  EXPECT_EQ(probeVideo(folder / "v.mp4").frames, 3);
}

TEST_F(PictureJobs, WhatCannotBeWrittenLeavesNothing) {
  for (const char* out : {"missing/v.mp4", "missing/v.gif", "missing/p.png", "missing/more/frames"}) {
    const Result<PictureReport> made = make(request(out));
    ASSERT_FALSE(made.ok()) << out;
    EXPECT_EQ(made.error().code, ErrorCode::FileUnwritable) << out;
    EXPECT_EQ(walk.at, 0u) << "nothing was simulated for it";
  }
  EXPECT_EQ(filesIn(folder), 0u);
}

TEST_F(PictureJobs, RefuseWhatDoesNotGoTogether) {
  const auto refusal = [this](const char* out, const std::function<void(PictureRequest&)>& change) {
    PictureRequest wrong = request(out);
    change(wrong);
    const Result<PictureReport> made = make(wrong);
    EXPECT_FALSE(made.ok()) << out;
    return made.ok() ? "" : made.error().message();
  };
  const auto transparent = [](PictureRequest& r) { r.view.transparentBackground = true; };
  EXPECT_THAT(refusal("v.mp4", transparent), HasSubstr("PNG"));
  EXPECT_THAT(refusal("v.gif", [](PictureRequest& r) { r.fps = 60; }), HasSubstr("50"));
  EXPECT_THAT(refusal("v.mp4", [](PictureRequest& r) { r.from = 1; }), HasSubstr("before the first"));
  EXPECT_THAT(refusal("p.png", [](PictureRequest& r) { r.fade = 1; }), HasSubstr("fade"));
  EXPECT_THAT(refusal("p.png", [](PictureRequest& r) { r.title = "T"; }), HasSubstr("title"));
  EXPECT_THAT(refusal("p.png", [](PictureRequest& r) { r.ghosts = {0.7}; }), HasSubstr("ghost"));
  EXPECT_THAT(refusal("p.png", [](PictureRequest& r) { r.width = 9000, r.supersample = 2; }),
              HasSubstr("16384"));
  EXPECT_EQ(filesIn(folder), 0u);
}

}  // namespace
}  // namespace slipstick::render
