#include "engine/runtime/packed_snapshot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace slipstick {

using codes::boxOf;
using codes::decode;
using codes::encode;
using codes::rangeOf;

namespace {

constexpr float kNormalScale = 32767;
static_assert(sizeof(Contact) == 184, "a new field of Contact must be packed and unpacked, too");

constexpr std::array<std::vector<float> Snapshot::*, 4> kColors = {
    &Snapshot::speed, &Snapshot::stress, &Snapshot::pressure, &Snapshot::plasticStrain};

/// Besides its geometries and deformables.
bool hasOneOrdinal(const Contact& c) {
  return !c.a.isSoft() && (!c.b.isSoft() || c.point < 0);
}

/// That of one point alone; null: the kind says it all.
const CompliantLaw* lawOfPoint(const Contact& c) {
  return c.isRigid() ? std::get_if<CompliantLaw>(&c.law) : nullptr;
}

ForceLaw lawOfKind(const Contact& c) {
  const CompliantLaw* own = lawOfPoint(c);
  return own ? CompliantLaw{0, own->dissipation} : c.law;
}

template <class T>
std::size_t heldBy(const std::vector<T>& entries) {
  return entries.capacity() * sizeof(T);
}

}  // namespace

// ---- whole snapshots

PackedSnapshot::PackedSnapshot(const Snapshot& snapshot) : facts_(snapshot) {
  begin(snapshot);
  packParticles(snapshot);
}

PackedSnapshot::PackedSnapshot(std::shared_ptr<const Snapshot> snapshot) : facts_(*snapshot) {
  begin(*snapshot);
  if (!snapshot->particles.empty()) waiting_ = std::move(snapshot);
}

/// All but the particles, and the memory for those.
void PackedSnapshot::begin(const Snapshot& snapshot) {
  packRemainders();
  packContacts(snapshot.contacts);
  packPatches(snapshot.patches);
  codes::reserve(particles_, snapshot.particles.size());
  for (std::size_t i = 0; i < kColors.size(); ++i) codes::reserve(colors_[i], (snapshot.*kColors[i]).size());
  bytes_ = bytesHeld();
}

void PackedSnapshot::packParticles(const Snapshot& snapshot) const {
  codes::pack(snapshot.particles, particles_);
  for (std::size_t i = 0; i < kColors.size(); ++i) codes::pack(snapshot.*kColors[i], colors_[i]);
}

bool PackedSnapshot::isWaiting() const {
  const std::scoped_lock lock(mutex_);
  return waiting_ != nullptr;
}

void PackedSnapshot::finish() const noexcept {
  const std::scoped_lock lock(mutex_);
  if (!waiting_) return;
  packParticles(*waiting_);
  waiting_.reset();
}

std::shared_ptr<Snapshot> PackedSnapshot::unpackFacts() const {
  auto snapshot = std::make_shared<Snapshot>();
  static_cast<StepFacts&>(*snapshot) = facts_;
  snapshot->contactRemainder.assign(bodies_, {});
  for (const BodyRemainder& r : remainders_) snapshot->contactRemainder[r.body] = r.wrench;
  return snapshot;
}

std::shared_ptr<const Snapshot> PackedSnapshot::unpackContacts() const {
  std::shared_ptr<Snapshot> snapshot = unpackFacts();
  unpackContacts(snapshot->contacts);
  return snapshot;
}

std::shared_ptr<const Snapshot> PackedSnapshot::unpack() const {
  finish();
  std::shared_ptr<Snapshot> snapshot = unpackFacts();
  codes::unpack(particles_, snapshot->particles);
  for (std::size_t i = 0; i < kColors.size(); ++i) codes::unpack(colors_[i], (*snapshot).*kColors[i]);
  unpackContacts(snapshot->contacts);
  unpackPatches(snapshot->patches);
  return snapshot;
}

std::size_t PackedSnapshot::byteCount() const {
  return bytes_;
}

