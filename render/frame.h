// Draw-ready arrays of one snapshot for one view; no OpenGL here, so it can be tested without a context.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "render/camera.h"
#include "render/color_scale.h"
#include "render/view.h"

namespace slipstick::render {

struct Arrow {
  Eigen::Vector3f from = Eigen::Vector3f::Zero();    ///< at the contact [m]
  Eigen::Vector3f vector = Eigen::Vector3f::Zero();  ///< drawn length and direction [m]
  Eigen::Vector4f color = Eigen::Vector4f::Ones();
  int contact = -1;  ///< index into Snapshot::contacts, or −1 for a sum
  int members = 1;   ///< how many contacts it sums
  int body = 0;      ///< on which it acts
  ContactKey key;    ///< of that contact; of the strongest member for a sum
};

/// Where a contact is: a disc while it sticks, a ring while it slips.
struct ContactMark {
  Eigen::Vector3f point = Eigen::Vector3f::Zero();  ///< [m]
  Eigen::Vector3f normal = Eigen::Vector3f::UnitZ();
  Eigen::Vector4f color = Eigen::Vector4f::Ones();
  bool ring = false;
};

/// A contact surface between two rigid bodies.
struct PatchSurface {
  std::vector<Eigen::Vector4f> triangles;            ///< triples of (point [m], pressure / top of the bar)
  std::vector<Eigen::Vector3f> outline;              ///< both ends of every edge of the rim [m]
  Eigen::Vector3f center = Eigen::Vector3f::Zero();  ///< mean of the vertices [m]
  /// How far behind the surface that is seen it still shows fully: what presses on it hides it by so much
  /// [m].
  float reach = 0;
  bool selected = false;  ///< a contact of it is
};

/// Particles that are drawn as spheres alike.
struct SphereRange {
  int first = 0, count = 0;                         ///< into Frame::particles
  float radius = 0;                                 ///< [m]
  Eigen::Vector3f color = Eigen::Vector3f::Ones();  ///< linear RGB, where they are not mapped
  bool mapped = false;                              ///< coloured by their values
  bool onlyCut = false;  ///< they fill the section through what is drawn as a surface, else nothing
  float variety =
      0;  ///< grains differ in size and, where not mapped, in shade by this part of it, up and down [-]
};

enum class SoftLook { Cloth, Matt, Liquid };

struct SoftVertex {
  Eigen::Vector3f position = Eigen::Vector3f::Zero();  ///< [m]
  Eigen::Vector3f normal = Eigen::Vector3f::UnitZ();   ///< unit; of a cloth towards its front
  /// Linear RGB; w: 1 where the back is to be told from the front, 0 at the rim of a cloth.
  Eigen::Vector4f color = Eigen::Vector4f::Ones();
};

/// A deformable drawn as triangles.
struct SoftMesh {
  int deformable = 0;
  SoftLook look = SoftLook::Matt;
  /// How far behind a rigid surface it still shows: contact is compliant, and a cloth that lies on a table
  /// lies a little in it [m].
  float lift = 0;
  std::vector<SoftVertex> vertices;
  std::vector<std::uint32_t> indices;  ///< triples
  std::vector<std::uint32_t> edges;    ///< pairs; cloth and ViewOptions::wireframe only
};

struct BoundaryVertex {
  Eigen::Vector3f position = Eigen::Vector3f::Zero();  ///< [m]
  Eigen::Vector3f normal = Eigen::Vector3f::UnitZ();
  Eigen::Vector2f across = Eigen::Vector2f::Zero();  ///< where it is on its face [m]
  /// Of the face, whose edges become lines [m]; 0: no edges, lines where the surface turns away from the eye.
  Eigen::Vector2f half = Eigen::Vector2f::Zero();
};

/// The surface of a boundary that acts now.
struct BoundarySurface {
  int boundary = 0;  ///< into Model::boundaries
  BoundaryKind kind = BoundaryKind::Sticky;
  bool selected = false;
  float pitch = 0.02f;                    ///< of its hatching [m]
  std::vector<BoundaryVertex> triangles;  ///< triples
};

/// Another time or branch, seen through beside the present.
struct Ghost {
  std::vector<Pose> X_WB;                            ///< per body; empty: no bodies
  std::vector<Eigen::Vector3f> particles;            ///< of deformables, may be thinned [m]
  float radius = 0.004f;                             ///< of the particles [m]
  Eigen::Vector3f color = {0.036f, 0.468f, 0.807f};  ///< linear RGB
};

/// What the colours of one quantity mean.
struct ColorBar {
  std::string title;        ///< "dough · von Mises stress"
  std::string unit;         ///< "kPa"
  double min = 0, max = 0;  ///< in `unit`; equal = there is none
  bool diverging = false;   ///< diverging map around 0, otherwise scalarMap
  bool isShown() const { return max > min; }
};

inline constexpr int kMostArrowsPerPair = 128;

/// What of a frame is of a scene's size: deformables.
struct SoftParts {
  std::vector<Eigen::Vector3f> particles;  ///< [m]
  std::vector<float> values;               ///< that colour spheres; empty where none is mapped
  ColorScale scale;                        ///< from a value to a colour
  /// Positions and values once more, see Snapshot::source; preferred, where it can be drawn from.
  std::shared_ptr<const ParticleSource> source;
  ParticleColumns::Column column = ParticleColumns::Stress;  ///< the source's values
  std::vector<SphereRange> spheres;                          ///< which particles are drawn as such
  Eigen::AlignedBox3f box;                                   ///< around all deformables, spheres included [m]
  std::vector<SoftMesh> meshes;                              ///< the other deformables
  ColorBar bar;
};

/// What a frame shows of contact.
struct ContactParts {
  std::vector<Arrow> arrows;
  std::vector<ContactMark> marks;     ///< of ContactView::Points all, else of rigid points
  std::vector<PatchSurface> patches;  ///< one per Snapshot::patches
  double metresPerNewton = 0;         ///< of the arrows: what the legend states
  double largestForce = 0;            ///< of the drawn arrows [N]
  ColorBar pressureBar;
};

/// Immutable once made. Parts that did not change since the frame before are the same objects: they need no
/// second upload. None is null.
struct Frame {
  double time = 0;
  std::uint64_t step = 0;
  std::vector<Pose> X_WB;  ///< per body
  std::shared_ptr<const SoftParts> soft;
  std::shared_ptr<const ContactParts> contact;
  std::vector<BoundarySurface> boundaries;
  std::vector<Ghost> ghosts;
};

/// Everything that a frame depends on.
struct FrameInput {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Snapshot> snapshot;  ///< of this model
  ViewOptions options;
  Selection selection;
  /// Of any step of the run up to this one, see TimelineMark::largestForce: it sets the scale of the arrows,
  /// so that they compare over time; 0: of this snapshot alone [N].
  double largestForce = 0;
  Camera camera;                       ///< for what depends on how near one is
  double viewHeight = 960;             ///< of the picture [logical px]
  double aspect = 1.6;                 ///< width / height
  std::optional<ContactPair> hovered;  ///< under the pointer
};

/// Colours, meshes, arrows and marks of one snapshot. A (body, deformable) pair with more than
/// kMostArrowsPerPair contacts is thinned to sums over the cells of a grid in space; the drawn arrows still
/// add up to all contact forces of the pair. The contacts between two rigid geometries are one arrow per
/// surface, or per direction where they touch in points, and single arrows once one of them is selected. An
/// arrow shows the force on the *body*; of two bodies on the one that is selected, else on the one that can
/// move. Contacts below ViewOptions::forceThreshold draw nothing. The same input gives the same frame.
Frame buildFrame(const FrameInput& input);
/// Its parts by themselves, for those who keep what did not change.
std::shared_ptr<const SoftParts> buildSoftParts(const FrameInput& input);
std::shared_ptr<const ContactParts> buildContactParts(const FrameInput& input);

}  // namespace slipstick::render
