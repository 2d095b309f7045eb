// The sample world as a run that is walked through, and files that were made of it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}
#include <png.h>

#include "engine/runtime/run_walk.h"
#include "render/jobs/picture_job.h"
#include "render/offscreen.h"
#include "tests/support/sample_world.h"

namespace slipstick::render {

class SampleWalk final : public RunWalk {
 public:
  const std::shared_ptr<const Model>& model() const override { return world.model; }
  std::uint64_t firstStep() const override { return 0; }
  std::uint64_t lastStep() const override { return stepAt(2); }
  bool endsThere() const override { return false; }
  Result<std::shared_ptr<const Snapshot>> goTo(std::uint64_t step) override {
    if (step < at) ADD_FAILURE() << "walked backwards from " << at << " to " << step;
    at = step;
    if (failsAfter && step > *failsAfter)
      return Error{ErrorCode::SimulationFailed, "it exploded", "step", "be gentle"};
    return slipstick::testing::sampleSnapshot(world, timeOf(step));
  }
  Result<std::shared_ptr<const Snapshot>> contactsAt(std::uint64_t step) override { return goTo(step); }
  double largestForce() const override { return 30; }

  slipstick::testing::SampleWorld world = slipstick::testing::sampleWorld();
  std::uint64_t at = 0;
  std::optional<std::uint64_t> failsAfter;
};

struct FoundVideo {
  std::int64_t frames = 0;
  double duration_s = 0;
  int width = 0, height = 0;
  AVCodecID codec = AV_CODEC_ID_NONE;
};

/// What a player finds; nothing of a file that does not open.
inline FoundVideo probeVideo(const std::filesystem::path& file) {
  FoundVideo video;
  AVFormatContext* container = nullptr;
  if (avformat_open_input(&container, file.c_str(), nullptr, nullptr) < 0) return video;
  avformat_find_stream_info(container, nullptr);
  const AVStream* stream = container->streams[0];
  video.width = stream->codecpar->width;
  video.height = stream->codecpar->height;
  video.codec = stream->codecpar->codec_id;
  AVPacket* packet = av_packet_alloc();
  std::int64_t end = 0;
  while (av_read_frame(container, packet) >= 0) {
    ++video.frames;
    end = std::max(end, packet->pts + packet->duration);
    av_packet_unref(packet);
  }
  video.duration_s = static_cast<double>(end) * av_q2d(stream->time_base);
  av_packet_free(&packet);
  avformat_close_input(&container);
  return video;
}

/// Null where it is no PNG.
inline Image readPng(const std::filesystem::path& file) {
  png_image read{};
  read.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&read, file.c_str())) return {};
  read.format = PNG_FORMAT_RGBA;
  Image image{static_cast<int>(read.width), static_cast<int>(read.height), {}};
  image.rgba.resize(PNG_IMAGE_SIZE(read));
  png_image_finish_read(&read, nullptr, image.rgba.data(), 0, nullptr);
  return image;
}

/// A folder of its own, removed at the end, and small pictures of the sample world.
struct PictureJobs : ::testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("slipstick_pictures_" + std::to_string(::getpid()));
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  PictureRequest request(const std::string& out) {
    PictureRequest request;
    request.out = folder / out;
    request.width = 160;
    request.height = 90;
    request.fps = 10;
    request.to = 0.5;
    request.cameras = {CameraPath(Camera::from(walk.model()->cameras.front()))};
    request.view.hud = false;
    return request;
  }
  Result<PictureReport> make(const PictureRequest& request) {
    walk.at = 0;
    return makePictures(walk, request, stop.get_token(), {});
  }
  Image picture(const PictureRequest& request) {
    const Result<PictureReport> made = make(request);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message());
    return readPng(request.out);
  }
  static const std::uint8_t* pixel(const Image& image, int x, int y) {
    return &image.rgba.at(4 * static_cast<std::size_t>(y * image.width + x));
  }
  std::size_t filesIn(const std::filesystem::path& where) const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(where), {}));
  }

  SampleWalk walk;
  std::stop_source stop;
};

}  // namespace slipstick::render
