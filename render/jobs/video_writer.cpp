#include "render/jobs/video_writer.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/number_text.h"
#include "render/jobs/muxed_file.h"

namespace slipstick::render {
namespace {

bool isWebM(const std::filesystem::path& file) {
  const Result<OutputFormat> format = outputFormatOf(file.string());
  return format && *format == OutputFormat::WebM;
}

/// Every player reads H.264, every browser VP9; MPEG-4 part 2 is what a system without an H.264 encoder still has.
const AVCodec* chooseEncoder(bool webm) {
  if (webm) return avcodec_find_encoder_by_name("libvpx-vp9");
  for (const char* name : {"libx264", "libopenh264"})
    if (const AVCodec* codec = avcodec_find_encoder_by_name(name)) return codec;
  return avcodec_find_encoder(AV_CODEC_ID_MPEG4);
}

/// What an encoder is asked for: a constant quality, and how long to look for a small file.
struct EncoderSettings {
  const char *crf, *effort;
};

EncoderSettings settingsOf(bool vp9, OutputQuality quality) {
  switch (quality) {
    case OutputQuality::Draft:
      return vp9 ? EncoderSettings{"40", "8"} : EncoderSettings{"26", "veryfast"};
    case OutputQuality::Best:
      return vp9 ? EncoderSettings{"18", "2"} : EncoderSettings{"12", "slow"};
    case OutputQuality::Good:
      break;
  }
  return vp9 ? EncoderSettings{"28", "5"} : EncoderSettings{"17", "medium"};
}

AVDictionary* optionsOf(const AVCodec& encoder, OutputQuality quality) {
  const std::string_view name(encoder.name);
  const bool vp9 = name == "libvpx-vp9";
  AVDictionary* options = nullptr;
  if (!vp9 && name != "libx264") return options;
  const EncoderSettings settings = settingsOf(vp9, quality);
  av_dict_set(&options, "crf", settings.crf, 0);
  av_dict_set(&options, vp9 ? "cpu-used" : "preset", settings.effort, 0);
  // On AVX-512, x264 0.164 takes what memory happens to hold into its macroblock tree: equal pictures would give other
  // files each time. Whoever has AVX-512 has these.
  if (!vp9 && (av_get_cpu_flags() & AV_CPU_FLAG_AVX512))
    av_dict_set(&options, "x264-params", "asm=AVX2,FMA3,BMI1,BMI2,LZCNT", 0);
  if (vp9) {
    av_dict_set(&options, "deadline", "good", 0);
    av_dict_set(&options, "row-mt", "1", 0);
    av_dict_set(&options, "tile-columns", "2", 0);
  }
  return options;
}

}  // namespace

struct VideoWriter::Impl {
  int width = 0, height = 0;  ///< of the images
  MuxedFile file;
  Owned<AVCodecContext> codec;
  Owned<SwsContext> convert;
  Owned<AVFrame> frame;
  std::int64_t frames = 0;

