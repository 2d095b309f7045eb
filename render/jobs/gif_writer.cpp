#include "render/jobs/gif_writer.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "engine/foundation/number_text.h"
#include "render/jobs/gif_colors.h"
#include "render/jobs/muxed_file.h"

namespace slipstick::render {
namespace {

constexpr int kLargest = 8192;             // [px]
constexpr int kTicksPerSecond = 100;       // what the format counts in
constexpr std::size_t kTransparent = 255;  // of the palette: what stays as it was

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Error noRoom() {
  return {
      ErrorCode::FileUnwritable,
      std::string("the pictures cannot be kept until the GIF's colours are known: ") + std::strerror(errno),
      std::filesystem::temp_directory_path().string(),
      "make room there, or write a smaller or shorter GIF, or an MP4"};
}

}  // namespace

struct GifWriter::Impl {
  int width = 0, height = 0;
  double fps = 0;
  OutputQuality quality = OutputQuality::Good;
  std::unique_ptr<std::FILE, CloseFile> waiting;  ///< RGB, picture after picture
  std::vector<std::uint8_t> rgb;                  ///< one of them
  std::int64_t pictures = 0;
  ColorCount count;
  MuxedFile file;
  Owned<AVCodecContext> codec;
  Owned<AVFrame> frame;

  Result<void> open();
  std::int64_t tickOf(std::int64_t picture) const {
    return std::llround(static_cast<double>(picture) * kTicksPerSecond / fps);
  }
  Result<void> encode(std::int64_t picture, GifColors& table);
};

Result<void> GifWriter::Impl::open() {
  const AVCodec* encoder = avcodec_find_encoder(AV_CODEC_ID_GIF);
  if (!encoder)
    return Error{ErrorCode::DeviceFailure, "no GIF encoder", "FFmpeg", "install FFmpeg's libavcodec"};
  codec.reset(avcodec_alloc_context3(encoder));
  codec->width = width;
  codec->height = height;
  codec->pix_fmt = AV_PIX_FMT_PAL8;
  codec->time_base = {1, kTicksPerSecond};
  codec->framerate = av_d2q(fps, 100000);
  int status = avcodec_open2(codec.get(), encoder, nullptr);
  if (status < 0) return ffmpegFailed("FFmpeg cannot make a GIF", file.path(), status);
  frame.reset(av_frame_alloc());
  frame->format = codec->pix_fmt;
  frame->width = width;
  frame->height = height;
  status = av_frame_get_buffer(frame.get(), 0);
  if (status < 0) return ffmpegFailed("no memory for a picture", file.path(), status);
  waiting.reset(std::tmpfile());
  if (!waiting) return noRoom();
  rgb.resize(std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  return file.open(*codec, nullptr);
}

Result<void> GifWriter::Impl::encode(std::int64_t picture, GifColors& table) {
  if (const int status = av_frame_make_writable(frame.get()); status < 0)
    return ffmpegFailed("no memory for a picture", file.path(), status);
  const std::uint8_t* p = rgb.data();
  for (int y = 0; y < height; ++y) {
    std::uint8_t* row = frame->data[0] + static_cast<std::ptrdiff_t>(y) * frame->linesize[0];
    for (int x = 0; x < width; ++x, p += 3) row[x] = table.indexAt({p[0], p[1], p[2]}, x, y);
  }
  std::array<std::uint32_t, 256> palette{};
  for (std::size_t i = 0; i < table.colors().size(); ++i) {
    const Rgb c = table.colors()[i];
    palette[i] =
        0xFF000000u | static_cast<std::uint32_t>(c.r) << 16 | static_cast<std::uint32_t>(c.g) << 8 | c.b;
  }
  for (std::size_t i = table.colors().size(); i < kTransparent; ++i) palette[i] = 0xFF000000u;
  std::memcpy(frame->data[1], palette.data(), sizeof palette);
  frame->pts = tickOf(picture);
  file.setDuration(tickOf(picture + 1) - tickOf(picture));
  return file.encode(*codec, frame.get());
}

GifWriter::GifWriter() = default;
GifWriter::~GifWriter() = default;

Result<std::unique_ptr<GifWriter>> GifWriter::create(const std::filesystem::path& file, int width, int height,
                                                     double fps, OutputQuality quality) {
  if (width < 1 || height < 1 || width > kLargest || height > kLargest || !(fps >= 0.01 && fps <= kMaxFps))
    return Error{ErrorCode::InvalidValue,
                 "a GIF of " + std::to_string(width) + " x " + std::to_string(height) + " at " +
                     significant(fps) + " frames/s",
                 file.string(), "use sizes up to 8192 pixels and rates from 0.01 to 50"};
  std::unique_ptr<GifWriter> writer(new GifWriter);
  writer->impl_ = std::make_unique<Impl>();
  Impl& w = *writer->impl_;
  w.width = width;
  w.height = height;
  w.fps = fps;
  w.quality = quality;
  if (const Result<void> chosen = w.file.choose(file, "gif"); !chosen) return chosen.error();
  if (const Result<void> opened = w.open(); !opened) return opened.error();
  return writer;
}

Result<void> GifWriter::add(const Image& image) {
  Impl& w = *impl_;
  if (image.width != w.width || image.height != w.height)
    return Error{ErrorCode::InvalidValue, "a picture of another size than the GIF", w.file.path().string(),
                 "draw every picture in the size that the GIF was opened with"};
  for (std::size_t i = 0, o = 0; i < image.rgba.size(); i += 4, o += 3)
    std::copy_n(&image.rgba[i], 3, &w.rgb[o]);
  if (std::fwrite(w.rgb.data(), 1, w.rgb.size(), w.waiting.get()) != w.rgb.size()) return noRoom();
  w.count.add(image);
  ++w.pictures;
  return {};
}

Result<void> GifWriter::finish() {
  Impl& w = *impl_;
  const bool draft = w.quality == OutputQuality::Draft;
  GifColors table(w.count.colors(draft ? 63 : static_cast<int>(kTransparent)), !draft);
  if (std::fflush(w.waiting.get()) != 0) return noRoom();
  std::rewind(w.waiting.get());
  for (std::int64_t i = 0; i < w.pictures; ++i) {
    if (std::fread(w.rgb.data(), 1, w.rgb.size(), w.waiting.get()) != w.rgb.size()) return noRoom();
    if (const Result<void> encoded = w.encode(i, table); !encoded) return encoded.error();
  }
  if (const Result<void> drained = w.file.encode(*w.codec, nullptr); !drained) return drained.error();
  return w.file.finish();
}

}  // namespace slipstick::render
