#include "engine/mpm/elastic_grid.h"

#include <algorithm>

#include "engine/foundation/dense_blas.h"

namespace slipstick::mpm {

void ElasticGrid::clear() {
  particles_.clear();
  elements_.clear();
  inElement_.clear();
  middle_.clear();
  cloth_.clear();
}

void ElasticGrid::add(const Particle& particle) {
  const auto [known, fresh] = middle_.insert({particle.node[13], elements_.size()});
  if (fresh) {
    elements_.push_back(particle.node);
    inElement_.emplace_back();
  }
  inElement_[known->second].push_back(static_cast<int>(particles_.size()));
  particles_.push_back(particle);
}

bool ElasticGrid::isQuadratic() const {
  return cloth_.size() == 0 && std::all_of(particles_.begin(), particles_.end(),
                                           [](const Particle& p) { return p.law.isQuadratic(); });
}

std::vector<std::span<const int>> ElasticGrid::elements() const {
  std::vector<std::span<const int>> nodes(elements_.begin(), elements_.end());
  for (std::size_t e = 0; e < cloth_.size(); ++e) nodes.push_back(cloth_.nodesOf(e));
  return nodes;
}

Mat3 ElasticGrid::gradientAt(const Particle& p, const VecX& v) {
  Mat3 change = Mat3::Zero();
  for (std::size_t i = 0; i < 27; ++i) change.noalias() += v.segment<3>(3 * p.node[i]) * p.b[i].transpose();
  return change;
}

double ElasticGrid::linearize(const VecX& v) {
  double sum = cloth_.linearize(v);
  for (Particle& p : particles_) {
    const ElasticResponse at = p.law.linearize(p.F + gradientAt(p, v), p.C);
    sum += p.volume * at.energy;
    p.P = at.P;
  }
  return sum;
}

void ElasticGrid::addGradient(VecX& gradient) const {
  cloth_.addGradient(gradient);
  for (const Particle& p : particles_) {
    const Mat3 VP = p.volume * p.P;
    for (std::size_t i = 0; i < 27; ++i) gradient.segment<3>(3 * p.node[i]).noalias() += VP * p.b[i];
  }
}

void ElasticGrid::addCurvature(const VecX& x, VecX& Hx) const {
  cloth_.addCurvature(x, Hx);
  for (const Particle& p : particles_) {
    const Mat3 change = gradientAt(p, x);
    Mat3 dP;
    Eigen::Map<Eigen::Matrix<double, 9, 1>>(dP.data()).noalias() =
        p.volume * (p.C * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(change.data()));
    for (std::size_t i = 0; i < 27; ++i) Hx.segment<3>(3 * p.node[i]).noalias() += dP * p.b[i];
  }
}

void ElasticGrid::addBlocks(std::vector<Mat3>& blocks) const {
  cloth_.addBlocks(blocks);
  for (const Particle& p : particles_)
    for (std::size_t i = 0; i < 27; ++i) {
      const Vec3& b = p.b[i];
      Mat3& block = blocks[static_cast<std::size_t>(p.node[i])];
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) block.noalias() += p.volume * b[k] * b[l] * p.C.block<3, 3>(3 * k, 3 * l);
    }
}

/// K_ij = Σ_p V Σ_kl b_i[k] C[·k, ·l] b_j[l], for all particles of the element in one product: columns of b_i[k] by rows of
/// V Σ_l C[·k, ·l] b_j[l].
void ElasticGrid::findElement(std::size_t element, MatX& K) {
  if (element >= elements_.size()) return cloth_.findElement(element - elements_.size(), K);
  const std::vector<int>& particles = inElement_[element];
  const auto inner = static_cast<Eigen::Index>(3 * particles.size());
  shapes_.resize(27, inner);
  stiffened_.resize(inner, 243);
  for (std::size_t at = 0; at < particles.size(); ++at) {
    const Particle& p = particles_[static_cast<std::size_t>(particles[at])];
    Eigen::Matrix<double, 3, 27> b;
    for (int i = 0; i < 27; ++i) b.col(i) = p.b[static_cast<std::size_t>(i)];
    const auto first = static_cast<Eigen::Index>(3 * at);
    shapes_.middleCols<3>(first) = b.transpose();
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) {
        Mat3 between;  // entry (k, l) of C[a k, c l]
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) between(k, l) = p.volume * p.C(a + 3 * k, c + 3 * l);
        stiffened_.block<3, 27>(first, 27 * (3 * a + c)).noalias() = between * b;
      }
  }
  product_.resize(27, 243);
  dense::multiply(shapes_, stiffened_, product_);
  K.resize(81, 81);
  for (int a = 0; a < 3; ++a)
    for (int c = 0; c < 3; ++c)
      for (int j = 0; j < 27; ++j)
        for (int i = 0; i < 27; ++i) K(3 * i + a, 3 * j + c) = product_(i, 27 * (3 * a + c) + j);
}

}  // namespace slipstick::mpm
