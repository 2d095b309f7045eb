#include "engine/mpm/elastic_grid.h"

#include <algorithm>

namespace slipstick::mpm {

bool ElasticGrid::isQuadratic() const {
  return std::all_of(particles_.begin(), particles_.end(),
                     [](const Particle& p) { return p.law.isQuadratic(); });
}

Mat3 ElasticGrid::gradientAt(const Particle& p, const VecX& v) {
  Mat3 change = Mat3::Zero();
  for (std::size_t i = 0; i < 27; ++i) change.noalias() += v.segment<3>(3 * p.node[i]) * p.b[i].transpose();
  return change;
}

double ElasticGrid::energy(const VecX& v) const {
  double sum = 0;
  for (const Particle& p : particles_) sum += p.volume * p.law.energy(p.F + gradientAt(p, v));
  return sum;
}

void ElasticGrid::linearize(const VecX& v) {
  for (Particle& p : particles_) {
    const Mat3 F = p.F + gradientAt(p, v);
    p.P = p.law.response(F).P;
    p.law.tangent(F, p.C);
  }
}

void ElasticGrid::addGradient(VecX& gradient) const {
  for (const Particle& p : particles_) {
    const Mat3 VP = p.volume * p.P;
    for (std::size_t i = 0; i < 27; ++i) gradient.segment<3>(3 * p.node[i]).noalias() += VP * p.b[i];
  }
}

void ElasticGrid::addCurvature(const VecX& x, VecX& Hx) const {
  for (const Particle& p : particles_) {
    const Mat3 change = gradientAt(p, x);
    Mat3 dP;
    Eigen::Map<Eigen::Matrix<double, 9, 1>>(dP.data()).noalias() =
        p.volume * (p.C * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(change.data()));
    for (std::size_t i = 0; i < 27; ++i) Hx.segment<3>(3 * p.node[i]).noalias() += dP * p.b[i];
  }
}

void ElasticGrid::addBlocks(std::vector<Mat3>& blocks) const {
  for (const Particle& p : particles_)
    for (std::size_t i = 0; i < 27; ++i) {
      const Vec3& b = p.b[i];
      Mat3& block = blocks[static_cast<std::size_t>(p.node[i])];
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) block.noalias() += p.volume * b[k] * b[l] * p.C.block<3, 3>(3 * k, 3 * l);
    }
}

}  // namespace slipstick::mpm
