#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>

extern "C" {
#include <libavformat/avformat.h>
}

#include "render/contact_sheet.h"
#include "render/jobs/video_writer.h"
#include "render/offscreen.h"

namespace slipstick::render {
namespace {

namespace fs = std::filesystem;

Image gradient(int width, int height, int shift) {
  Image image{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height) * 4)};
  for (int i = 0; i < width * height; ++i) {
    std::uint8_t* p = &image.rgba[static_cast<std::size_t>(i) * 4];
    p[0] = static_cast<std::uint8_t>(i % width + shift);
    p[1] = static_cast<std::uint8_t>(i / width);
    p[2] = static_cast<std::uint8_t>(shift);
    p[3] = 255;
  }
  return image;
}

/// A folder of its own, removed at the end.
struct Output : ::testing::Test {
  fs::path folder = fs::temp_directory_path() / ("slipstick_output_" + std::to_string(::getpid()));
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
};

TEST(ContactSheet, HoldsThePicturesRowByRowWithGapsBetween) {
  const std::vector<Image> pictures = {gradient(30, 20, 1), gradient(30, 20, 2), gradient(30, 20, 3)};
  const Image sheet = contactSheet(pictures, 2, 4, 0x102030);
  ASSERT_EQ(sheet.width, 64);
  ASSERT_EQ(sheet.height, 44);
  const auto at = [&](int x, int y) { return &sheet.rgba[static_cast<std::size_t>(4 * (y * 64 + x))]; };
  for (int i = 0; i < 3; ++i) {
    const std::uint8_t* p = at(34 * (i % 2) + 7, 24 * (i / 2) + 5);
    EXPECT_EQ(p[0], 7 + i + 1);
    EXPECT_EQ(p[1], 5);
    EXPECT_EQ(p[2], i + 1);
  }
  for (const auto& [x, y] : {std::pair{32, 5}, {5, 22}, {50, 30}})  // between, and where no picture is
    EXPECT_EQ(at(x, y)[2], 0x30);
  EXPECT_EQ(contactSheet({pictures[0]}, 4, 4, 0).width, 30);
}

TEST_F(Output, PngReadsBackAsItWasWritten) {
  const Image image = gradient(61, 47, 9);
  const fs::path file = folder / "picture.png";
  ASSERT_TRUE(writePng(image, file).ok());
  png_image read{};
  read.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&read, file.c_str())) << read.message;
  EXPECT_EQ(read.width, 61u);
  EXPECT_EQ(read.height, 47u);
  read.format = PNG_FORMAT_RGBA;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(read));
  ASSERT_TRUE(png_image_finish_read(&read, nullptr, pixels.data(), 0, nullptr)) << read.message;
  EXPECT_EQ(pixels, image.rgba);
}

TEST_F(Output, PngToAMissingFolderSaysWhereAndWhatToDo) {
  const Result<void> written = writePng(gradient(4, 4, 0), folder / "missing" / "picture.png");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::FileUnwritable);
  EXPECT_NE(written.error().where.find("missing"), std::string::npos);
  EXPECT_FALSE(written.error().remedy.empty());
}

struct Video {
  std::int64_t frames = 0;
  double duration_s = 0;
  int width = 0, height = 0;
  AVPixelFormat format = AV_PIX_FMT_NONE;
};

Video probe(const fs::path& file) {
  Video video;
  AVFormatContext* container = nullptr;
  if (avformat_open_input(&container, file.c_str(), nullptr, nullptr) < 0) return video;
  avformat_find_stream_info(container, nullptr);
  const AVStream* stream = container->streams[0];
  video.duration_s = static_cast<double>(stream->duration) * av_q2d(stream->time_base);
  video.width = stream->codecpar->width;
  video.height = stream->codecpar->height;
  video.format = static_cast<AVPixelFormat>(stream->codecpar->format);
  AVPacket* packet = av_packet_alloc();
  while (av_read_frame(container, packet) >= 0) {
    ++video.frames;
    av_packet_unref(packet);
  }
  av_packet_free(&packet);
  avformat_close_input(&container);
  return video;
}

