// What stands where in a recording; recording_format.md is the page about it. Writer and reader share these tables.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "assets/recording/hdf5_file.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/soft_state.h"

namespace slipstick::assets::recording {

inline constexpr const char* kFormat = "slipstick recording";
/// Grows when a reader of the version before could not make sense of the file.
inline constexpr int kVersion = 1;

/// What of a model decides how wide rows are.
struct Sizes {
  std::size_t observables = 0, particles = 0;
  std::size_t nq = 0, nv = 0;
  std::vector<FieldSpec> softFields = {};  ///< of what the method remembers of each node
  static Sizes of(const Model& model, std::size_t observables, std::vector<FieldSpec> softFields);
};

/// What a method may tell of contacts, which its files have columns for only then.
struct ContactColumns {
  bool softSides = false;  ///< there may be contacts between soft bodies
  bool forceLaws = false;  ///< they differ in what makes their forces
  static ContactColumns of(const Model& model);
};

/// Tables of a file. Numbers stand for the places of their fields.
namespace steps {
inline constexpr const char* kGroup = "steps";
enum Field { Values, Hash, Health, ContactEnd, HasContacts, Slipping, PairEnd, LargestForce };
/// Written together: a chunk that is written twice is twice in the file.
inline constexpr std::size_t kChunkRows = 32;
std::vector<hdf5::Field> fields(const Sizes& sizes);
}  // namespace steps

namespace contacts {
inline constexpr const char* kGroup = "contacts";
enum Field {
  Sides,
  Key,
  Mode,
  Place,
  Normal,
  Force,
  Depth,
  SlipSpeed,
  Friction,
  FrictionBound,
  Pressure,
  SoftSide,
  Law,
  LawNumbers,
  Indeterminate
};
inline constexpr const char *kSoftSide = "soft_side", *kLaw = "law", *kLawNumbers = "law_numbers",
                            *kIndeterminate = "indeterminate";
std::vector<hdf5::Field> fields(const ContactColumns& columns);
}  // namespace contacts

namespace pairs {
inline constexpr const char* kGroup = "pairs";
enum Field { Sides, Values, SoftSide };
std::vector<hdf5::Field> fields(const ContactColumns& columns);
}  // namespace pairs

namespace frames {
inline constexpr const char* kGroup = "frames";
enum Field { Step, IsWhole, PatchEnd, Places, Colors, ColorRanges };
/// The others are differences: as many have to be read for any one, at most.
inline constexpr std::uint64_t kWholeEvery = 8;
std::vector<hdf5::Field> fields(const Sizes& sizes);
/// In the order of the second axis of Colors.
inline constexpr std::array<std::vector<float> Snapshot::*, 4> kColors = {
    &Snapshot::speed, &Snapshot::stress, &Snapshot::pressure, &Snapshot::plasticStrain};
}  // namespace frames

namespace patches {
inline constexpr const char* kGroup = "patches";
enum Field { Sides, VertexEnd, PolygonEnd };
std::vector<hdf5::Field> fields();
}  // namespace patches

namespace patch_vertices {
inline constexpr const char* kGroup = "patch_vertices";
enum Field { Place, Pressure };
std::vector<hdf5::Field> fields();
}  // namespace patch_vertices

namespace patch_polygons {
inline constexpr const char* kGroup = "patch_polygons";
enum Field { Vertices };
std::vector<hdf5::Field> fields();
}  // namespace patch_polygons

namespace commands {
inline constexpr const char* kGroup = "commands";
enum Field { Step, Text };
inline constexpr std::size_t kTextBytes = 512;
std::vector<hdf5::Field> fields();
}  // namespace commands

namespace keyframes {
inline constexpr const char* kGroup = "keyframes";
/// The fields of soft bodies follow from SoftFields on.
enum Field { Step, Q, V, ControllerQ, X, Velocity, ImpulseEnd, MemoryEnd, Extra, SoftFields };
inline constexpr std::size_t kExtraBytes = 16384;
std::vector<hdf5::Field> fields(const Sizes& sizes);
}  // namespace keyframes

namespace impulses {
inline constexpr const char* kGroup = "keyframe_impulses";
enum Field { Key, Impulse };
std::vector<hdf5::Field> fields();
}  // namespace impulses

namespace memory {
inline constexpr const char* kGroup = "keyframe_memory";
enum Field { Name, Value };
inline constexpr std::size_t kNameBytes = 64;
std::vector<hdf5::Field> fields();
}  // namespace memory

}  // namespace slipstick::assets::recording
