#include "assets/convex_cell.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace slipstick::assets {
namespace {

constexpr double kOnPlane = 1e-9;  // of the mesh's size: so near a plane is on it

/// The solid angle of a triangle as seen from the origin (Van Oosterom and Strackee 1983).
double solidAngle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

double sizeOf(const TriangleMesh& mesh) {
  const Aabb box = boundsOf(mesh);
  return (box.upper - box.lower).norm();
}

/// Puts what lies below a plane into one list and closes it on the plane by triangles of another.
class Clipper {
 public:
  /// @param middle  of the closing triangles: any point of the plane
  Clipper(const HalfSpace& plane, double tolerance, const Vec3& middle, std::vector<Triangle>& caps)
      : plane_(plane), tolerance_(tolerance), middle_(middle), caps_(caps) {}

  void clip(const Triangle& triangle, std::vector<Triangle>& into) {
    std::array<double, 3> h{};
    for (std::size_t k = 0; k < 3; ++k) {
      h[k] = plane_.height(triangle[k]);
      if (std::abs(h[k]) < tolerance_) h[k] = 0;
    }
    const bool isFlat = h[0] == 0 && h[1] == 0 && h[2] == 0;
    // One that lies in the plane bounds what is below where it faces up.
    if (isFlat ? areaVector(triangle).dot(plane_.normal) <= 0
               : *std::max_element(h.begin(), h.end()) > 0 && *std::min_element(h.begin(), h.end()) >= 0)
      return;
    polygon_.clear();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      if (h[k] <= 0) polygon_.push_back({triangle[k], h[k] == 0});
      if (h[k] * h[next] < 0)
        polygon_.push_back({triangle[k] + h[k] / (h[k] - h[next]) * (triangle[next] - triangle[k]), true});
    }
    for (std::size_t k = 1; k + 1 < polygon_.size(); ++k)
      into.push_back({polygon_[0].p, polygon_[k].p, polygon_[k + 1].p});
    for (std::size_t k = 0; k < polygon_.size(); ++k) {
      const Corner &from = polygon_[k], &to = polygon_[(k + 1) % polygon_.size()];
      if (from.isOnPlane && to.isOnPlane) caps_.push_back({middle_, to.p, from.p});
    }
  }

 private:
  struct Corner {
    Vec3 p;
    bool isOnPlane;
  };
  const HalfSpace& plane_;
  const double tolerance_;
  const Vec3 middle_;
  std::vector<Triangle>& caps_;
  std::vector<Corner> polygon_;
};

/// The vertices of a polygon's edges, by their coordinates.
using Known = std::map<std::array<double, 3>, std::size_t>;

}  // namespace

Solid::Solid(const TriangleMesh& mesh) : mesh_(mesh), isClosed_(openEdges(mesh) == 0), size_(sizeOf(mesh)) {
  if (signedVolume(mesh_) < 0)
    for (Eigen::Vector3i& t : mesh_.triangles) std::swap(t[0], t[1]);
}

bool Solid::contains(const Vec3& p) const {
  if (!isClosed_) return false;
  double sum = 0;
  for (const Eigen::Vector3i& t : mesh_.triangles) {
    const Triangle c = cornersOf(mesh_, t);
    sum += solidAngle(c[0] - p, c[1] - p, c[2] - p);
  }
  return std::abs(sum) > 2 * std::numbers::pi;
}

Piece::Piece(const Solid& solid) : solid_(&solid) {
  for (const Eigen::Vector3i& t : solid.mesh().triangles) surface_.push_back(cornersOf(solid.mesh(), t));
  index();
}

Piece::Piece(const Solid& solid, const std::vector<HalfSpace>& cell) : solid_(&solid) {
  for (const Eigen::Vector3i& t : solid.mesh().triangles) surface_.push_back(cornersOf(solid.mesh(), t));
  for (const HalfSpace& plane : cell) cut(plane);
  index();
}