std::size_t PackedSnapshot::bytesHeld() const {
  std::size_t bytes = sizeof(PackedSnapshot) - sizeof(StepFacts) + facts_.byteCount();
  for (const codes::Colors& color : colors_) bytes += heldBy(color.blocks) + heldBy(color.codes);
  return bytes + heldBy(particles_.blocks) + heldBy(particles_.codes) + heldBy(kinds_) + heldBy(contacts_) +
         (some_ ? sizeof(SomeContacts) + heldBy(some_->ordinals) + heldBy(some_->stiffnesses) : 0) +
         heldBy(contactPressures_) + heldBy(remainders_) + heldBy(patches_) + heldBy(vertices_) +
         heldBy(polygonSizes_);
}

/// Few bodies touch particles.
void PackedSnapshot::packRemainders() {
  const std::vector<Wrench> all = std::exchange(facts_.contactRemainder, {});
  bodies_ = all.size();
  for (std::size_t body = 0; body < all.size(); ++body)
    if (!all[body].force.isZero(0) || !all[body].torque.isZero(0)) remainders_.push_back({body, all[body]});
  remainders_.shrink_to_fit();
}

// ---- contacts

void PackedSnapshot::packContacts(const std::vector<Contact>& contacts) {
  contactBox_ =
      boxOf(contacts, [](const Contact& c) -> Eigen::Vector3f { return c.p_WC.template cast<float>(); });
  contacts_.reserve(contacts.size());
  for (const Contact& c : contacts) {
    PackedContact packed;
    packed.kind = kindOf(c);
    packed.ordinal = c.b.isSoft() ? c.b.element : c.point;
    if (const CompliantLaw* law = lawOfPoint(c))
      someContacts().stiffnesses.push_back(static_cast<float>(law->stiffness));
    if (!hasOneOrdinal(c)) someContacts().ordinals.push_back({c.a.element, c.point});
    packed.place = encode(c.p_WC.cast<float>(), contactBox_);
    for (int i = 0; i < 3; ++i) {
      const auto k = static_cast<std::size_t>(i);
      packed.f_Bc_W[k] = static_cast<float>(c.f_Bc_W[i]);
      packed.normal[k] =
          static_cast<std::int16_t>(std::lround(std::clamp(c.normal_W[i], -1.0, 1.0) * kNormalScale));
    }
    packed.gap = static_cast<float>(c.gap);
    packed.slipSpeed = static_cast<float>(c.slipSpeed);
    packed.frictionBound = static_cast<float>(c.frictionBound);
    if (c.patch >= 0) contactPressures_.push_back(static_cast<float>(c.pressure));
    contacts_.push_back(packed);
  }
  kinds_.shrink_to_fit();
  if (some_) some_->ordinals.shrink_to_fit(), some_->stiffnesses.shrink_to_fit();
  contactPressures_.shrink_to_fit();
}

PackedSnapshot::SomeContacts& PackedSnapshot::someContacts() {
  if (!some_) some_ = std::make_unique<SomeContacts>();
  return *some_;
}

/// Contacts of one pair stand together, so the kind sought is nearly always among the last few.
std::uint32_t PackedSnapshot::kindOf(const Contact& c) {
  const ContactKind kind = {kindOf(c.a),      kindOf(c.b),       c.patch,    c.mode,
                            hasOneOrdinal(c), c.isIndeterminate, c.friction, lawOfKind(c)};
  constexpr std::ptrdiff_t kLooked = 8;
  const auto from = kinds_.end() - std::min(kLooked, std::ssize(kinds_));
  const auto found = std::find(from, kinds_.end(), kind);
  const auto index = static_cast<std::uint32_t>(found - kinds_.begin());
  if (found == kinds_.end()) kinds_.push_back(kind);
  return index;
}

