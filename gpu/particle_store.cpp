#include "gpu/particle_store.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/lanes/eigen_lanes.h"

namespace slipstick::gpu {
namespace {

/// Copies arrays that lie one after the other in pinned memory.
class Staging {
 public:
  Staging(Executor& executor, PinnedArray<std::byte>& memory, std::size_t bytes)
      : executor_(executor), memory_(memory) {
    memory_.ensure(bytes);
  }
  template <class T>
  T* take(std::size_t count) {
    used_ = (used_ + 255) / 256 * 256;
    T* const at = reinterpret_cast<T*>(memory_.data() + used_);
    used_ += count * sizeof(T);
    return at;
  }
  template <class T>
  void upload(DeviceArray<T>& to, const T* from, std::size_t count) {
    executor_.upload(to.data(), from, count * sizeof(T));
  }
  template <class T>
  T* download(const DeviceArray<T>& from, std::size_t count) {
    T* const to = take<T>(count);
    executor_.download(to, from.data(), count * sizeof(T));
    return to;
  }
  static std::size_t bytesFor(std::size_t particles, std::size_t blocks, std::size_t contacts) {
    return sizeof(float) * DeviceParticles::floats(static_cast<int>(particles)) +
           5 * sizeof(int) * particles + (sizeof(std::uint64_t) + sizeof(int)) * (blocks + 1) +
           4 * sizeof(float) * (contacts + 16) + 10 * 256;
  }

 private:
  Executor& executor_;
  PinnedArray<std::byte>& memory_;
  std::size_t used_ = 0;
};

mpm::BlockCoordinates blockAt(const Vec3& x, double h) {
  const auto along = [h](double c) { return mpm::blockOf(static_cast<int>(std::floor(c / h - 0.5))); };
  return {along(x.x()), along(x.y()), along(x.z())};
}

void fill(const DeviceParticles& at, int slot, const Model& model, const mpm::ParticleState& state,
          std::size_t p) {
  const auto put = [&](int field, double value) { at.at(field, slot) = static_cast<float>(value); };
  for (int a = 0; a < 3; ++a) {
    put(PackField::V + a, state.v[p](a));
    for (int b = 0; b < 3; ++b) {
      put(PackField::F + 3 * a + b, state.F[p](a, b));
      put(PackField::C + 3 * a + b, state.C[p](a, b));
    }
  }
  for (int i = 0; i < 6; ++i) put(PackField::Tau + i, 0);
  put(PackField::Mass, model.nodes.mass[p]);
  put(PackField::Volume, model.nodes.volume[p]);
  put(PackField::Plastic, state.plastic[p]);
  put(PackField::Internal, state.internal[p].x());
  put(PackField::Internal + 1, state.internal[p].y());
}

/// The impulses in pinned memory, listed by particle.
LastImpulsesView takeImpulses(Staging& stage, std::vector<ContactImpulse> contacts, std::size_t particles,
                              int capacity) {
  using Impulse = ContactImpulse;
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const Impulse& a, const Impulse& b) { return a.node < b.node; });
  const auto columns = static_cast<std::size_t>(capacity);
  LastImpulsesView lists{stage.take<int>(particles), stage.take<int>(particles),
                         stage.take<int>(contacts.size()), stage.take<float>(3 * columns), capacity};
  std::fill_n(lists.count, particles, 0);
  std::fill_n(lists.first, particles, 0);
  std::fill_n(lists.gamma, 3 * columns, 0.0f);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Impulse& c = contacts[i];
    if (lists.count[c.node]++ == 0) lists.first[c.node] = static_cast<int>(i);
    lists.geometry[i] = c.geometry;
    for (std::size_t a = 0; a < 3; ++a)
      lists.gamma[a * columns + i] = static_cast<float>(c.impulse(static_cast<int>(a)));
  }
  return lists;
}

}  // namespace

bool ParticleStore::ensure(int particles, int blocks, int contacts) {
  const auto count = static_cast<std::size_t>(particles), capacity = static_cast<std::size_t>(blocks);
  bool grown = packs_.ensure(DeviceParticles::floats(particles));
  for (auto* array : {&particleOfSlot_, &slotOfParticle_, &blockOfSlot_})
    grown = array->ensure(count) || grown;
  for (auto* array : {&firstImpulse_, &impulseCount_}) grown = array->ensure(count) || grown;
  grown = impulseGeometry_.ensure(static_cast<std::size_t>(contacts)) || grown;
  grown = impulse_.ensure(3 * static_cast<std::size_t>(contacts)) || grown;
  grown = blockKeys_.ensure(capacity) || grown;
  grown = firstSlot_.ensure(capacity + 1) || grown;
  if (grown) layout_ = executor_->counts().allocations;  // has risen since any other one's
  return grown;
}

void ParticleStore::show(GridView& view) {
  view.at = {packs_.data()};
  view.particleOfSlot = particleOfSlot_.data();
  view.slotOfParticle = slotOfParticle_.data();
  view.blockOfSlot = blockOfSlot_.data();
  view.blockKeys = blockKeys_.data();
  view.firstSlot = firstSlot_.data();
}

LastImpulsesView ParticleStore::lastImpulses() {
  return {firstImpulse_.data(), impulseCount_.data(), impulseGeometry_.data(), impulse_.data(),
          impulseCapacity()};
}

