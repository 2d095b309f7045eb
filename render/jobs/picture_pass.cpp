#include "render/jobs/picture_pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace slipstick::render {
namespace {

constexpr std::uint32_t kGround = 1, kFirstBody = 2;

/// The colour map of the PASCAL VOC challenge, which tools for segmentation know: the bits of the id in turns to red, green
/// and blue, the lowest to their highest.
Hex colorOf(std::size_t id) {
  Hex color = 0;
  for (int bit = 7; id > 0; --bit, id >>= 3)
    color |= static_cast<Hex>((id & 1) << (16 + bit) | (id >> 1 & 1) << (8 + bit) | (id >> 2 & 1) << bit);
  return color;
}

std::uint32_t segmentAt(const PickId& id, const Model& model) {
  const auto bodies = static_cast<std::uint32_t>(model.tree.bodies.size());
  switch (id.kind) {
    case PickKind::Ground:
      return kGround;
    case PickKind::Body:
      return id.index == 0 ? kGround : kFirstBody + id.index - 1;
    case PickKind::Particle:
      for (std::size_t d = 0; d < model.deformables.size(); ++d)
        if (static_cast<int>(id.index) < model.deformables[d].end)
          return kFirstBody + bodies - 1 + static_cast<std::uint32_t>(d);
      return 0;
    default:
      return 0;
  }
}

template <class Bytes>
Image imageOf(const SurfaceImage& seen, Pixels pixels, const Bytes& bytesAt) {
  Image image{seen.width, seen.height, std::vector<std::uint8_t>(4 * seen.ids.size()), pixels, {}};
  for (std::size_t i = 0; i < seen.ids.size(); ++i) {
    const auto bytes = bytesAt(i);
    static_assert(sizeof bytes == 4);
    std::memcpy(&image.rgba[4 * i], &bytes, 4);
  }
  return image;
}

std::array<std::uint8_t, 4> bytesOf(const Eigen::Vector3f& n) {
  const auto byte = [](float x) {
    return static_cast<std::uint8_t>(std::lround(127.5f * (1 + std::clamp(x, -1.f, 1.f))));
  };
  return {byte(n.x()), byte(n.y()), byte(n.z()), 255};
}

}  // namespace

Result<PicturePass> picturePassNamed(std::string_view word) {
  if (word == "color") return PicturePass::Color;
  if (word == "depth") return PicturePass::Depth;
  if (word == "normals") return PicturePass::Normals;
  if (word == "segmentation") return PicturePass::Segmentation;
  return Error{ErrorCode::UnknownName, "there is no such picture", std::string(word),
               "choose from: color, depth, normals, segmentation"};
}

std::vector<Segment> segmentsOf(const Model& model) {
  std::vector<Segment> segments = {{"background", "", 0}, {"ground", "", 0}};
  for (std::size_t b = 1; b < model.tree.bodies.size(); ++b)
    segments.push_back({"body", model.tree.bodies[b].name, 0});
  for (const Deformable& d : model.deformables) segments.push_back({"deformable", d.name, 0});
  for (std::size_t id = 1; id < segments.size(); ++id) segments[id].color = colorOf(id);
  return segments;
}

Image passImage(const SurfaceImage& seen, PicturePass pass, const Model& model, const Camera& camera) {
  const auto isThere = [&](std::size_t i) { return seen.ids[i].kind != PickKind::Nothing; };
  if (pass == PicturePass::Depth)
    return imageOf(seen, Pixels::Depth,
                   [&](std::size_t i) { return isThere(i) ? seen.surface[i].w() : 0.f; });
  if (pass == PicturePass::Normals) {
    const Eigen::Matrix3f R_CW = camera.view().topLeftCorner<3, 3>();
    return imageOf(seen, Pixels::Color, [&](std::size_t i) {
      return isThere(i) ? bytesOf(R_CW * seen.surface[i].head<3>())
                        : std::array<std::uint8_t, 4>{0, 0, 0, 255};
    });
  }
  Image image = imageOf(seen, Pixels::Ids, [&](std::size_t i) { return segmentAt(seen.ids[i], model); });
  for (const Segment& segment : segmentsOf(model)) image.palette.push_back(segment.color);
  return image;
}

}  // namespace slipstick::render