  Result<void> openCodec(bool webm, double fps, OutputQuality quality);
  Result<void> openConversion();
};

Result<void> VideoWriter::Impl::openCodec(bool webm, double fps, OutputQuality quality) {
  const AVCodec* encoder = chooseEncoder(webm);
  if (!encoder)
    return Error{ErrorCode::DeviceFailure, webm ? "no VP9 encoder" : "no video encoder", "FFmpeg",
                 webm ? "install FFmpeg's libavcodec with libvpx, or write an MP4"
                      : "install FFmpeg's libavcodec with libx264 (Debian: libavcodec59)"};
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
  codec->thread_count = 0;  // as many as there are cores
  if (file.wantsGlobalHeader()) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  AVDictionary* options = optionsOf(*encoder, quality);
  codec->bit_rate = options ? 0 : static_cast<std::int64_t>(0.2 * width * height * fps);
  const int status = avcodec_open2(codec.get(), encoder, &options);
  av_dict_free(&options);
  if (status < 0)
    return Error{
        ErrorCode::DeviceFailure, std::string(encoder->name) + " does not start: " + ffmpegReason(status),
        std::to_string(width) + " x " + std::to_string(height) + " at " + significant(fps) + " frames/s",
        "try another size or rate"};
  return {};
}

Result<void> VideoWriter::Impl::openConversion() {
  frame.reset(av_frame_alloc());
  frame->format = codec->pix_fmt;
  frame->width = codec->width;
  frame->height = codec->height;
  if (const int status = av_frame_get_buffer(frame.get(), 0); status < 0)
    return ffmpegFailed("no memory for a video frame", file.path(), status);
  convert.reset(sws_getContext(width, height, AV_PIX_FMT_RGBA, codec->width, codec->height,
                               AV_PIX_FMT_YUV420P, SWS_BICUBIC, nullptr, nullptr, nullptr));
  if (!convert)
    return ffmpegFailed("FFmpeg cannot convert the picture's colours", file.path(), AVERROR(EINVAL));
  const int* bt709 = sws_getCoefficients(SWS_CS_ITU709);
  sws_setColorspaceDetails(convert.get(), bt709, 1, bt709, 0, 0, 1 << 16, 1 << 16);
  return {};
}

VideoWriter::VideoWriter() = default;
VideoWriter::~VideoWriter() = default;

Result<std::unique_ptr<VideoWriter>> VideoWriter::create(const std::filesystem::path& file, int width,
                                                         int height, double fps, OutputQuality quality) {
  if (width < 2 || height < 2 || width > 16384 || height > 16384 || !(fps >= 0.01 && fps <= 1000))
    return Error{ErrorCode::InvalidValue,
                 "a video of " + std::to_string(width) + " x " + std::to_string(height) + " at " +
                     significant(fps) + " frames/s",
                 file.string(), "use sizes from 2 to 16384 pixels and rates from 0.01 to 1000"};
  std::unique_ptr<VideoWriter> writer(new VideoWriter);
  writer->impl_ = std::make_unique<Impl>();
  Impl& w = *writer->impl_;
  w.width = width;
  w.height = height;
  const bool webm = isWebM(file);
  if (const Result<void> chosen = w.file.choose(file, webm ? "webm" : "mp4"); !chosen) return chosen.error();
  if (const Result<void> codec = w.openCodec(webm, fps, quality); !codec) return codec.error();
  if (const Result<void> conversion = w.openConversion(); !conversion) return conversion.error();
  AVDictionary* options = nullptr;
  if (!webm) av_dict_set(&options, "movflags", "+faststart", 0);
  if (const Result<void> opened = w.file.open(*w.codec, options); !opened) return opened.error();
  return writer;
}

std::string VideoWriter::notice() const {
  const AVCodecID codec = impl_->codec->codec_id;
  if (codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_VP9) return {};
  return std::string("no H.264 encoder is installed: the video is ") + avcodec_get_name(codec) +
         ", which fewer players read";
}

Result<void> VideoWriter::add(const Image& image) {
  Impl& w = *impl_;
  if (image.width != w.width || image.height != w.height)
    return Error{ErrorCode::InvalidValue, "a frame of another size than the video", w.file.path().string(),
                 "draw every frame in the size that the video was opened with"};
  if (const int status = av_frame_make_writable(w.frame.get()); status < 0)
    return ffmpegFailed("no memory for a video frame", w.file.path(), status);
  const std::uint8_t* source[1] = {image.rgba.data()};
  const int stride[1] = {4 * image.width};
  sws_scale(w.convert.get(), source, stride, 0, image.height, w.frame->data, w.frame->linesize);
  w.frame->pts = w.frames++;
  return w.file.encode(*w.codec, w.frame.get());
}

Result<void> VideoWriter::finish() {
  if (const Result<void> drained = impl_->file.encode(*impl_->codec, nullptr); !drained)
    return drained.error();
  return impl_->file.finish();
}

}  // namespace slipstick::render