void ParticleStore::load(const Model& model, const mpm::ParticleState& particles,
                         PinnedArray<std::byte>& staging) {
  const mpm::PositionFormat format(model.gridSpacing);
  const std::size_t count = particles.x.size();
  std::vector<std::uint64_t> keyOf(count);
  for (std::size_t p = 0; p < count; ++p) {
    const mpm::BlockCoordinates at = blockAt(format.rounded(particles.x[p]), model.gridSpacing);
    keyOf[p] = deviceBlockKey(at.x, at.y, at.z);
  }
  std::vector<std::uint64_t> keys = keyOf;
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  constexpr std::size_t kFewestImpulses = 16;
  ensure(static_cast<int>(count), static_cast<int>(keys.size()),
         static_cast<int>(std::max(kFewestImpulses, particles.contacts.size())));

  Staging stage(*executor_, staging, Staging::bytesFor(count, keys.size(), impulseGeometry_.size()));
  float* const packs = stage.take<float>(DeviceParticles::floats(static_cast<int>(count)));
  int* const own = stage.take<int>(count);
  int* const block = stage.take<int>(count);
  std::uint64_t* const blockKeys = stage.take<std::uint64_t>(keys.size());
  std::copy(keys.begin(), keys.end(), blockKeys);
  const DeviceParticles at{packs};
  for (std::size_t p = 0; p < count; ++p) {
    const int slot = static_cast<int>(p);
    own[p] = slot;
    block[p] = static_cast<int>(std::lower_bound(keys.begin(), keys.end(), keyOf[p]) - keys.begin());
    const BlockPlace place = placeOfBlock(keyOf[p]);
    const Vec3 local = format.rounded(particles.x[p]) - format.corner({place.x, place.y, place.z});
    for (int a = 0; a < 3; ++a) {
      const mpm::PositionFormat::Parts parts = format.split(local(a));
      at.at(PackField::X + a, slot) = parts.high;
      at.at(PackField::XLow + a, slot) = parts.low;
    }
    fill(at, slot, model, particles, p);
  }
  stage.upload(packs_, packs, DeviceParticles::floats(static_cast<int>(count)));
  stage.upload(particleOfSlot_, own, count);
  stage.upload(slotOfParticle_, own, count);
  stage.upload(blockOfSlot_, block, count);
  stage.upload(blockKeys_, blockKeys, keys.size());
  const LastImpulsesView lists = takeImpulses(stage, particles.contacts, count, lastImpulses().capacity);
  stage.upload(firstImpulse_, lists.first, count);
  stage.upload(impulseCount_, lists.count, count);
  stage.upload(impulseGeometry_, lists.geometry, particles.contacts.size());
  stage.upload(impulse_, lists.gamma, 3 * static_cast<std::size_t>(lists.capacity));
  executor_->wait();
}

void ParticleStore::save(const Model& model, mpm::ParticleState& particles,
                         PinnedArray<std::byte>& staging) const {
  const mpm::PositionFormat format(model.gridSpacing);
  const std::size_t count = model.nodeCount();
  Staging stage(*executor_, staging, Staging::bytesFor(count, blockKeys_.size(), impulseGeometry_.size()));
  const float* const packs = stage.download(packs_, DeviceParticles::floats(static_cast<int>(count)));
  const int* const slots = stage.download(slotOfParticle_, count);
  const int* const block = stage.download(blockOfSlot_, count);
  const std::uint64_t* const keys = stage.download(blockKeys_, blockKeys_.size());
  const LastImpulsesView last{stage.download(firstImpulse_, count), stage.download(impulseCount_, count),
                              stage.download(impulseGeometry_, impulseGeometry_.size()),
                              stage.download(impulse_, 3 * impulseGeometry_.size()), impulseCapacity()};
  executor_->wait();

  for (auto* vectors : {&particles.x, &particles.v}) vectors->resize(count);
  for (auto* matrices : {&particles.F, &particles.C}) matrices->resize(count);
  particles.plastic.resize(count);
  particles.internal.resize(count);
  particles.contacts.clear();
  const DeviceParticles at{const_cast<float*>(packs)};
  for (std::size_t p = 0; p < count; ++p) {
    const int slot = slots[p];
    const auto get = [&](int field) { return static_cast<double>(at.at(field, slot)); };
    const BlockPlace place = placeOfBlock(keys[block[slot]]);
    const Vec3 corner = format.corner({place.x, place.y, place.z});
    for (int a = 0; a < 3; ++a) {
      particles.x[p](a) = (corner(a) + get(PackField::X + a)) + get(PackField::XLow + a);
      particles.v[p](a) = get(PackField::V + a);
      for (int b = 0; b < 3; ++b) {
        particles.F[p](a, b) = get(PackField::F + 3 * a + b);
        particles.C[p](a, b) = get(PackField::C + 3 * a + b);
      }
    }
    particles.plastic[p] = get(PackField::Plastic);
    particles.internal[p] = {get(PackField::Internal), get(PackField::Internal + 1)};
    for (int i = last.first[p]; i < last.first[p] + last.count[p]; ++i)
      particles.contacts.push_back({static_cast<int>(p), last.geometry[i], lanes::toEigen(last.impulse(i))});
  }
}

}  // namespace slipstick::gpu
