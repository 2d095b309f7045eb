#include "assets/convex_hull.h"

#include <libqhull_r/libqhull_r.h>

#include <cstdio>
#include <map>

#include "engine/geometry/triangle_mesh.h"

namespace slipstick::assets {
namespace {

/// A run of Qhull with its memory, silent.
class Hull {
 public:
  explicit Hull(const std::vector<Vec3>& points) : silence_(std::fopen("/dev/null", "w")) {
    coordinates_.reserve(3 * points.size());
    for (const Vec3& p : points) coordinates_.insert(coordinates_.end(), p.data(), p.data() + 3);
    std::string command = "qhull Qt Pp";  // triangles
    if (!silence_) return;
    qh_zero(&qh_, silence_);
    failed_ = qh_new_qhull(&qh_, 3, static_cast<int>(points.size()), coordinates_.data(), 0, command.data(),
                           silence_, silence_) != 0;
    ran_ = true;
  }
  ~Hull() {
    if (ran_) qh_freeqhull(&qh_, 1);
    int left = 0, bytes = 0;
    if (ran_) qh_memfreeshort(&qh_, &left, &bytes);
    if (silence_) std::fclose(silence_);
  }
  Hull(const Hull&) = delete;
  Hull& operator=(const Hull&) = delete;

  bool failed() const { return failed_; }

  /// Indices of points, three to a facet, in no certain sense of rotation.
  std::vector<Eigen::Vector3i> facets() {
    std::vector<Eigen::Vector3i> all;
    for (const facetT* facet = qh_.facet_list; facet && facet->next; facet = facet->next) {
      Eigen::Vector3i corners;
      int count = 0;
      for (const setelemT* e = facet->vertices->e; e->p; ++e, ++count)
        if (count < 3) corners[count] = qh_pointid(&qh_, static_cast<const vertexT*>(e->p)->point);
      if (count == 3) all.push_back(corners);
    }
    return all;
  }

 private:
  std::FILE* silence_;
  std::vector<double> coordinates_;
  qhT qh_ = {};
  bool failed_ = true, ran_ = false;
};

}  // namespace

Result<std::shared_ptr<const TriangleMesh>> convexHull(const std::vector<Vec3>& points) {
  const Error flat = {ErrorCode::InvalidValue, "its points lie in a plane", "",
                      "give it a thickness, or use a box or a plane"};
  if (points.size() < 4) return flat;
  Hull hull(points);
  if (hull.failed()) return flat;
  auto mesh = std::make_shared<TriangleMesh>();
  std::map<int, int> vertexOf;
  for (const Eigen::Vector3i& facet : hull.facets()) {
    Eigen::Vector3i triangle;
    for (int k = 0; k < 3; ++k) {
      const auto [known, isNew] = vertexOf.emplace(facet[k], static_cast<int>(mesh->vertices.size()));
      if (isNew) mesh->vertices.push_back(points[static_cast<std::size_t>(facet[k])]);
      triangle[k] = known->second;
    }
    mesh->triangles.push_back(triangle);
  }
  Vec3 middle = Vec3::Zero();
  for (const Vec3& v : mesh->vertices) middle += v / static_cast<double>(mesh->vertices.size());
  for (Eigen::Vector3i& t : mesh->triangles) {
    const Triangle corners = cornersOf(*mesh, t);
    if (areaVector(corners).dot(corners[0] - middle) < 0) std::swap(t[1], t[2]);
  }
  return std::shared_ptr<const TriangleMesh>(std::move(mesh));
}

}  // namespace slipstick::assets