void PackedSnapshot::unpackContacts(std::vector<Contact>& contacts) const {
  contacts.resize(contacts_.size());
  std::size_t pressure = 0, more = 0, stiffness = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const PackedContact& packed = contacts_[i];
    const ContactKind& kind = kinds_[packed.kind];
    Contact& c = contacts[i];
    c.a = sideOf(kind.a);
    c.b = sideOf(kind.b);
    c.patch = kind.patch;
    c.friction = kind.friction;
    c.mode = kind.mode;
    c.isIndeterminate = kind.isIndeterminate;
    c.law = kind.law;
    if (const CompliantLaw* law = lawOfPoint(c))
      c.law = CompliantLaw{some_->stiffnesses[stiffness++], law->dissipation};
    (c.b.isSoft() ? c.b.element : c.point) = packed.ordinal;
    if (!kind.hasOneOrdinal) {
      c.a.element = some_->ordinals[more].element;
      c.point = some_->ordinals[more++].point;
    }
    c.p_WC = decode(packed.place, contactBox_).cast<double>();
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      c.f_Bc_W[axis] = packed.f_Bc_W[k];
      c.normal_W[axis] = packed.normal[k];
    }
    c.normal_W.normalize();
    c.gap = packed.gap;
    c.slipSpeed = packed.slipSpeed;
    c.frictionBound = packed.frictionBound;
    if (c.patch >= 0) c.pressure = contactPressures_[pressure++];
  }
}

// ---- pressure patches

void PackedSnapshot::packPatches(const std::vector<PressurePatch>& patches) {
  std::size_t vertices = 0, polygons = 0;
  for (const PressurePatch& patch : patches) {
    vertices += patch.vertices.size();
    polygons += patch.polygonEnds.size();
  }
  patches_.reserve(patches.size());
  vertices_.reserve(vertices);
  polygonSizes_.reserve(polygons);
  for (const PressurePatch& patch : patches) {
    const auto byPressure = [](const auto& a, const auto& b) { return a.pressure < b.pressure; };
    const auto [least, most] = std::minmax_element(patch.vertices.begin(), patch.vertices.end(), byPressure);
    const Range pressure =
        patch.vertices.empty() ? Range{} : rangeOf<Code16>(least->pressure, most->pressure);
    const Box box =
        boxOf(patch.vertices, [](const PressurePatch::Vertex& v) -> const Eigen::Vector3f& { return v.p_W; });
    patches_.push_back({patch.geometry, patch.otherGeometry,
                        static_cast<std::uint32_t>(patch.vertices.size()),
                        static_cast<std::uint32_t>(patch.polygonEnds.size()), box, pressure});
    for (const PressurePatch::Vertex& v : patch.vertices)
      vertices_.push_back({encode(v.p_W, box), encode<Code16>(v.pressure, pressure)});
    std::int32_t begin = 0;
    for (const std::int32_t end : patch.polygonEnds) {
      polygonSizes_.push_back(static_cast<std::uint16_t>(end - begin));
      begin = end;
    }
  }
}

void PackedSnapshot::unpackPatches(std::vector<PressurePatch>& patches) const {
  patches.resize(patches_.size());
  std::size_t vertex = 0, polygon = 0;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const PackedPatch& packed = patches_[i];
    PressurePatch& patch = patches[i];
    patch.geometry = packed.geometry;
    patch.otherGeometry = packed.otherGeometry;
    patch.vertices.reserve(packed.vertices);
    for (std::uint32_t v = 0; v < packed.vertices; ++v, ++vertex)
      patch.vertices.push_back(
          {decode(vertices_[vertex].place, packed.box), decode(vertices_[vertex].pressure, packed.pressure)});
    std::int32_t end = 0;
    patch.polygonEnds.reserve(packed.polygons);
    for (std::uint32_t p = 0; p < packed.polygons; ++p)
      patch.polygonEnds.push_back(end += polygonSizes_[polygon++]);
  }
}

}  // namespace slipstick
