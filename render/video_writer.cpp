extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
}

#include <array>
#include <cmath>

#include "render/offscreen.h"

namespace slipstick::render {
namespace {

struct Free {
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
using Owned = std::unique_ptr<T, Free>;

std::string reason(int code) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(code, text.data(), text.size());
  return text.data();
}

Error failed(const std::string& what, const std::filesystem::path& file, int code) {
  return {ErrorCode::FileUnwritable, what + ": " + reason(code), file.string(),
          "choose a folder that exists, that you may write to, and that has space"};
}

/// Every player reads H.264; MPEG-4 part 2 is what a system without an H.264 encoder still has.
const AVCodec* chooseEncoder() {
  for (const char* name : {"libx264", "libopenh264"})
    if (const AVCodec* codec = avcodec_find_encoder_by_name(name)) return codec;
  return avcodec_find_encoder(AV_CODEC_ID_MPEG4);
}

}  // namespace

struct VideoWriter::Impl {
  std::filesystem::path file;
  int width = 0, height = 0;  ///< of the images
  Owned<AVFormatContext> container;
  Owned<AVCodecContext> codec;
  Owned<SwsContext> convert;
  Owned<AVFrame> frame;
  Owned<AVPacket> packet;
  AVStream* stream = nullptr;
  std::int64_t frames = 0;
  bool opened = false, complete = false;

