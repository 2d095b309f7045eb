#include "app/demo_pictures.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/picture_view.h"

namespace slipstick::app {
namespace {

using assets::DemoPicture;
using assets::DemoPictureField;
using nlohmann::ordered_json;
using render::PicturePass;

/// Without the camera's name and the size.
DemoPictureField fieldOf(PicturePass pass) {
  using Number = DemoPictureField::Number;
  switch (pass) {
    case PicturePass::Depth:
      return {"depth",
              Number::F32,
              0,
              0,
              1,
              "m",
              "distance from the plane of the eye, along the view; 0: nothing is there"};
    case PicturePass::Normals:
      return {
          "normals",
          Number::U8,
          0,
          0,
          3,
          "",
          "127.5 (1 + n), n the unit normal: x right, y up, z towards the camera; 0, 0, 0: nothing is there"};
    case PicturePass::Segmentation:
      return {"segmentation", Number::U16, 0, 0, 1, "", "ids by the demonstration's attribute 'segments'"};
    case PicturePass::Color:
      break;
  }
  return {"image", Number::U8, 0, 0, 3, "", "red, green, blue in sRGB"};
}

/// The first three bytes of each pixel.
std::vector<std::uint8_t> withoutOpacity(const render::Image& image) {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(image.rgba.size() / 4 * 3);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    rgb.insert(rgb.end(), image.rgba.begin() + static_cast<std::ptrdiff_t>(i),
               image.rgba.begin() + static_cast<std::ptrdiff_t>(i + 3));
  return rgb;
}

template <class To, class From>
std::vector<To> numbersOf(const render::Image& image) {
  std::vector<To> numbers;
  numbers.reserve(image.rgba.size() / 4);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) numbers.push_back(static_cast<To>(image.at<From>(x, y)));
  return numbers;
}

DemoPicture pictureOf(const render::Image& image) {
  if (image.pixels == render::Pixels::Depth) return numbersOf<float, float>(image);
  if (image.pixels == render::Pixels::Ids) return numbersOf<std::uint16_t, std::uint32_t>(image);
  return withoutOpacity(image);
}

ordered_json jsonOf(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

/// As OpenCV has it: a point at (x, y, z) of the camera, x right, y down, z ahead, is seen at fx x/z + cx, fy y/z + cy,
/// where the middle of the upper left pixel is at (0.5, 0.5).
ordered_json jsonOf(const CameraSpec& spec, int width, int height) {
  const render::Camera camera = render::Camera::from(spec);
  const double focal = height * camera.distance /
                       camera.heightAtTarget(static_cast<double>(width) / static_cast<double>(height));
  return {{"name", spec.name},
          {"body", spec.body.empty() ? "world" : spec.body},
          {"position", jsonOf(spec.position)},
          {"target", jsonOf(spec.target)},
          {"up", jsonOf(spec.up)},
          {"width", width},
          {"height", height},
          {"fx", focal},
          {"fy", focal},
          {"cx", width / 2.0},
          {"cy", height / 2.0}};
}

ordered_json jsonOf(const std::vector<render::Segment>& segments) {
  ordered_json list = ordered_json::array();
  for (const render::Segment& segment : segments)
    list.push_back({{"id", list.size()}, {"kind", segment.kind}, {"name", segment.name}});
  return list;
}

std::string textOf(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

RenderedDemoPictures::RenderedDemoPictures(DemoPictureOptions options) : options_(std::move(options)) {
  view_.hud = view_.forces = view_.boundaries = false;
}

Result<void> RenderedDemoPictures::begin(std::shared_ptr<const Model> model) {
  Result<std::vector<CameraSpec>> named = camerasNamed(*model, options_.cameras, "--cameras");
  if (!named) return named.error();
  cameras_.clear();
  for (CameraSpec& camera : *named)
    if (std::find(cameras_.begin(), cameras_.end(), camera) == cameras_.end())
      cameras_.push_back(std::move(camera));
  if (!renderer_) {
    auto created = render::OffscreenRenderer::create(options_.width, options_.height);
    if (!created) return created.error();
    renderer_ = std::move(created).value();
  }
  model_ = std::move(model);
  renderer_->setModel(model_);
  builders_ = std::vector<render::FrameBuilder>(cameras_.size());
  return {};
}

std::vector<DemoPictureField> RenderedDemoPictures::fields() const {
  std::vector<DemoPictureField> fields;
  for (const CameraSpec& camera : cameras_)
    for (const PicturePass pass : options_.passes) {
      DemoPictureField& field = fields.emplace_back(fieldOf(pass));
      field.name = camera.name + "_" + field.name;
      std::replace(field.name.begin(), field.name.end(), '/', '_');  // HDF5 takes it for a group
      field.width = options_.width;
      field.height = options_.height;
    }
  return fields;
}

std::vector<std::pair<std::string, std::string>> RenderedDemoPictures::facts() const {
  ordered_json cameras = ordered_json::array();
  for (const CameraSpec& camera : cameras_)
    cameras.push_back(jsonOf(camera, options_.width, options_.height));
  std::vector<std::pair<std::string, std::string>> facts = {{"cameras", textOf(cameras)}};
  if (std::find(options_.passes.begin(), options_.passes.end(), PicturePass::Segmentation) !=
      options_.passes.end())
    facts.emplace_back("segments", textOf(jsonOf(render::segmentsOf(*model_))));
  return facts;
}

std::vector<DemoPicture> RenderedDemoPictures::draw(const std::shared_ptr<const Snapshot>& snapshot) {
  std::vector<DemoPicture> pictures;
  for (std::size_t i = 0; i < cameras_.size(); ++i) {
    const render::Camera camera = render::Camera::from(cameras_[i], *model_, *snapshot);
    render::FrameInput input;
    input.model = model_;
    input.snapshot = snapshot;
    input.options = view_;
    input.camera = camera;
    input.viewHeight = options_.height;
    input.aspect = renderer_->columnAspect();
    if (i > 0) builders_[i].shareSoftParts(builders_.front());
    const std::shared_ptr<const render::Frame> frame = builders_[i].build(std::move(input));
    std::optional<render::SurfaceImage> seen;
    for (const PicturePass pass : options_.passes) {
      if (pass == PicturePass::Color) {
        pictures.push_back(drawColors(snapshot, *frame, camera));
        continue;
      }
      if (!seen) seen = renderer_->surfaces(*frame, camera, view_);
      pictures.push_back(pictureOf(render::passImage(*seen, pass, *model_, camera)));
    }
  }
  return pictures;
}

DemoPicture RenderedDemoPictures::drawColors(const std::shared_ptr<const Snapshot>& snapshot,
                                             const render::Frame& frame, const render::Camera& camera) {
  render::HudInput nothing;
  nothing.model = model_.get();
  nothing.snapshot = snapshot.get();
  return pictureOf(renderer_->render(frame, camera, view_, nothing));
}

Result<std::vector<PicturePass>> demoPassesNamed(const std::vector<std::string>& words) {
  std::vector<PicturePass> passes;
  for (const std::string& word : words) {
    const Result<PicturePass> pass = render::picturePassNamed(word);
    if (!pass) return Error{pass.error().code, pass.error().what, "--passes " + word, pass.error().remedy};
    if (std::find(passes.begin(), passes.end(), *pass) == passes.end()) passes.push_back(*pass);
  }
  return passes;
}

}  // namespace slipstick::app
