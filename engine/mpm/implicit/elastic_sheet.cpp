#include "engine/mpm/implicit/elastic_sheet.h"

#include <algorithm>

#include "engine/foundation/set_size.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/lanes/hinge.h"

namespace slipstick::mpm {

void ElasticSheet::clear() {
  points_.clear();
  triangles_.clear();
  hinges_.clear();
  elements_.clear();
  triangleStates_.clear();
  hingeStates_.clear();
}

int ElasticSheet::add(const Point& point) {
  points_.push_back(point);
  return static_cast<int>(points_.size()) - 1;
}

void ElasticSheet::add(const Triangle& triangle) {
  addElement({static_cast<int>(triangles_.size()), -1, triangle.points, {}, {}});
  triangles_.push_back(triangle);
  triangleStates_.emplace_back();
}

void ElasticSheet::add(const Hinge& hinge) {
  addElement({-1, static_cast<int>(hinges_.size()), hinge.points, {}, {}});
  hinges_.push_back(hinge);
  hingeStates_.emplace_back();
}

void ElasticSheet::addElement(Element element) {
  std::vector<int>& nodes = element.nodes;
  for (const int point : element.points) {
    const auto& of = points_[static_cast<std::size_t>(point)].node;
    nodes.insert(nodes.end(), of.begin(), of.end());
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  element.weight.setZero(static_cast<Eigen::Index>(nodes.size()), 4);
  for (std::size_t k = 0; k < 4; ++k) {
    const Point& point = points_[static_cast<std::size_t>(element.points[k])];
    for (std::size_t i = 0; i < 27; ++i) {
      const auto at = std::lower_bound(nodes.begin(), nodes.end(), point.node[i]) - nodes.begin();
      element.weight(at, static_cast<Eigen::Index>(k)) += point.weight[i];
    }
  }
  elements_.push_back(std::move(element));
}

/// What v changes of the points.
void ElasticSheet::movePoints(const VecX& v, std::vector<Vec3>& change) const {
  change.assign(points_.size(), Vec3::Zero());
  for (std::size_t k = 0; k < points_.size(); ++k)
    for (std::size_t i = 0; i < 27; ++i)
      change[k].noalias() += points_[k].weight[i] * v.segment<3>(3 * points_[k].node[i]);
}

/// To the nodes, of what the points have.
void ElasticSheet::scatter(const std::vector<Vec3>& forces, VecX& v) const {
  for (std::size_t k = 0; k < points_.size(); ++k)
    for (std::size_t i = 0; i < 27; ++i)
      v.segment<3>(3 * points_[k].node[i]).noalias() += points_[k].weight[i] * forces[k];
}

double ElasticSheet::linearize(const VecX& v) {
  return evaluate(v, true);
}

double ElasticSheet::findStress(const VecX& v) {
  return evaluate(v, false);
}

double ElasticSheet::evaluate(const VecX& v, bool tangents) {
  movePoints(v, change_);
  const auto at = [&](int point) -> Vec3 {
    return points_[static_cast<std::size_t>(point)].x + change_[static_cast<std::size_t>(point)];
  };
  double sum = 0;
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const Triangle& triangle = triangles_[t];
    Mat3 F = Mat3::Zero();
    for (int k = 0; k < 4; ++k)
      F.noalias() += at(triangle.points[static_cast<std::size_t>(k)]) * triangle.G.row(k);
    TriangleState& state = triangleStates_[t];
    Mat9 C;
    const ElasticResponse response = linearizeCloth(F, triangle.constants, C);
    sum += triangle.volume * response.energy;
    state.P = triangle.volume * response.P;
    if (tangents) state.C = triangle.volume * C;
  }
  for (std::size_t h = 0; h < hinges_.size(); ++h) {
    const Hinge& hinge = hinges_[h];
    const auto angle =
        lanes::hingeAngle<double>(toLanes<double>(at(hinge.points[0])), toLanes<double>(at(hinge.points[1])),
                                  toLanes<double>(at(hinge.points[2])), toLanes<double>(at(hinge.points[3])));
    const double bend = angle.angle - hinge.restAngle;
    sum += 0.5 * hinge.stiffness * bend * bend;
    HingeState& state = hingeStates_[h];
    Eigen::Matrix<double, 3, 4> gradient;
    gradient << toEigen(angle.a), toEigen(angle.b), toEigen(angle.left), toEigen(angle.right);
    state.force = hinge.stiffness * bend * gradient;
    if (tangents) state.gradient = gradient;
  }
  return sum;
}

void ElasticSheet::addGradient(VecX& gradient) const {
  force_.assign(points_.size(), Vec3::Zero());
  for (const Element& e : elements_)
    for (std::size_t k = 0; k < 4; ++k) {
      Vec3& force = force_[static_cast<std::size_t>(e.points[k])];
      const auto row = static_cast<Eigen::Index>(k);
      if (e.triangle >= 0) {
        const auto t = static_cast<std::size_t>(e.triangle);
        force.noalias() += triangleStates_[t].P * triangles_[t].G.row(row).transpose();
      } else {
        force.noalias() += hingeStates_[static_cast<std::size_t>(e.hinge)].force.col(row);
      }
    }
  scatter(force_, gradient);
}

void ElasticSheet::addCurvature(const VecX& x, VecX& Hx) const {
  movePoints(x, change_);
  force_.assign(points_.size(), Vec3::Zero());
  for (const Element& e : elements_) {
    Eigen::Matrix<double, 3, 4> change, force;
    for (std::size_t k = 0; k < 4; ++k)
      change.col(static_cast<Eigen::Index>(k)) = change_[static_cast<std::size_t>(e.points[k])];
    if (e.triangle >= 0) {
      const auto t = static_cast<std::size_t>(e.triangle);
      const Mat3 dF = change * triangles_[t].G;
      Mat3 dP;
      dP.reshaped().noalias() = triangleStates_[t].C * dF.reshaped();
      force.noalias() = dP * triangles_[t].G.transpose();
    } else {
      const auto h = static_cast<std::size_t>(e.hinge);
      const Eigen::Matrix<double, 3, 4>& gradient = hingeStates_[h].gradient;
      force = hinges_[h].stiffness * gradient.cwiseProduct(change).sum() * gradient;
    }
    for (std::size_t k = 0; k < 4; ++k)
      force_[static_cast<std::size_t>(e.points[k])] += force.col(static_cast<Eigen::Index>(k));
  }
  scatter(force_, Hx);
}

/// Between its four points: block (k, l) is ∂²E/∂x_k∂x_l.
ElasticSheet::Mat12 ElasticSheet::tangentOf(const Element& e) const {
  if (e.hinge >= 0) {
    const auto h = static_cast<std::size_t>(e.hinge);
    const auto gradient = hingeStates_[h].gradient.reshaped();
    return hinges_[h].stiffness * gradient * gradient.transpose();
  }
  const auto t = static_cast<std::size_t>(e.triangle);
  Eigen::Matrix<double, 9, 12> B = Eigen::Matrix<double, 9, 12>::Zero();  // ∂F/∂x
  for (int k = 0; k < 4; ++k)
    for (int column = 0; column < 3; ++column)
      B.block<3, 3>(3 * column, 3 * k).diagonal().setConstant(triangles_[t].G(k, column));
  return B.transpose() * triangleStates_[t].C * B;
}

void ElasticSheet::addBlocks(std::vector<Mat3>& blocks) const {
  for (const Element& e : elements_) {
    const Mat12 K = tangentOf(e);
    for (std::size_t n = 0; n < e.nodes.size(); ++n) {
      const auto row = static_cast<Eigen::Index>(n);
      Mat3& block = blocks[static_cast<std::size_t>(e.nodes[n])];
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 4; ++l)
          block.noalias() += e.weight(row, k) * e.weight(row, l) * K.block<3, 3>(3 * k, 3 * l);
    }
  }
}

void ElasticSheet::findElement(std::size_t element, MatX& K) const {
  const Element& e = elements_[element];
  const Mat12 tangent = tangentOf(e);
  const auto nodes = static_cast<Eigen::Index>(e.nodes.size());
  setSize(K, 3 * nodes, 3 * nodes);
  Eigen::Matrix4d between;
  for (int a = 0; a < 3; ++a)
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 4; ++l) between(k, l) = tangent(3 * k + a, 3 * l + c);
      const MatX product = e.weight * between * e.weight.transpose();
      for (Eigen::Index j = 0; j < nodes; ++j)
        for (Eigen::Index i = 0; i < nodes; ++i) K(3 * i + a, 3 * j + c) = product(i, j);
    }
}

}  // namespace slipstick::mpm
