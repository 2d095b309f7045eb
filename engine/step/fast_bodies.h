// What moves through more than what is in its way within one step, so that contact may never see it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/geometry/collision.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/soft_facts.h"

namespace slipstick {

/// Contact is looked for where things are at a step's start. Two shapes of thickness a and b that come towards each other
/// overlap along a + b of their way; if they go further in a step, they may pass each other unseen.
class FastBodies {
 public:
  /// What bodies and particles do in one step.
  struct Way {
    const std::shared_ptr<const Model>& model;
    const std::vector<Pose>& from;  ///< per body, at its start
    const std::vector<Pose>& to;
    const std::vector<Velocity>& V_WB;  ///< at its start
    /// At its start; null: there are none.
    const SoftFacts* particles = nullptr;
    double particleInterval = 0;  ///< after which particles look for contact again; 0: they foresee it [s]
    bool keepsVelocity = false;   ///< particles meet bodies that move as at the step's start until it ends
  };

  /// Appends a note for each pair of bodies, and of a body and a deformable: value is how far they move against each other,
  /// limit how far they may.
  void find(const Way& way, std::vector<HealthNote>& notes);

 private:
  struct Place {
    Eigen::AlignedBox3d bounds;  ///< of the geometry at the step's start, W; empty: a half-space
    Vec3 middle = Vec3::Zero();  ///< in its body's frame [m]
    Vec3 shift = Vec3::Zero();   ///< of the middle [m]
  };

  void place(const Way& way);
  bool isFast(int geometry) const;
  void meet(const Way& way, int a, int b, std::vector<HealthNote>& notes);
  void meetSoft(const Way& way, int geometry, std::size_t deformable, std::vector<HealthNote>& notes);
  std::optional<Vec3> firstTouch(const Way& way, int a, int b, double length, double resolution);
  double thickness(const Way& way, int geometry);
  static double depthAlong(const Way& way, std::size_t deformable, const Vec3& direction);
  double chordAlong(const Way& way, int geometry, const Vec3& direction_W);
  double widthAlong(const Way& way, int geometry, const Vec3& direction_W);

  std::vector<Eigen::AlignedBox3d> bounds_;  ///< per geometry, in its own frame
  std::vector<std::optional<double>>
      thickness_;              ///< per geometry, of its thinnest part, where it is known [m]
  std::vector<Place> places_;  ///< per geometry
  std::shared_ptr<const Model> collisionOf_;
  std::optional<Collision> collision_;
  std::vector<Pose> X_WB_;
  std::vector<char> bodies_;
  RigidContactSet touching_;
};

}  // namespace slipstick
