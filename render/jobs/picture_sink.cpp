#include "render/jobs/picture_sink.h"

#include <cstdio>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/foundation/output_claim.h"
#include "render/contact_sheet.h"
#include "render/jobs/gif_writer.h"
#include "render/jobs/video_writer.h"

namespace slipstick::render {
namespace {

namespace fs = std::filesystem;

int compressionOf(OutputQuality quality) {
  switch (quality) {
    case OutputQuality::Draft:
      return 1;
    case OutputQuality::Best:
      return 9;
    case OutputQuality::Good:
      break;
  }
  return 6;
}

/// Depths as an array of NumPy, in metres, which a PNG has in whole millimetres.
Result<void> writeNpy(const Image& image, const fs::path& file) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(image.height) +
                       ", " + std::to_string(image.width) + "), }";
  constexpr std::size_t kPreamble = 10, kAligned = 64;
  header.resize((kPreamble + header.size() + kAligned) / kAligned * kAligned - kPreamble - 1, ' ');
  header += '\n';
  const std::string length = {static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  Result<OutputClaim> claim = OutputClaim::take(file);
  if (!claim) return claim.error();
  std::ofstream out(claim->written(), std::ios::binary);
  out << std::string_view("\x93NUMPY\x01\x00", 8) << length << header;
  out.write(reinterpret_cast<const char*>(image.rgba.data()),
            static_cast<std::streamsize>(image.rgba.size()));
  out.close();
  if (out) return claim->commit();
  return Error{ErrorCode::FileUnwritable, "the array cannot be written", file.string(),
               "choose a folder that you may write to, and that has space"};
}

/// A PNG, and what goes with it. Only both are there.
Result<void> writePicture(const Image& image, const fs::path& file, int compression) {
  if (const Result<void> written = writePng(image, file, compression); !written) return written;
  if (image.pixels != Pixels::Depth) return {};
  const Result<void> written = writeNpy(image, fs::path(file).replace_extension(".npy"));
  std::error_code ignored;
  if (!written) fs::remove(file, ignored);
  return written;
}

/// A video or a GIF.
template <class Writer>
class Moving final : public PictureSink {
 public:
  explicit Moving(std::unique_ptr<Writer> writer) : writer_(std::move(writer)) {}
  Result<void> add(Image image) override { return writer_->add(image); }
  Result<void> finish() override { return writer_->finish(); }
  std::string notice() const override {
    if constexpr (requires { writer_->notice(); }) return writer_->notice();
    return {};
  }

 private:
  std::unique_ptr<Writer> writer_;
};

/// One PNG: the last picture, or several on one sheet.
class OnePng final : public PictureSink {
 public:
  explicit OnePng(const PictureRequest& request)
      : file_(request.out), arrangement_(request.arrangement), compression_(compressionOf(request.quality)) {}

  ~OnePng() override { OutputClaim::release(file_); }

  /// What cannot be written is known before the pictures are drawn.
  Result<void> check() const { return OutputClaim::reserve(file_); }
  Result<void> add(Image image) override {
    if (arrangement_ == Arrangement::OneByOne) pictures_.clear();
    pictures_.push_back(std::move(image));
    return {};
  }
  Result<void> finish() override {
    constexpr int kColumns = 4, kSheetGap = 3, kStripGap = 6;
    constexpr Hex kPaper = 0xFFFFFF;
    if (pictures_.empty()) return {};
    if (arrangement_ == Arrangement::OneByOne) return writePicture(pictures_.front(), file_, compression_);
    const bool strip = arrangement_ == Arrangement::Strip;
    const int columns = strip ? static_cast<int>(pictures_.size()) : kColumns;
    return writePng(
        contactSheet(pictures_, columns, strip ? kStripGap : kSheetGap, strip ? kPaper : palette::kWindow),
        file_, compression_);
  }

 private:
  fs::path file_;
  Arrangement arrangement_;
  int compression_;
  std::vector<Image> pictures_;
};

/// frame_000000.png and so on.
class Folder final : public PictureSink {
 public:
  explicit Folder(const PictureRequest& request)
      : folder_(request.out), compression_(compressionOf(request.quality)) {}

  Result<void> make() {
    std::error_code error;
    fs::create_directory(folder_, error);
    if (!fs::is_directory(folder_, error))
      return Error{ErrorCode::FileUnwritable, "the folder cannot be made", folder_.string(),
                   "choose a path that you may write to"};
    Result<OutputClaim> claim = OutputClaim::take(claimedIn(folder_));
    if (!claim) return claim.error();
    claim_.emplace(std::move(*claim));
    return {};
  }
  Result<void> add(Image image) override {
    char name[32];
    std::snprintf(name, sizeof name, "frame_%06d.png", count_++);
    return writePicture(image, folder_ / name, compression_);
  }
  Result<void> finish() override { return {}; }

 private:
  fs::path folder_;
  std::optional<OutputClaim> claim_;
  int compression_;
  int count_ = 0;
};

template <class Writer>
Result<std::unique_ptr<PictureSink>> moving(const PictureRequest& request, int width, int height) {
  auto writer = Writer::create(request.out, width, height, request.fps, request.quality);
  if (!writer) return writer.error();
  return std::unique_ptr<PictureSink>(std::make_unique<Moving<Writer>>(std::move(writer).value()));
}

}  // namespace

Result<std::unique_ptr<PictureSink>> PictureSink::create(const PictureRequest& request, OutputFormat format,
                                                         int width, int height) {
  switch (format) {
    case OutputFormat::Mp4:
    case OutputFormat::WebM:
      return moving<VideoWriter>(request, width, height);
    case OutputFormat::Gif:
      return moving<GifWriter>(request, width, height);
    case OutputFormat::Png: {
      auto png = std::make_unique<OnePng>(request);
      if (const Result<void> checked = png->check(); !checked) return checked.error();
      return std::unique_ptr<PictureSink>(std::move(png));
    }
    case OutputFormat::Folder:
      break;
  }
  auto folder = std::make_unique<Folder>(request);
  if (const Result<void> made = folder->make(); !made) return made.error();
  return std::unique_ptr<PictureSink>(std::move(folder));
}

}  // namespace slipstick::render
