#include "gpu/particle_look.h"

namespace slipstick::gpu {

LookView ParticleLook::begin(std::size_t particles) {
  particles_ = particles;
  const std::size_t floats = LookView::floats(particles);
  columns_.ensure(floats);
  pinned_.ensure(floats);
  return {columns_.data(), static_cast<int>(particles)};
}

void ParticleLook::finish(mpm::ParticleView& view) {
  executor_.download(pinned_.data(), columns_.data(), LookView::floats(particles_) * sizeof(float));
  executor_.wait();
  view.x.resize(particles_);
  for (std::size_t p = 0; p < particles_; ++p) view.x[p] = Eigen::Map<const Eigen::Vector3f>(&pinned_[3 * p]);
  const auto take = [this](LookView::Column column, std::vector<float>& values) {
    const float* const first = pinned_.data() + static_cast<std::size_t>(column) * particles_;
    values.assign(first, first + particles_);
  };
  take(LookView::Speed, view.speed);
  take(LookView::Stress, view.stress);
  take(LookView::Pressure, view.pressure);
  take(LookView::PlasticStrain, view.plasticStrain);
}

}  // namespace slipstick::gpu
