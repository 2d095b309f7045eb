// Contact problems of one substep in the middle of the shipped tasks, as the CPU backend built them; see
// tests/data/contact_problems/README.md.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "engine/mpm/bspline.h"
#include "engine/mpm/contact/contact_outcome.h"
#include "tests/support/test_paths.h"

namespace slipstick::mpm {

template <class Real>
struct RecordedProblem {
  ContactProblem<Real> problem;
  std::vector<DetectedContact> detected;
  std::vector<Vec3> nodeAt;                    ///< [m]
  std::vector<std::vector<NodeBound>> bounds;  ///< per node; the problem refers to them
  int bodies = 0, boundaries = 0;
};

class RecordReader {
 public:
  explicit RecordReader(const std::string& task)
      : file_(testing::sourceDir() / "tests/data/contact_problems" / (task + ".bin"), std::ios::binary) {}
  template <class Value>
  Value take() {
    Value value{};
    file_.read(reinterpret_cast<char*>(&value), sizeof value);
    if (!file_) throw std::runtime_error("the record is missing or too short");
    return value;
  }
  Vec3 takeVector() {
    const auto x = take<float>(), y = take<float>(), z = take<float>();
    return Vec3(x, y, z);
  }

 private:
  std::ifstream file_;
};

/// The 27 nodes and weights around a particle, as backends link them: nodes without mass take no part.
template <class Real>
void linkNodes(const V3<Real>& x, double h, const std::map<std::array<int, 3>, int>& nodes,
               ContactPoint<Real>& point) {
  const Bspline<Real> b = bspline(x, static_cast<Real>(1 / h));
  const std::array<int, 3> base = {static_cast<int>(b.base.x), static_cast<int>(b.base.y),
                                   static_cast<int>(b.base.z)};
  const int middle = nodes.at({base[0] + 1, base[1] + 1, base[2] + 1});
  std::size_t n = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k, ++n) {
        const auto node = nodes.find({base[0] + i, base[1] + j, base[2] + k});
        point.node[n] = node == nodes.end() ? middle : node->second;
        point.weight[n] = node == nodes.end() ? 0 : b.w[0][i] * b.w[1][j] * b.w[2][k];
      }
}

template <class Real>
V3<Real> lanesOf(const Vec3& v) {
  return {static_cast<Real>(v.x()), static_cast<Real>(v.y()), static_cast<Real>(v.z())};
}

/// @param task  file name without its ending
template <class Real>
RecordedProblem<Real> recordedProblem(const std::string& task) {
  RecordReader record(task);
  RecordedProblem<Real> r;
  const auto nodeCount = record.take<std::int32_t>(), contactCount = record.take<std::int32_t>(),
             boundCount = record.take<std::int32_t>();
  r.problem.dt = static_cast<Real>(record.take<float>());
  r.problem.stictionSpeed = static_cast<Real>(record.take<float>());
  r.problem.stictionSoftness = Real(1e-3);
  const auto h = static_cast<double>(record.take<float>());
  std::map<std::array<int, 3>, int> nodes;
  for (int i = 0; i < nodeCount; ++i) {
    const auto x = record.take<std::int16_t>(), y = record.take<std::int16_t>(),
               z = record.take<std::int16_t>();
    nodes[{x, y, z}] = i;
    r.nodeAt.push_back(h * Vec3(x, y, z));
    r.problem.mass.push_back(static_cast<Real>(record.take<float>()));
    r.problem.vStar.push_back(lanesOf<Real>(record.takeVector()));
  }
  for (int c = 0; c < contactCount; ++c) {
    DetectedContact d;
    d.particle = c;
    d.body = record.take<std::int32_t>();
    d.x = record.takeVector();
    d.normal = record.takeVector();
    ContactPoint<Real> point{};
    point.normal = lanesOf<Real>(d.normal);
    point.vBody = lanesOf<Real>(record.takeVector());
    for (Real* number : {&point.f0, &point.stiffness, &point.dissipation, &point.friction, &point.n0})
      *number = static_cast<Real>(record.take<float>());
    d.penetration = static_cast<double>(point.f0 / point.stiffness);
    linkNodes(lanesOf<Real>(d.x), h, nodes, point);
    d.p_WB0 = r.nodeAt[0];
    r.bodies = std::max(r.bodies, d.body + 1);
    r.detected.push_back(d);
    r.problem.contacts.push_back(point);
  }
  if (boundCount == 0) return r;
  r.bounds.resize(static_cast<std::size_t>(nodeCount));
  for (int b = 0; b < boundCount; ++b) {
    NodeBound bound;
    auto& ofNode = r.bounds[static_cast<std::size_t>(record.take<std::int32_t>())];
    bound.kind = static_cast<BoundaryKind>(record.take<std::int32_t>());
    bound.boundary = record.take<std::int32_t>();
    bound.normal = record.takeVector().normalized();
    bound.velocity = record.takeVector();
    bound.friction = static_cast<double>(record.take<float>());
    r.boundaries = std::max(r.boundaries, bound.boundary + 1);
    ofNode.push_back(bound);
  }
  for (const auto& ofNode : r.bounds) r.problem.bounds.emplace_back(ofNode);
  addBoundaryFriction(r.problem);
  return r;
}

}  // namespace slipstick::mpm
