#include "engine/mpm/elastic_grid.h"

#include <algorithm>

#include "engine/foundation/dense_blas.h"

namespace slipstick::mpm {

void ElasticGrid::clear() {
  elements_.clear();
  points_ = 0;
  middle_.clear();
  cloth_.clear();
}

void ElasticGrid::add(const Particle& particle) {
  const auto [known, fresh] = middle_.insert({particle.node[13], elements_.size()});
  if (fresh) elements_.push_back({particle.node, {}, MatX(27, 0)});
  Element& element = elements_[known->second];
  element.points.push_back({particle.law, particle.volume, particle.F});
  element.shapes.conservativeResize(Eigen::NoChange, element.shapes.cols() + 3);
  for (int i = 0; i < 27; ++i)
    element.shapes.rightCols<3>().row(i) = particle.b[static_cast<std::size_t>(i)].transpose();
  ++points_;
}

bool ElasticGrid::isQuadratic() const {
  const auto quadratic = [](const Point& p) { return p.law.isQuadratic(); };
  return cloth_.size() == 0 && std::all_of(elements_.begin(), elements_.end(), [&](const Element& e) {
           return std::all_of(e.points.begin(), e.points.end(), quadratic);
         });
}

std::vector<std::span<const int>> ElasticGrid::elements() const {
  std::vector<std::span<const int>> nodes;
  for (const Element& e : elements_) nodes.push_back(e.nodes);
  for (std::size_t e = 0; e < cloth_.size(); ++e) nodes.push_back(cloth_.nodesOf(e));
  return nodes;
}

/// changes_ = Σ_i v_i b_iᵀ of each point.
void ElasticGrid::gather(const Element& e, const VecX& v) const {
  for (int i = 0; i < 27; ++i) nodal_.col(i) = v.segment<3>(3 * e.nodes[static_cast<std::size_t>(i)]);
  changes_.resize(3, e.shapes.cols());
  stresses_.resize(3, e.shapes.cols());
  dense::multiply(nodal_, e.shapes, changes_);
}

/// Adds Σ_p stresses_ b_i to each node.
void ElasticGrid::scatter(const Element& e, VecX& v) const {
  nodal_.setZero();
  dense::addProductTransposed(stresses_, e.shapes, nodal_);
  for (int i = 0; i < 27; ++i) v.segment<3>(3 * e.nodes[static_cast<std::size_t>(i)]) += nodal_.col(i);
}

double ElasticGrid::linearize(const VecX& v, Tangents tangents) {
  double sum = cloth_.linearize(v);
  for (Element& e : elements_) {
    gather(e, v);
    Eigen::Index column = 0;
    for (Point& p : e.points) {
      const ElasticResponse at = p.law.linearize(p.F + changes_.middleCols<3>(column), p.C, tangents);
      sum += p.volume * at.energy;
      p.P = at.P;
      column += 3;
    }
  }
  return sum;
}

void ElasticGrid::addGradient(VecX& gradient) const {
  cloth_.addGradient(gradient);
  for (const Element& e : elements_) {
    stresses_.resize(3, e.shapes.cols());
    Eigen::Index column = 0;
    for (const Point& p : e.points) {
      stresses_.middleCols<3>(column) = p.volume * p.P;
      column += 3;
    }
    scatter(e, gradient);
  }
}

void ElasticGrid::addCurvature(const VecX& x, VecX& Hx) const {
  cloth_.addCurvature(x, Hx);
  using Vec9 = Eigen::Matrix<double, 9, 1>;
  for (const Element& e : elements_) {
    gather(e, x);
    Eigen::Index column = 0;
    for (const Point& p : e.points) {
      const Eigen::Map<const Vec9> change(changes_.data() + 3 * column);
      Eigen::Map<Vec9>(stresses_.data() + 3 * column).noalias() = p.C * (p.volume * change);
      column += 3;
    }
    scatter(e, Hx);
  }
}

void ElasticGrid::addBlocks(std::vector<Mat3>& blocks) const {
  cloth_.addBlocks(blocks);
  for (const Element& e : elements_)
    for (std::size_t i = 0; i < 27; ++i) {
      Mat3& block = blocks[static_cast<std::size_t>(e.nodes[i])];
      Eigen::Index column = 0;
      for (const Point& p : e.points) {
        const Vec3 b = e.shapes.block<1, 3>(static_cast<Eigen::Index>(i), column).transpose();
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l)
            block.noalias() += p.volume * b[k] * b[l] * p.C.block<3, 3>(3 * k, 3 * l);
        column += 3;
      }
    }
}

/// K_ij = Σ_p V Σ_kl b_i[k] C[·k, ·l] b_j[l], for all particles of the element in one product: columns of b_i[k] by rows of
/// V Σ_l C[·k, ·l] b_j[l].
void ElasticGrid::findElement(std::size_t element, MatX& K) {
  if (element >= elements_.size()) return cloth_.findElement(element - elements_.size(), K);
  const Element& e = elements_[element];
  stiffened_.resize(e.shapes.cols(), 243);
  Eigen::Index column = 0;
  for (const Point& p : e.points) {
    const Eigen::Matrix<double, 3, 27> b = e.shapes.middleCols<3>(column).transpose();
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) {
        Mat3 between;  // entry (k, l) of C[a k, c l]
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) between(k, l) = p.volume * p.C(a + 3 * k, c + 3 * l);
        stiffened_.block<3, 27>(column, 27 * (3 * a + c)).noalias() = between * b;
      }
    column += 3;
  }
  product_.resize(27, 243);
  dense::multiply(e.shapes, stiffened_, product_);
  K.resize(81, 81);
  for (int a = 0; a < 3; ++a)
    for (int c = 0; c < 3; ++c)
      for (int j = 0; j < 27; ++j)
        for (int i = 0; i < 27; ++i) K(3 * i + a, 3 * j + c) = product_(i, 27 * (3 * a + c) + j);
}

}  // namespace slipstick::mpm