void Piece::index() {
  Known known;
  const auto indexOf = [&](const Vec3& p) {
    const auto [place, isNew] = known.try_emplace({p.x(), p.y(), p.z()}, vertices_.size());
    if (isNew) vertices_.push_back(p);
    return place->second;
  };
  vertices_.clear();
  edges_.clear();
  for (const Triangle& t : surface_) {
    const std::array<std::size_t, 3> v = {indexOf(t[0]), indexOf(t[1]), indexOf(t[2])};
    for (std::size_t k = 0; k < 3; ++k) edges_.push_back(std::minmax(v[k], v[(k + 1) % 3]));
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

/// A piece wholly inside the solid has nothing of its surface: planes alone bound it.
Vec3 Piece::nearPoint() const {
  if (!surface_.empty()) return surface_.front()[0];
  return caps_.empty() ? Vec3(Vec3::Zero()) : caps_.front()[0];
}

double Piece::volume() const {
  if (!solid_->isClosed()) return 0;
  const Vec3 apex = nearPoint();
  double threefold = 0;
  for (const auto* list : {&surface_, &caps_})
    for (const Triangle& t : *list) threefold += areaVector(t).dot(t[0] - apex);
  return std::abs(threefold) / 3;
}

std::vector<Vec3> Piece::points() const {
  std::vector<Vec3> points = vertices_;
  points.insert(points.end(), corners_.begin(), corners_.end());
  return points;
}

/// Where a plane meets two planes of the cell inside the cell and the solid.
std::vector<Vec3> Piece::newCorners(const HalfSpace& plane) const {
  std::vector<Vec3> corners;
  const double tolerance = kOnPlane * solid_->size();
  for (std::size_t i = 0; i < cell_.size(); ++i)
    for (std::size_t j = i + 1; j < cell_.size(); ++j) {
      Mat3 normals;
      normals << plane.normal.transpose(), cell_[i].normal.transpose(), cell_[j].normal.transpose();
      if (std::abs(normals.determinant()) < 1e-6) continue;
      const Vec3 p = normals.inverse() * Vec3(plane.offset, cell_[i].offset, cell_[j].offset);
      const bool isInCell = std::all_of(cell_.begin(), cell_.end(),
                                        [&](const HalfSpace& h) { return h.height(p) <= tolerance; });
      if (isInCell && solid_->contains(p)) corners.push_back(p);
    }
  return corners;
}

std::array<std::vector<Vec3>, 2> Piece::halves(const HalfSpace& plane) const {
  const double tolerance = kOnPlane * solid_->size();
  std::vector<double> height;
  for (const Vec3& p : vertices_) {
    const double h = plane.height(p);
    height.push_back(std::abs(h) < tolerance ? 0 : h);
  }
  std::array<std::vector<Vec3>, 2> halves;
  // A vertex on the plane belongs where edges lead from it: a wall in the plane bounds one half only.
  std::array<std::vector<char>, 2> isOf = {std::vector<char>(vertices_.size()),
                                           std::vector<char>(vertices_.size())};
  for (const auto& [a, b] : edges_) {
    for (const std::size_t end : {a, b})
      isOf[0][end] |= height[a] < 0 || height[b]<0, isOf[1][end] |= height[a]> 0 || height[b] > 0;
    if (height[a] * height[b] >= 0) continue;
    const Vec3 crossing = vertices_[a] + height[a] / (height[a] - height[b]) * (vertices_[b] - vertices_[a]);
    for (auto& half : halves) half.push_back(crossing);
  }
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    if (height[i] <= 0 && isOf[0][i] != 0) halves[0].push_back(vertices_[i]);
    if (height[i] >= 0 && isOf[1][i] != 0) halves[1].push_back(vertices_[i]);
  }
  for (const Vec3& p : corners_) halves[plane.height(p) > 0 ? 1 : 0].push_back(p);
  for (const Vec3& p : newCorners(plane))
    for (auto& half : halves) half.push_back(p);
  return halves;
}

void Piece::cut(const HalfSpace& plane) {
  std::vector<Triangle> surface, caps;
  const Vec3 middle = nearPoint();
  Clipper clipper(plane, kOnPlane * solid_->size(), middle - plane.height(middle) * plane.normal, caps);
  for (const Triangle& t : surface_) clipper.clip(t, surface);
  // What closes the piece already is cut as it is, and closed on the plane as well.
  std::vector<Triangle> older;
  for (const Triangle& t : caps_) clipper.clip(t, older);
  caps.insert(caps.end(), older.begin(), older.end());
  const std::vector<Vec3> fresh = newCorners(plane);
  std::erase_if(corners_, [&](const Vec3& p) { return plane.height(p) > 0; });
  corners_.insert(corners_.end(), fresh.begin(), fresh.end());
  surface_ = std::move(surface), caps_ = std::move(caps);
  cell_.push_back(plane);
}

Piece Piece::below(const HalfSpace& plane) const {
  Piece piece = *this;
  piece.cut(plane);
  piece.index();
  return piece;
}

}  // namespace slipstick::assets
