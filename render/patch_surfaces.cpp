#include "render/patch_surfaces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "engine/geometry/shape_bounds.h"
#include "render/contact_facts.h"
#include "render/palette.h"

namespace slipstick::render {
namespace {

/// One name for all vertices at one place: the polygons of a patch do not share theirs.
std::vector<int> weld(const std::vector<PressurePatch::Vertex>& vertices, float tolerance) {
  std::vector<int> order(vertices.size()), name(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&vertices](int i) -> const Eigen::Vector3f& {
    return vertices[static_cast<std::size_t>(i)].p_W;
  };
  std::sort(order.begin(), order.end(), [&at](int a, int b) { return at(a).x() < at(b).x(); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    int& mine = name[static_cast<std::size_t>(order[i])];
    mine = order[i];
    for (std::size_t k = i; k-- > 0 && at(order[i]).x() - at(order[k]).x() <= tolerance;) {
      if ((at(order[i]) - at(order[k])).norm() > tolerance) continue;
      mine = name[static_cast<std::size_t>(order[k])];
      break;
    }
  }
  return name;
}

float tolerance(const PressurePatch& patch) {
  Eigen::AlignedBox3f box;
  for (const PressurePatch::Vertex& v : patch.vertices) box.extend(v.p_W);
  return std::max(2e-4f * box.diagonal().norm(), 1e-6f);
}

/// Edges that belong to one polygon only: the rim of the patch.
std::vector<Eigen::Vector3f> outlineOf(const PressurePatch& patch) {
  const std::vector<int> name = weld(patch.vertices, tolerance(patch));
  std::map<std::pair<int, int>, int> uses;
  std::size_t begin = 0;
  for (const std::int32_t polygonEnd : patch.polygonEnds) {
    const auto end = static_cast<std::size_t>(polygonEnd);
    for (std::size_t i = begin; i < end; ++i) {
      const int a = name[i], b = name[i + 1 < end ? i + 1 : begin];
      if (a != b) ++uses[std::minmax(a, b)];
    }
    begin = end;
  }
  std::vector<Eigen::Vector3f> outline;
  for (const auto& [edge, count] : uses) {
    if (count != 1) continue;
    outline.push_back(patch.vertices[static_cast<std::size_t>(edge.first)].p_W);
    outline.push_back(patch.vertices[static_cast<std::size_t>(edge.second)].p_W);
  }
  return outline;
}

/// About the size of the smaller of the two shapes that press.
float reachOf(const Model& model, const PressurePatch& patch) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::int32_t g : {patch.geometry, patch.otherGeometry}) {
    const Eigen::AlignedBox3d box = roughBounds(model.geometries[static_cast<std::size_t>(g)].shape);
    if (!box.isEmpty()) least = std::min(least, 0.8 * box.diagonal().norm());
  }
  return static_cast<float>(std::isfinite(least) ? least : 0);
}

/// Depth of the contact of a patch that is nearest to a point [m].
float depthNear(const FrameInput& input, int patch, const Eigen::Vector3f& p) {
  double nearest = std::numeric_limits<double>::infinity(), depth = 0;
  for (const Contact& c : input.snapshot->contacts) {
    const double far = (c.p_WC - p.cast<double>()).squaredNorm();
    if (c.patch != patch || far >= nearest) continue;
    nearest = far;
    depth = c.penetration();
  }
  return static_cast<float>(depth);
}

}  // namespace

PatchSurface patchSurface(const FrameInput& input, int index, bool depths) {
  const PressurePatch& patch = input.snapshot->patches[static_cast<std::size_t>(index)];
  PatchSurface surface;
  const auto corner = [&](std::size_t i) {
    const PressurePatch::Vertex& v = patch.vertices[i];
    return append(v.p_W, depths ? depthNear(input, index, v.p_W) : v.pressure);
  };
  std::size_t begin = 0;
  for (const std::int32_t polygonEnd : patch.polygonEnds) {
    const auto end = static_cast<std::size_t>(polygonEnd);
    for (std::size_t i = begin + 1; i + 1 < end; ++i)
      surface.triangles.insert(surface.triangles.end(), {corner(begin), corner(i), corner(i + 1)});
    begin = end;
  }
  for (const PressurePatch::Vertex& v : patch.vertices)
    surface.center += v.p_W / static_cast<float>(patch.vertices.size());
  surface.outline = outlineOf(patch);
  surface.reach = reachOf(*input.model, patch);
  return surface;
}

double forceOf(const PressurePatch& patch) {
  const PatchFacts facts = factsOf(patch);
  return facts.area * facts.meanPressure;
}

}  // namespace slipstick::render