  Result<void> openCodec(double fps);
  Result<void> openFile();
  Result<void> encode(const AVFrame* picture);
};

Result<void> VideoWriter::Impl::openCodec(double fps) {
  const AVCodec* encoder = chooseEncoder();
  if (!encoder)
    return Error{ErrorCode::DeviceFailure, "no video encoder", "FFmpeg",
                 "install FFmpeg's libavcodec with libx264 (Debian: libavcodec59)"};
  codec.reset(avcodec_alloc_context3(encoder));
  codec->width = (width + 1) / 2 * 2;  // yuv420p halves both directions
  codec->height = (height + 1) / 2 * 2;
  codec->pix_fmt = AV_PIX_FMT_YUV420P;
  codec->framerate = av_d2q(fps, 100000);
  codec->time_base = av_inv_q(codec->framerate);
  codec->gop_size = static_cast<int>(std::ceil(2 * fps));
  codec->color_range = AVCOL_RANGE_MPEG;
  codec->colorspace = AVCOL_SPC_BT709;
  codec->color_primaries = AVCOL_PRI_BT709;
  codec->color_trc = AVCOL_TRC_BT709;
  codec->bit_rate = static_cast<std::int64_t>(0.2 * width * height * fps);
  if (container->oformat->flags & AVFMT_GLOBALHEADER) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  AVDictionary* options = nullptr;
  if (std::string_view(encoder->name) == "libx264") {
    codec->bit_rate = 0;
    av_dict_set(&options, "crf", "17", 0);
    av_dict_set(&options, "preset", "medium", 0);
  }
  const int status = avcodec_open2(codec.get(), encoder, &options);
  av_dict_free(&options);
  if (status < 0)
    return Error{
        ErrorCode::DeviceFailure, std::string(encoder->name) + " does not start: " + reason(status),
        std::to_string(width) + " x " + std::to_string(height) + " at " + std::to_string(fps) + " frames/s",
        "try another size or rate"};
  return {};
}

Result<void> VideoWriter::Impl::openFile() {
  stream = avformat_new_stream(container.get(), nullptr);
  stream->time_base = codec->time_base;
  stream->avg_frame_rate = codec->framerate;
  avcodec_parameters_from_context(stream->codecpar, codec.get());
  if (const int status = avio_open(&container->pb, file.c_str(), AVIO_FLAG_WRITE); status < 0)
    return failed("the video cannot be written", file, status);
  opened = true;
  AVDictionary* options = nullptr;
  av_dict_set(&options, "movflags", "+faststart", 0);
  const int status = avformat_write_header(container.get(), &options);
  av_dict_free(&options);
  if (status < 0) return failed("the video's header cannot be written", file, status);
  return {};
}

/// @param picture  null drains what the encoder still holds
Result<void> VideoWriter::Impl::encode(const AVFrame* picture) {
  int status = avcodec_send_frame(codec.get(), picture);
  while (status >= 0) {
    status = avcodec_receive_packet(codec.get(), packet.get());
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return {};
    if (status < 0) break;
    packet->stream_index = stream->index;
    packet->duration = 1;
    av_packet_rescale_ts(packet.get(), codec->time_base, stream->time_base);
    status = av_interleaved_write_frame(container.get(), packet.get());
  }
  return failed("a video frame cannot be written", file, status);
}

VideoWriter::VideoWriter() = default;

/// What was not finished would not play: it is removed.
VideoWriter::~VideoWriter() {
  if (!impl_ || impl_->complete || !impl_->opened) return;
  impl_->container.reset();
  std::error_code ignored;
  std::filesystem::remove(impl_->file, ignored);
}

Result<std::unique_ptr<VideoWriter>> VideoWriter::create(const std::filesystem::path& file, int width,
                                                         int height, double fps) {
  if (width < 2 || height < 2 || width > 16384 || height > 16384 || !(fps >= 0.01 && fps <= 1000))
    return Error{ErrorCode::InvalidValue,
                 "a video of " + std::to_string(width) + " x " + std::to_string(height) + " at " +
                     std::to_string(fps) + " frames/s",
                 file.string(), "use sizes from 2 to 16384 pixels and rates from 0.01 to 1000"};
  av_log_set_level(AV_LOG_ERROR);
  std::unique_ptr<VideoWriter> writer(new VideoWriter);
  writer->impl_ = std::make_unique<Impl>();
  Impl& w = *writer->impl_;
  w.file = file;
  w.width = width;
  w.height = height;
  AVFormatContext* container = nullptr;
  if (const int status = avformat_alloc_output_context2(&container, nullptr, "mp4", file.c_str()); status < 0)
    return failed("FFmpeg cannot make an MP4", file, status);
  w.container.reset(container);
  if (const Result<void> codec = w.openCodec(fps); !codec.ok()) return codec.error();
  if (const Result<void> opened = w.openFile(); !opened.ok()) return opened.error();
  w.frame.reset(av_frame_alloc());
  w.frame->format = w.codec->pix_fmt;
  w.frame->width = w.codec->width;
  w.frame->height = w.codec->height;
  w.packet.reset(av_packet_alloc());
  if (const int status = av_frame_get_buffer(w.frame.get(), 0); status < 0)
    return failed("no memory for a video frame", file, status);
  w.convert.reset(sws_getContext(width, height, AV_PIX_FMT_RGBA, w.codec->width, w.codec->height,
                                 AV_PIX_FMT_YUV420P, SWS_BICUBIC, nullptr, nullptr, nullptr));
  if (!w.convert) return failed("FFmpeg cannot convert the picture's colours", file, AVERROR(EINVAL));
  const int* bt709 = sws_getCoefficients(SWS_CS_ITU709);
  sws_setColorspaceDetails(w.convert.get(), bt709, 1, bt709, 0, 0, 1 << 16, 1 << 16);
  return writer;
}

std::string VideoWriter::notice() const {
  if (impl_->codec->codec_id == AV_CODEC_ID_H264) return {};
  return "no H.264 encoder is installed: the video is " +
         std::string(avcodec_get_name(impl_->codec->codec_id)) + ", which fewer players read";
}

Result<void> VideoWriter::add(const Image& image) {
  Impl& w = *impl_;
  if (image.width != w.width || image.height != w.height)
    return Error{ErrorCode::InvalidValue, "a frame of another size than the video", w.file.string(),
                 "draw every frame in the size that the video was opened with"};
  if (const int status = av_frame_make_writable(w.frame.get()); status < 0)
    return failed("no memory for a video frame", w.file, status);
  const std::uint8_t* source[1] = {image.rgba.data()};
  const int stride[1] = {4 * image.width};
  sws_scale(w.convert.get(), source, stride, 0, image.height, w.frame->data, w.frame->linesize);
  w.frame->pts = w.frames++;
  return w.encode(w.frame.get());
}

Result<void> VideoWriter::finish() {
  Impl& w = *impl_;
  if (const Result<void> drained = w.encode(nullptr); !drained.ok()) return drained.error();
  if (const int status = av_write_trailer(w.container.get()); status < 0)
    return failed("the video's end cannot be written", w.file, status);
  const int status = avio_closep(&w.container->pb);
  if (status < 0) return failed("the video cannot be closed", w.file, status);
  w.complete = true;
  return {};
}

}  // namespace slipstick::render