TEST_F(Output, VideoHasEveryFrameAndPlaysInSimulatedTime) {
  const fs::path file = folder / "roll.mp4";
  auto writer = VideoWriter::create(file, 95, 63, 25);  // odd sizes grow by a pixel
  ASSERT_TRUE(writer.ok()) << writer.error().message();
  for (int i = 0; i < 30; ++i) ASSERT_TRUE((*writer)->add(gradient(95, 63, i)).ok());
  ASSERT_TRUE((*writer)->finish().ok());
  const Video video = probe(file);
  EXPECT_EQ(video.frames, 30);
  EXPECT_NEAR(video.duration_s, 1.2, 1e-3);
  EXPECT_EQ(video.width, 96);
  EXPECT_EQ(video.height, 64);
  EXPECT_EQ(video.format, AV_PIX_FMT_YUV420P);
}

/// Memory that is asked for next holds these bytes.
void leaveInMemory(int byte) {
  std::vector<std::unique_ptr<unsigned char[]>> blocks;
  for (std::size_t size = 1000; size < 100'000; size += 250) {
    blocks.emplace_back(new unsigned char[size]);
    std::memset(blocks.back().get(), byte, size);
  }
}

/// More pictures than an encoder looks ahead, of something that moves.
TEST_F(Output, EqualPicturesGiveEqualVideosWhateverWasInMemory) {
  for (const std::string suffix : {".mp4", ".webm"}) {
    std::vector<std::string> files;
    for (const int byte : {0x00, 0x55, 0xc3}) {
      const fs::path file = folder / (std::to_string(byte) + suffix);
      leaveInMemory(byte);
      auto video = VideoWriter::create(file, 320, 192, 30);
      ASSERT_TRUE(video) << video.error().message();
      for (int i = 0; i < 60; ++i) {
        Image image = gradient(320, 192, 3 * i);
        for (std::size_t k = 0; k < image.rgba.size(); k += 4)
          image.rgba[k + 2] = static_cast<std::uint8_t>(k * k / 977 + static_cast<std::size_t>(37 * i));
        ASSERT_TRUE((*video)->add(image));
      }
      ASSERT_TRUE((*video)->finish());
      std::ifstream in(file, std::ios::binary);
      files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    EXPECT_GT(files[0].size(), 10'000u);
    EXPECT_TRUE(files[1] == files[0] && files[2] == files[0]) << suffix;
  }
}

TEST_F(Output, VideoThatIsNotFinishedIsRemoved) {
  const fs::path file = folder / "cut.mp4";
  {
    auto writer = VideoWriter::create(file, 64, 64, 30);
    ASSERT_TRUE(writer.ok()) << writer.error().message();
    ASSERT_TRUE((*writer)->add(gradient(64, 64, 1)).ok());
    EXPECT_FALSE(fs::exists(file)) << "it has its name when it is whole";
    EXPECT_FALSE(fs::is_empty(folder));
  }
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(Output, VideoRefusesAnUnwritablePlaceAndFramesOfAnotherSize) {
  const auto nowhere = VideoWriter::create(folder / "missing" / "roll.mp4", 64, 64, 30);
  ASSERT_FALSE(nowhere.ok());
  EXPECT_EQ(nowhere.error().code, ErrorCode::FileUnwritable);
  auto writer = VideoWriter::create(folder / "roll.mp4", 64, 64, 30);
  ASSERT_TRUE(writer.ok()) << writer.error().message();
  EXPECT_FALSE((*writer)->add(gradient(32, 64, 0)).ok());
}

TEST_F(Output, VideoRefusesSizesAndRatesThatMakeNoSense) {
  for (const auto& [width, height, fps] : {std::tuple{0, 64, 30.0}, {64, -1, 30.0}, {64, 64, 0.0}}) {
    const auto writer = VideoWriter::create(folder / "roll.mp4", width, height, fps);
    ASSERT_FALSE(writer.ok());
    EXPECT_EQ(writer.error().code, ErrorCode::InvalidValue);
  }
}

TEST(Offscreen, RefusesASizeThatMakesNoSense) {
  const auto offscreen = OffscreenRenderer::create(0, 100);
  ASSERT_FALSE(offscreen.ok());
  EXPECT_EQ(offscreen.error().code, ErrorCode::InvalidValue);
}

}  // namespace
}  // namespace slipstick::render
