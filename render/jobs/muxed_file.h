// A file that FFmpeg muxes, owners of FFmpeg's objects, and its errors in words. Part of the writers of videos.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/cpu.h>
#include <libswscale/swscale.h>
}

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "engine/foundation/output_claim.h"
#include "engine/foundation/result.h"

namespace slipstick::render {

struct FreeFfmpeg {
  void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
  void operator()(AVFormatContext* p) const {
    if (p->pb) avio_closep(&p->pb);
    avformat_free_context(p);
  }
  void operator()(AVFrame* p) const { av_frame_free(&p); }
  void operator()(AVPacket* p) const { av_packet_free(&p); }
  void operator()(SwsContext* p) const { sws_freeContext(p); }
};
template <class T>
using Owned = std::unique_ptr<T, FreeFfmpeg>;

inline std::string ffmpegReason(int code) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(code, text.data(), text.size());
  return text.data();
}

inline Error ffmpegFailed(const std::string& what, const std::filesystem::path& file, int code) {
  return {ErrorCode::FileUnwritable, what + ": " + ffmpegReason(code), file.string(),
          "choose a folder that exists, that you may write to, and that has space"};
}

/// A file that a muxer writes packets into. It has its name once it is finished: before, it would not play.
class MuxedFile {
 public:
  MuxedFile() = default;
  MuxedFile(const MuxedFile&) = delete;
  MuxedFile& operator=(const MuxedFile&) = delete;

  /// @param format  of FFmpeg: "mp4"
  Result<void> choose(const std::filesystem::path& file, const char* format);
  bool wantsGlobalHeader() const { return container_->oformat->flags & AVFMT_GLOBALHEADER; }
  /// Opens the file with one stream of what the encoder makes, and writes its header.
  /// @param options  of the muxer; freed here
  Result<void> open(const AVCodecContext& codec, AVDictionary* options);
  /// Of the pictures from now on, in the encoder's time base; 1 at first.
  void setDuration(std::int64_t duration) { duration_ = duration; }
  /// Encodes and writes. @param picture  null drains what the encoder still holds
  Result<void> encode(AVCodecContext& codec, const AVFrame* picture);
  Result<void> finish();
  const std::filesystem::path& path() const { return file_; }

 private:
  std::filesystem::path file_;
  std::optional<OutputClaim> claim_;
  Owned<AVFormatContext> container_;
  Owned<AVPacket> packet_;
  AVStream* stream_ = nullptr;
  std::int64_t duration_ = 1;
};

}  // namespace slipstick::render
