// Immutable facts of one finished step: all that drawing, tables, plots and files need.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/contact/solve_trace.h"
#include "engine/foundation/math.h"
#include "engine/geometry/pressure_patch.h"
#include "engine/model/contact.h"
#include "engine/model/health.h"
#include "engine/model/particle_source.h"
#include "engine/model/phase.h"

namespace slipstick {

struct Model;  // engine/model/model.h

struct StepReport {
  HealthFlags health = 0;
  int substeps = 0;
  int contactIterationsMean = 0;  ///< per substep that had contacts, rounded
  int contactIterationsMax = 0;
  int rigidIterations = 0;
  int notConvergedSolves = 0;
  int contacts = 0;       ///< (particle, geometry) pairs at the last substep
  int rigidContacts = 0;  ///< contact points between rigid bodies
  int rigidPairs = 0;     ///< pairs of rigid geometries that touch
  int activeNodes = 0;    ///< grid nodes with mass, last substep
  PhaseTimes phases{};    ///< wall time [s]; not part of any hash
  /// |momentum| that contact solves left over and bodies took up beside their contacts, Σ over sets of
  /// connected nodes, relative to Σ|γ| [-].
  double contactRemainder = 0;
  /// |Δp of the particles − their weight's, pulls' and boundaries' impulses + impulses given to bodies|,
  /// relative to what was exchanged [-]
  double momentumError = 0;
};

/// Physical totals, for plots and conservation tests.
struct Totals {
  Vec3 momentum = Vec3::Zero();         ///< particles + bodies [N s]
  Vec3 angularMomentum = Vec3::Zero();  ///< about W's origin, with the affine part [N m s]
  double kineticEnergy = 0;             ///< [J]
  double potentialEnergy = 0;           ///< gravity [J]
  double elasticEnergy = 0;             ///< [J]
};

struct DeformableFacts {
  Vec3 center = Vec3::Zero();                       ///< centre of mass [m]
  Vec3 velocity = Vec3::Zero();                     ///< of the centre of mass [m/s]
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();  ///< bounding box [m]
  double volume = 0;                                ///< Σ J V⁰ [m³]
  double elasticEnergy = 0;                         ///< [J]
};

/// How much a snapshot holds.
enum class Detail {
  Facts,  ///< what tables and plots need: of particles only their sums, of patches only the points' pressures
  Particles,  ///< what pictures need, too: positions and colours of particles, surfaces of patches
};

/// What a step is known by, exactly: all but the large arrays.
struct StepFacts {
  std::uint64_t step = 0;
  double time = 0;
  std::uint32_t branch = 0;            ///< which continuation: 0 = the first
  std::shared_ptr<const Model> model;  ///< that the indices below refer to; set where steps are published
  std::vector<Pose> X_WB;              ///< per body
  std::vector<Velocity> V_WB;          ///< per body, of the body's origin
  VecX q, v;
  VecX tau;                           ///< generalized actuator forces [N m] or [N], length nv
  std::vector<Wrench> contactWrench;  ///< per body: all contact forces on it, about its origin [N], [N m]
  /// Per body: contactWrench less the wrenches of its contacts at their places about the same point: what
  /// solves left over, see StepReport::contactRemainder, and what places that are means over substeps lose.
  std::vector<Wrench> contactRemainder;
  std::vector<Vec3> boundaryForce;  ///< per Model boundary: force of the particles on it [N]
  /// What people ask for and give: goals of the joints that are driven, and what all pulls and twists did together.
  struct JointGoal {
    std::int32_t joint = 0;
    double goal = 0;  ///< [rad] or [m]
  };
  std::vector<JointGoal> driven;
  /// An effector that is driven.
  struct EffectorGoal {
    std::int32_t effector = 0;
    Pose wanted;                ///< of the tool frame, in W
    Pose onTheWay;              ///< where the arm is asked to be now
    double closing = -1;        ///< asked of the fingers, 0 open … 1 closed; −1: nothing
    std::int32_t atLimit = -1;  ///< a joint that stands at a limit and keeps the tool from its goal; −1: none
    bool reached = false;       ///< the way has ended at the goal, within 1 mm and half a degree
  };
  std::vector<EffectorGoal> goals;
  /// What one of Model::sensors reads, in its own frame; mean over the step but for the angular velocity.
  struct SensorReading {
    Vec3 linear = Vec3::Zero();   ///< force [N]; Imu: specific force [m/s²]
    Vec3 angular = Vec3::Zero();  ///< torque [N m]; Imu: angular velocity [rad/s]
  };
  std::vector<SensorReading> sensors;
  Vec3 pullForce = Vec3::Zero();    ///< mean over the step [N]
  Vec3 twistTorque = Vec3::Zero();  ///< likewise [N m]
  std::vector<DeformableFacts> deformables;
  Totals totals;
  StepReport report;
  /// What the method that made the step adds to the tables; null: nothing.
  std::shared_ptr<const MethodRows> own;
  /// What it tells of its own, in the order of its rows.
  std::vector<double> ownObservables;
  std::vector<HealthNote> healthNotes;  ///< in the order of their flags
  /// Of the last substep in which particles touched something, or of the last that did not converge. Empty where none
  /// was solved, and where a device solves them.
  contact::SolveTrace contactSolve;
  /// Of the island of the rigid solve that took the most iterations, one that did not converge before all others.
  contact::SolveTrace rigidSolve;
  std::vector<std::int32_t> saturatedJoints;  ///< whose actuators ran at their effort limits, ascending
  std::vector<std::int32_t> unreachedGoals;   ///< controllers whose end-effector goals were out of reach
  std::uint64_t stateHash = 0;

  std::size_t byteCount() const;  ///< without the model, which others hold
};

struct Snapshot : StepFacts {
  std::vector<Eigen::Vector3f> particles;  ///< positions [m]
  std::vector<float> speed;                ///< per particle [m/s]
  /// Per particle von Mises equivalent Kirchhoff stress; a cloth's vertices have the mean of their triangles [Pa].
  std::vector<float> stress;
  std::vector<float> pressure;       ///< per particle −tr τ / 3, likewise [Pa]
  std::vector<float> plasticStrain;  ///< per particle [-]
  /// The five above as a device has them; null where none does, or no more. The vectors are filled all the same: the
  /// history packs every step, and people pull at particles. It spares a picture the colours and the upload.
  std::shared_ptr<const ParticleSource> source;
  std::vector<Contact> contacts;       ///< with particles, then between rigid bodies
  std::vector<PressurePatch> patches;  ///< surfaces of the rigid contacts that have one

  std::size_t byteCount() const;  ///< without the source, whose memory is the device's
};

}  // namespace slipstick
