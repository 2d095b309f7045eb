// Draw-ready arrays of one snapshot for one view; no OpenGL here, so it can be tested without a context.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/facts/looks.h"
#include "engine/facts/pair_force.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "render/camera.h"
#include "render/color_scale.h"
#include "render/force_scale.h"
#include "render/gizmo.h"
#include "render/selection.h"
#include "render/view.h"

namespace slipstick::render {

class FootprintCache;  // render/footprint_surface.h

struct Arrow {
  Eigen::Vector3f from = Eigen::Vector3f::Zero();    ///< at the contact [m]
  Eigen::Vector3f vector = Eigen::Vector3f::Zero();  ///< drawn length and direction [m]
  Eigen::Vector4f color = Eigen::Vector4f::Ones();
  float thickness = 1;        ///< of shaft and head, in those of the arrow of a point [-]
  Vec3 force = Vec3::Zero();  ///< that it stands for [N]
  int contact = -1;           ///< index into Snapshot::contacts, or −1 for a sum
  int members = 1;            ///< how many contacts it sums
  int body = 0;               ///< on which it acts; −1: on a deformable
  int pair = -1;              ///< into ContactParts::pairs
  Selection selects;          ///< what a click on it selects: what it sums
};

/// Where a contact is: a disc while it sticks, a ring while it slips.
struct ContactMark {
  Eigen::Vector3f point = Eigen::Vector3f::Zero();  ///< [m]
  Eigen::Vector3f normal = Eigen::Vector3f::UnitZ();
  Eigen::Vector4f color = Eigen::Vector4f::Ones();
  bool ring = false;
  float radius = 4.5f;  ///< on screen [logical px]
};

/// How a stroke begins.
enum class StrokeFoot : std::uint8_t { None, Disc, Ring };

/// A line of constant width on screen, or one that tapers, with a thin rim, dark on dark ground and light on light.
struct Stroke {
  Eigen::Vector3f from = Eigen::Vector3f::Zero(), to = Eigen::Vector3f::Zero();  ///< [m]
  Eigen::Vector4f color = Eigen::Vector4f::Ones();                               ///< linear RGB
  float width = 1.6f, endWidth = 1.6f;                                           ///< [logical px]
  StrokeFoot foot = StrokeFoot::None;
  float reach = 0;  ///< how far behind what is seen it still shows [m]
  /// Of the surface that it lies on: where that turns away, the stroke is only hinted at. Zero: no such
  /// surface.
  Eigen::Vector3f normal = Eigen::Vector3f::Zero();
};

/// Pressure, or depth, painted on a surface: of a rigid contact that has one, or where particles press.
struct PatchSurface {
  int pair = -1;          ///< into ContactParts::pairs
  bool fades = false;     ///< nothing is painted where there is next to nothing
  bool oneSided = false;  ///< what turns away is only hinted at
  ColorMap map = ColorMap::Ember;
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
  Eigen::Vector3f normal = Eigen::Vector3f::UnitZ();   ///< unit, outward
  /// Linear RGB; w of a cloth: 1 where its threads shine, 0 at its rim; of a liquid: its depth there [m].
  Eigen::Vector4f color = Eigen::Vector4f::Ones();
};

/// A deformable drawn as triangles.
struct SoftMesh {
  int deformable = 0;
  SoftLook look = SoftLook::Matt;
  bool mapped = false;  ///< its colours mean numbers
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
  std::optional<Color> color;             ///< linear RGB that a person gave it
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

/// The way that something came, oldest point first.
struct Trail {
  std::vector<Eigen::Vector3f> points;  ///< [m]
  bool operator==(const Trail&) const = default;
};

/// What the colours of one quantity mean.
struct ColorBar {
  std::string title;        ///< "dough · von Mises stress"
  std::string unit;         ///< "kPa"
  double min = 0, max = 0;  ///< in `unit`; equal = there is none
  bool diverging = false;   ///< diverging map around 0, otherwise `map`
  ColorMap map = ColorMap::Ember;
  bool isShown() const { return max > min; }
};

/// A number beside an arrow.
struct ForceLabel {
  Eigen::Vector3f point = Eigen::Vector3f::Zero();       ///< the arrow's tip [m]
  Eigen::Vector3f direction = Eigen::Vector3f::UnitZ();  ///< of the arrow, unit
  std::string text;                                      ///< "10.0 N"
  Hex color = palette::kNormal;
  int pair = -1;
};

/// A footprint unrolled into a plane, for what one does not see from where the camera is: a surface that faces
/// away from it, or that lies between two bodies.
struct FootprintInset {
  struct Vertex {
    Eigen::Vector2f at = Eigen::Vector2f::Zero();  ///< [m]
    float value = 0;                               ///< / top of the bar
  };
  struct Line {
    Eigen::Vector2f from = Eigen::Vector2f::Zero(), to = Eigen::Vector2f::Zero();  ///< [m]
    bool slips = false;
  };
  std::string title;                     ///< "roller ↔ dough"
  std::string how;                       ///< "unrolled", "from outside", "in its plane"
  std::string across, along;             ///< what the two axes are: "around", "along"
  bool fades = true;                     ///< nothing is painted where there is next to nothing
  std::vector<Vertex> triangles;         ///< triples
  std::vector<Eigen::Vector2f> outline;  ///< both ends of every edge of the rim [m]
  std::vector<Line> strokes;             ///< friction
  Eigen::AlignedBox2f box;               ///< around the triangles [m]
  double force = 0;                      ///< Σ N of the contacts that are painted here [N]
  double pairForce = 0;                  ///< of all contacts of the pair [N]
  double peak = 0;                       ///< largest value [peakUnit]
  std::string peakUnit;
};

/// What is drawn of one pair, and what is not.
struct PairView {
  PairForce force;                        ///< on the side that is shown
  ContactView seen = ContactView::Pairs;  ///< how its arrows are drawn: Pairs or Points
  bool footprint = false;
  bool selected = false;           ///< or one of its contacts is
  int firstArrow = 0, arrows = 0;  ///< into ContactParts::arrows
  /// Its arrows and, where there is one, its moment's ring, about the pair's centre of pressure, in W.
  Wrench drawn;
  Wrench remainder;           ///< what neither shows; both together are the pair's force and moment
  double remainderForce = 0;  ///< Σ |force| of the points that no arrow shows [N]
  int remainderContacts = 0;  ///< how many those are
  double footprintForce = 0;  ///< what is painted: integral of the pressure over its surfaces [N]
};

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

/// As many pairs have arrows.
inline constexpr std::size_t kMaxPairs = 8;
/// Shorter arrows are not drawn; what they would show is stated [logical px].
inline constexpr double kShortestArrow = 8;

/// Side of the cells within which the contacts of a pair are summed.
struct ClusterSide {
  ContactPair pair;
  double side = 0;  ///< [m]
  bool operator==(const ClusterSide&) const = default;
};

/// What a frame shows of contact.
struct ContactParts {
  std::vector<PairView> pairs;  ///< largest first, at most kMaxPairs
  int morePairs = 0;            ///< pairs that have no arrow
  double moreForce = 0;         ///< Σ |net force| of those [N]
  std::vector<Arrow> arrows;
  std::vector<ForceLabel> labels;
  std::vector<Stroke> outlines;       ///< in front, as the arrows are: rings of moments, cones
  std::vector<ContactMark> marks;     ///< at the feet of points' arrows
  std::vector<PatchSurface> patches;  ///< footprints
  std::vector<Stroke> strokes;        ///< friction on the footprints
  std::vector<FootprintInset> insets;
  ForceScale pairScale, pointScale;       ///< of the net forces, and of the points'
  std::vector<ClusterSide> clusterSides;  ///< of the pairs whose points are drawn
  ColorBar pressureBar;
  double discRadius = 0;  ///< of the discs over which rigid points are spread [m]; 0: there are none
};

/// Immutable once made. Parts that did not change since the frame before are the same objects: they need no
/// second upload. None but the looks is null.
struct Frame {
  double time = 0;
  std::uint64_t step = 0;
  std::vector<Pose> X_WB;  ///< per body
  std::shared_ptr<const SoftParts> soft;
  std::shared_ptr<const ContactParts> contact;
  std::vector<BoundarySurface> boundaries;
  std::vector<Ghost> ghosts;
  std::vector<Trail> trails;
  std::vector<GoalMark> goals;         ///< of effectors
  std::shared_ptr<const Looks> looks;  ///< null: all as usual
  const LookSpec& lookOf(int body) const;
};

/// A run beside the one that is looked at, seen through in a colour of its own.
struct ColoredGhost {
  std::shared_ptr<const Snapshot> snapshot;
  Eigen::Vector3f color = Eigen::Vector3f::Ones();  ///< linear RGB
};

/// Everything that a frame depends on.
struct FrameInput {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Snapshot> snapshot;  ///< of this model
  std::shared_ptr<const Looks> looks;        ///< in place of the scene's; null: those
  ViewOptions options;
  Selection selection;
  /// Of any step of the run up to this one, see TimelineMark::largestForce: it sets the scale of the arrows,
  /// so that they compare over time; 0: of this snapshot alone [N].
  double largestForce = 0;
  Camera camera;                       ///< for what depends on how near one is
  double viewHeight = 960;             ///< of the picture [logical px]
  double aspect = 1.6;                 ///< width / height
  std::optional<ContactPair> hovered;  ///< under the pointer
  /// Those of the frame before, which are kept while they nearly suit, see clusterSide(); empty: each as the
  /// camera asks for.
  std::vector<ClusterSide> clusterSides;
  /// Of other times or branches; those of other things are left out, see drawsAlike().
  std::vector<std::shared_ptr<const Snapshot>> ghosts;
  std::vector<ColoredGhost> besides;  ///< likewise; they come first in Frame::ghosts
  std::vector<Trail> trails;          ///< drawn with ViewOptions::trails
  bool hasHandles = false;            ///< effectors can be dragged
  /// The handle that is held or pointed at, and of which effector.
  std::optional<std::pair<int, Handle>> held;
  /// Surfaces of bodies that footprints are painted on, kept from frame to frame; null: made anew. Of one
  /// thread.
  std::shared_ptr<FootprintCache> footprints;
};

/// Colours, meshes and contact of one snapshot. Of contact, at three distances: the net force of each pair;
/// what it does to the surface; its points. Which pairs, and on which side the force is shown: see
/// shownPairs(). Whatever is chosen, PairView::drawn + remainder is what the pair does. The same input
/// gives the same frame.
Frame buildFrame(const FrameInput& input);
/// With deformables that are made already: of this input, by buildSoftParts().
Frame buildFrame(const FrameInput& input, std::shared_ptr<const SoftParts> soft);
/// Its parts by themselves, for those who keep what did not change.
std::shared_ptr<const SoftParts> buildSoftParts(const FrameInput& input);
std::shared_ptr<const ContactParts> buildContactParts(const FrameInput& input);

}  // namespace slipstick::render
