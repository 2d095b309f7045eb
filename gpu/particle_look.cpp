#include "gpu/particle_look.h"

#include <algorithm>
#include <mutex>

namespace slipstick::gpu {

/// A few arrays, and which of them a source names. One is always left for the next step.
struct ParticleLook::Arrays {
  /// The newest step, the one that a window shows, the one that it goes over to, and the next.
  static constexpr std::size_t kCount = 4;
  struct Array {
    DeviceArray<float> memory;
    bool named = false;
  };

  explicit Arrays(Executor& owner) : executor(&owner) {
    for (std::size_t i = 0; i < kCount; ++i) arrays.push_back({DeviceArray<float>(owner)});
  }
  std::size_t free() const {
    const auto isNamed = [](const Array& array) { return array.named; };
    return static_cast<std::size_t>(std::find_if_not(arrays.begin(), arrays.end(), isNamed) - arrays.begin());
  }

  std::mutex mutex;
  const Executor* executor;  ///< null when it is gone, and the memory with it
  std::vector<Array> arrays;
};

class ParticleLook::Source final : public ParticleSource {
 public:
  Source(std::shared_ptr<Arrays> arrays, std::size_t index, std::size_t particles)
      : arrays_(std::move(arrays)),
        index_(index),
        bytes_(ParticleColumns::floats(particles) * sizeof(float)) {}
  ~Source() override {
    const std::scoped_lock lock(arrays_->mutex);
    if (arrays_->executor) arrays_->arrays[index_].named = false;
  }
  /// Under the lock the executor stays; a step never needs it for longer than it takes to find an array.
  bool copyTo(DrawBuffer& buffer) const override {
    const std::scoped_lock lock(arrays_->mutex);
    return arrays_->executor &&
           arrays_->executor->show(arrays_->arrays[index_].memory.data(), bytes_, buffer);
  }

 private:
  std::shared_ptr<Arrays> arrays_;
  std::size_t index_, bytes_;
};

ParticleLook::ParticleLook(Executor& executor)
    : executor_(executor), arrays_(std::make_shared<Arrays>(executor)), pinned_(executor) {}

ParticleLook::~ParticleLook() {
  const std::scoped_lock lock(arrays_->mutex);
  arrays_->executor = nullptr;
  arrays_->arrays.clear();
}

LookView ParticleLook::begin(std::size_t particles) {
  const std::size_t floats = ParticleColumns::floats(particles);
  particles_ = particles;
  pinned_.ensure(floats);
  const std::scoped_lock lock(arrays_->mutex);
  now_ = arrays_->free();
  DeviceArray<float>& memory = arrays_->arrays[now_].memory;
  memory.ensure(floats);
  return {memory.data(), static_cast<int>(particles)};
}

void ParticleLook::finish(SoftView& view) {
  const DeviceArray<float>& columns = arrays_->arrays[now_].memory;
  executor_.download(pinned_.data(), columns.data(), ParticleColumns::floats(particles_) * sizeof(float));
  executor_.wait();
  view.x.resize(particles_);
  for (std::size_t p = 0; p < particles_; ++p) view.x[p] = Eigen::Map<const Eigen::Vector3f>(&pinned_[3 * p]);
  const auto take = [this](ParticleColumns::Column column, std::vector<float>& values) {
    const float* const first = pinned_.data() + ParticleColumns::first(column, particles_);
    values.assign(first, first + particles_);
  };
  take(ParticleColumns::Speed, view.speed);
  take(ParticleColumns::Stress, view.stress);
  take(ParticleColumns::Pressure, view.pressure);
  take(ParticleColumns::PlasticStrain, view.plasticStrain);
  const std::scoped_lock lock(arrays_->mutex);
  arrays_->arrays[now_].named = true;
  if (arrays_->free() < Arrays::kCount)
    view.source = std::make_shared<const Source>(arrays_, now_, particles_);
  else
    arrays_->arrays[now_].named = false;
}

}  // namespace slipstick::gpu
