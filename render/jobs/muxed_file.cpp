#include "render/jobs/muxed_file.h"

namespace slipstick::render {

Result<void> MuxedFile::choose(const std::filesystem::path& file, const char* format) {
  av_log_set_level(AV_LOG_ERROR);
  file_ = file;
  Result<OutputClaim> claim = OutputClaim::take(file);
  if (!claim) return claim.error();
  claim_.emplace(std::move(*claim));
  AVFormatContext* container = nullptr;
  if (const int status =
          avformat_alloc_output_context2(&container, nullptr, format, claim_->written().c_str());
      status < 0)
    return ffmpegFailed(std::string("FFmpeg cannot make a file of the kind ") + format, file, status);
  container_.reset(container);
  container_->flags |= AVFMT_FLAG_BITEXACT;  // no random names of tracks: equal pictures give equal files
  packet_.reset(av_packet_alloc());
  return {};
}

Result<void> MuxedFile::open(const AVCodecContext& codec, AVDictionary* options) {
  stream_ = avformat_new_stream(container_.get(), nullptr);
  stream_->time_base = codec.time_base;
  stream_->avg_frame_rate = codec.framerate;
  avcodec_parameters_from_context(stream_->codecpar, &codec);
  int status = avio_open(&container_->pb, claim_->written().c_str(), AVIO_FLAG_WRITE);
  if (status >= 0) status = avformat_write_header(container_.get(), &options);
  av_dict_free(&options);
  if (status < 0) return ffmpegFailed("the video cannot be written", file_, status);
  return {};
}

Result<void> MuxedFile::encode(AVCodecContext& codec, const AVFrame* picture) {
  int status = avcodec_send_frame(&codec, picture);
  while (status >= 0) {
    status = avcodec_receive_packet(&codec, packet_.get());
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return {};
    if (status < 0) break;
    packet_->stream_index = stream_->index;
    packet_->duration = duration_;
    av_packet_rescale_ts(packet_.get(), codec.time_base, stream_->time_base);
    status = av_interleaved_write_frame(container_.get(), packet_.get());
  }
  return ffmpegFailed("a picture cannot be written", file_, status);
}

Result<void> MuxedFile::finish() {
  if (const int status = av_write_trailer(container_.get()); status < 0)
    return ffmpegFailed("the video's end cannot be written", file_, status);
  if (const int status = avio_closep(&container_->pb); status < 0)
    return ffmpegFailed("the video cannot be closed", file_, status);
  return claim_->commit();
}

}  // namespace slipstick::render
