// A snapshot in an eighth of its bytes: what history keeps of a step that nobody looks at.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/model/snapshot.h"
#include "engine/runtime/block_codes.h"

namespace slipstick {

/// Facts stay exact. Arrays lose what no eye can see:
/// - particles: 16 bits per axis within the box of each block of 128 consecutive ones; off by at most half of
///   edge/65535, and of a float's rounding;
/// - speed, stress, pressure, plastic strain: 8 bits within the block's range; off by range/510 at most;
/// - contacts: keys, coefficients and modes exact, forces, gaps, speeds and stiffnesses as floats, places with 16 bits
///   within the box of all contacts, normals within 2⁻¹⁵ per component;
/// - pressure patches: vertices and pressures with 16 bits within those of the patch.
///
/// Particles, which take by far the longest, may wait. Nobody sees that they do: who reads them first packs them.
class PackedSnapshot {
 public:
  explicit PackedSnapshot(const Snapshot& snapshot);
  /// The same with all the memory that it takes, but particles wait for finish(); until then it holds the snapshot.
  explicit PackedSnapshot(std::shared_ptr<const Snapshot> snapshot);

  bool isWaiting() const;
  /// Packs the particles if they wait; if another thread is at that, returns when it has done so.
  void finish() const noexcept;

  /// But for contactRemainder, which is packed.
  const StepFacts& facts() const { return facts_; }
  std::shared_ptr<const Snapshot> unpack() const;
  /// Facts and contacts, without particles and patches.
  std::shared_ptr<const Snapshot> unpackContacts() const;
  /// Everything held, but the model and a snapshot that waits.
  std::size_t byteCount() const;

 private:
  using Range = codes::Range;
  using Box = codes::Box;
  using Place = codes::Place;
  using Code16 = codes::Code16;

  /// A ContactSide without its element.
  struct KindSide {
    std::int32_t body, geometry, deformable;
    friend bool operator==(const KindSide&, const KindSide&) = default;
  };
  /// What contacts of one pair have in common.
  struct ContactKind {
    KindSide a, b;
    std::int32_t patch;
    ContactMode mode;
    bool hasOneOrdinal, isIndeterminate;
    double friction;
    ForceLaw law;  ///< between bodies without the stiffness, which each point has its own of
    friend bool operator==(const ContactKind&, const ContactKind&) = default;
  };
  struct PackedContact {
    std::array<float, 3> f_Bc_W;
    float gap, slipSpeed, frictionBound;
    std::int32_t ordinal;  ///< Contact::point, or the element of side b where that is soft
    std::uint32_t kind;    ///< index into kinds_
    Place place;
    std::array<std::int16_t, 3> normal;
  };
  /// What else names a contact.
  struct MoreOrdinals {
    std::int32_t element, point;  ///< of side a, and Contact::point
  };
  /// What only some contacts have, in their order.
  struct SomeContacts {
    std::vector<MoreOrdinals> ordinals;  ///< of those that one does not name
    std::vector<float> stiffnesses;      ///< of the compliant ones between bodies [N/m]
  };
  struct BodyRemainder {
    std::size_t body;
    Wrench wrench;
  };
  struct PackedPatch {
    std::int32_t geometry, otherGeometry;
    std::uint32_t vertices, polygons;  ///< how many
    Box box;
    Range pressure;
  };
  struct PackedVertex {
    Place place;
    Code16 pressure;
  };

  void begin(const Snapshot& snapshot);
  void packParticles(const Snapshot& snapshot) const;
  std::size_t bytesHeld() const;
  void packRemainders();
  void packContacts(const std::vector<Contact>& contacts);
  std::uint32_t kindOf(const Contact& contact);
  SomeContacts& someContacts();
  static KindSide kindOf(const ContactSide& side) { return {side.body, side.geometry, side.deformable}; }
  static ContactSide sideOf(const KindSide& side) { return {side.body, side.geometry, side.deformable}; }
  void packPatches(const std::vector<PressurePatch>& patches);
  std::shared_ptr<Snapshot> unpackFacts() const;
  void unpackContacts(std::vector<Contact>& contacts) const;
  void unpackPatches(std::vector<PressurePatch>& patches) const;

  StepFacts facts_;
  mutable std::mutex mutex_;  ///< of these three; nothing changes any more once nothing waits
  mutable std::shared_ptr<const Snapshot> waiting_;
  mutable codes::Positions particles_;
  mutable std::array<codes::Colors, 4> colors_;
  Box contactBox_;
  std::vector<ContactKind> kinds_;
  std::vector<PackedContact> contacts_;
  std::unique_ptr<SomeContacts> some_;   ///< null: there are none of those
  std::vector<float> contactPressures_;  ///< of the contacts with a patch, in their order [Pa]
  std::vector<PackedPatch> patches_;
  std::vector<PackedVertex> vertices_;
  std::size_t bodies_ = 0;
  std::vector<BodyRemainder> remainders_;    ///< of the bodies that have one
  std::vector<std::uint16_t> polygonSizes_;  ///< vertices of each polygon
  std::size_t bytes_ = 0;
};

}  // namespace slipstick
