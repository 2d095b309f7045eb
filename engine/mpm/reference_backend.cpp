// The oracle: one substep of Yu 2025 (Eq. 3–8) in double precision, one particle after the other, as the
// paper reads.
#include "engine/mpm/reference_backend.h"

#include <algorithm>
#include <cmath>

#include "engine/contact/potential.h"
#include "engine/foundation/scope_timer.h"
#include "engine/geometry/signed_distance.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/boundary_nodes.h"
#include "engine/mpm/bspline.h"
#include "engine/mpm/cloth_forces.h"
#include "engine/mpm/contact_problem.h"
#include "engine/mpm/grid.h"
#include "engine/mpm/last_impulses.h"
#include "engine/mpm/materials/dispatch.h"
#include "engine/mpm/particle_health.h"
#include "engine/mpm/particle_look.h"
#include "engine/mpm/particle_materials.h"
#include "engine/mpm/particle_pull.h"
#include "engine/mpm/rigid_substep.h"
#include "engine/mpm/step_account.h"
#include "engine/mpm/step_geometry.h"
#include "engine/mpm/substeps.h"
#include "engine/mpm/transfer.h"

namespace slipstick::mpm {
namespace {

class ReferenceBackend final : public Backend {
 public:
  ReferenceBackend(std::shared_ptr<const Model> model, ContactProblemObserver observe)
      : model_(std::move(model)), observe_(std::move(observe)) {}

  std::string_view name() const override { return "reference"; }
  std::string runsOn() const override { return "CPU · 1 thread · double precision"; }
  bool couplesStrongly() const override { return true; }
  void tune(std::shared_ptr<const Model> model) override;
  void restore(const ParticleState& particles) override;
  void save(ParticleState& particles) const override { particles = live_; }
  void advance(const StepInput& motion, double dt, StepResult& result) override;
  void accept() override;
  const ParticleFacts& facts() const override { return facts_; }
  void look(ParticleView& view) override;

 private:
  /// The 27 nodes around a particle.
  struct Stencil {
    std::array<std::size_t, 27> node;  ///< into grid_
    std::array<double, 27> weight;
    std::array<V3<double>, 27> offset;  ///< x_i − x_p [m]
  };

  void moveRigid(const StepInput& motion, double elapsed);
  void substep(double dt, const StepInput& motion);
  void detectContacts(const StepInput& motion);
  void particlesToGrid(double dt);
  void clothToGrid(const Deformable& deformable, double dt);
  void addToGrid(std::size_t particle, const V3<double>& momentum, const M3<double>& affine);
  void freeMotion(double dt, const Vec3& gravity);
  void findBoundaryNodes();
  void applyBoundaries();
  void solveContacts(double dt, const StepInput& motion);
  void gridToParticles(double dt);
  void gridToCloth(const Deformable& deformable, double dt);
  M3<double> takeVelocity(std::size_t particle, double dt);

  void buildContactProblem(double dt, const StepInput& motion);
  int problemNode(std::size_t gridNode);
  Vec3 positionOf(std::size_t gridNode) const;
  Stencil stencilAt(const Vec3& x);

  ParticleFacts factsOf(const ParticleState& particles) const;

  std::shared_ptr<const Model> model_;
  ContactProblemObserver observe_;  ///< may be empty
  ParticleState live_;
  ParticleState p_;  ///< the particles inside a step; become the live ones when it is accepted
  ParticleFacts facts_, advancedFacts_;  ///< of the live ones, of those inside the step
  std::vector<StepGeometry<double>> geometries_;
  std::vector<FrozenBoundary> boundaries_;
  BoundaryNodes boundaryNodes_;
  std::vector<Stencil> stencils_;  ///< per particle
  ClothForces cloth_;
  SparseGrid<double> grid_;
  std::vector<DetectedContact> detected_;
  std::vector<int> problemNode_;       ///< per grid node, −1 = not touched by a contacting particle
  std::vector<std::size_t> gridNode_;  ///< per problem node
  std::vector<Vec3> nodeAt_;           ///< per problem node [m]
  ContactProblem<double> problem_;
  ContactSolution<double> solution_;
  ContactSolver<double> solver_;
  ContactOutcome<double> outcome_;
  LastImpulses<double> last_;
  StepAccount account_;
  std::vector<Wrench> rigidImpulses_;  ///< per body, of a substep
  int activeNodes_ = 0;
  PhaseTimes phases_{};
};

void ReferenceBackend::tune(std::shared_ptr<const Model> model) {
  model_ = std::move(model);
  facts_ = factsOf(live_);
}

void ReferenceBackend::restore(const ParticleState& particles) {
  live_ = particles;
  facts_ = factsOf(live_);
}

void ReferenceBackend::accept() {
  std::swap(live_, p_);
  std::swap(facts_, advancedFacts_);
}

void ReferenceBackend::advance(const StepInput& motion, double dt, StepResult& result) {
  result.reset(motion.bodies.size(), model_->boundaries.size());
  account_.begin(motion.bodies.size(), model_->boundaries.size());
  phases_ = {};
  startGeometries(*model_, motion, geometries_);
  freezeBoundaries(*model_, motion, boundaries_);
  p_ = live_;
  last_.load(p_.contacts);
  result.report.health = particleHealth(p_, model_->gridSpacing);
  if (result.report.health != 0) return;

  for (const Pull& pull : motion.pulls)
    result.pullImpulse += pullParticles(pull, *model_, dt, StateMotion{p_}).sum;
  SubstepSchedule schedule(*model_, dt, facts_);
  while (!schedule.done()) {
    moveRigid(motion, schedule.elapsed());
    moveBoundaries(*model_, motion, schedule.elapsed(), boundaries_);
    substep(schedule.next(maxSpeed(p_)), motion);
    result.report.health = particleHealth(p_, model_->gridSpacing);
    if (result.report.health != 0) return;
    schedule.finished(maxSpeed(p_));
  }

  account_.finish(result);
  last_.store(p_.contacts);
  result.facts = advancedFacts_ = factsOf(p_);
  result.report.substeps = schedule.taken();
  result.report.activeNodes = activeNodes_;
  result.report.phases = phases_;
  if (schedule.cflExceeded()) raise(result.report.health, Health::CflExceeded);
}

void ReferenceBackend::moveRigid(const StepInput& motion, double elapsed) {
  const auto moved = [](std::size_t) {};
  motion.rigid != nullptr ? placeGeometries(*model_, *motion.rigid, geometries_, moved)
                          : moveGeometries(*model_, motion, elapsed, geometries_, moved);
}

void ReferenceBackend::substep(double dt, const StepInput& motion) {
  if (motion.rigid != nullptr) motion.rigid->begin(dt);
  {
    const ScopeTimer timer(at(phases_, Phase::Contact));
    detectContacts(motion);
  }
  {
    const ScopeTimer timer(at(phases_, Phase::Transfer));
    particlesToGrid(dt);
    freeMotion(dt, motion.gravity);
    findBoundaryNodes();
  }
  if (!detected_.empty()) {
    const ScopeTimer timer(at(phases_, Phase::Contact));
    solveContacts(dt, motion);
  } else {
    account_.addFreeSubstep();
    last_.forget();
  }
  applyBoundaries();
  if (motion.rigid != nullptr) endSubstep(*motion.rigid, motion.bodies, account_, rigidImpulses_);
  const ScopeTimer timer(at(phases_, Phase::Transfer));
  gridToParticles(dt);
}

/// Every (particle, geometry) pair with φ < 0 at x^k, ordered by (geometry, particle).
void ReferenceBackend::detectContacts(const StepInput& motion) {
  detected_.clear();
  for (const StepGeometry<double>& g : geometries_) {
    const Pose X_GW = g.X_WG.inverse();
    for (std::size_t d = 0; d < model_->deformables.size(); ++d) {
      const ContactLaw& law = motion.laws[d * geometries_.size() + static_cast<std::size_t>(g.index)];
      if (!law.enabled) continue;
      const auto end = static_cast<std::size_t>(model_->deformables[d].end);
      for (auto i = static_cast<std::size_t>(model_->deformables[d].begin); i < end; ++i) {
        const auto distance = signedDistance<double>(g.shape, toLanes<double>(Vec3(X_GW * p_.x[i])));
        if (distance.phi < 0)
          detected_.push_back({static_cast<int>(i), g.index, g.body, -distance.phi, p_.x[i],
                               g.X_WG.R * toEigen(distance.normal), g.p_WB0});
      }
    }
  }
}

ReferenceBackend::Stencil ReferenceBackend::stencilAt(const Vec3& x) {
  const double h = model_->gridSpacing;
  const Bspline<double> b = bspline(toLanes<double>(x), 1 / h);
  const std::array<int, 3> base = {static_cast<int>(b.base.x), static_cast<int>(b.base.y),
                                   static_cast<int>(b.base.z)};
  Stencil s;
  std::size_t n = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k, ++n) {
        s.node[n] = grid_.touch(base[0] + i, base[1] + j, base[2] + k);
        s.weight[n] = b.w[0][i] * b.w[1][j] * b.w[2][k];
        s.offset[n] = h * V3<double>{i - b.f.x, j - b.f.y, k - b.f.z};
      }
  return s;
}

/// m_i = Σ w m_p, (mv)_i = Σ w [m v + (m C − δt V⁰ 4/h² τ)(x_i − x_p)] with the stress of the substep's
/// start.
void ReferenceBackend::particlesToGrid(double dt) {
  grid_.clear();
  stencils_.resize(p_.x.size());
  const InitialParticles& initial = model_->particles;
  for (const Deformable& d : model_->deformables) {
    if (d.cloth) {
      clothToGrid(d, dt);
      continue;
    }
    const MaterialConstants<double> constants = constantsOf(d);
    withMaterial(d.material.model, [&](auto material) {
      for (auto p = static_cast<std::size_t>(d.begin); p < static_cast<std::size_t>(d.end); ++p) {
        const double m = initial.mass[p];
        const M3<double> tau =
            material.stress(toLanes<double>(p_.F[p]), internalOf(p_, p), toLanes<double>(p_.C[p]), constants);
        addToGrid(p, m * toLanes<double>(p_.v[p]),
                  affineMomentum(m, toLanes<double>(p_.C[p]),
                                 stressImpulseScale(dt, initial.volume[p], 1 / model_->gridSpacing), tau));
      }
    });
  }
}

/// Vertices bring the impulses of their triangles with their momentum; the directors' stress acts where the
/// centroids are (Jiang et al. 2017).
void ReferenceBackend::clothToGrid(const Deformable& d, double dt) {
  computeClothForces(d, p_, cloth_);
  const auto begin = static_cast<std::size_t>(d.begin), end = static_cast<std::size_t>(d.end),
             vertices = static_cast<std::size_t>(d.cloth->vertices);
  const double scale = stressImpulseScale(dt, 1.0, 1 / model_->gridSpacing);
  for (std::size_t p = begin; p < end; ++p) {
    const double m = model_->particles.mass[p];
    Vec3 momentum = m * p_.v[p];
    Mat3 affine = m * p_.C[p];
    if (p - begin < vertices)
      momentum += dt * cloth_.force[p - begin];
    else
      affine -= scale * cloth_.couple[p - begin - vertices] * p_.F[p].col(2).transpose();
    addToGrid(p, toLanes<double>(momentum), toLanes<double>(affine));
  }
}

/// @param affine  what the momentum gains per distance from the particle [kg/s]
void ReferenceBackend::addToGrid(std::size_t particle, const V3<double>& momentum, const M3<double>& affine) {
  const double mass = model_->particles.mass[particle];
  const Stencil& s = stencils_[particle] = stencilAt(p_.x[particle]);
  for (std::size_t n = 0; n < 27; ++n) {
    grid_[s.node[n]].mass += s.weight[n] * mass;
    grid_[s.node[n]].momentum += s.weight[n] * (momentum + affine * s.offset[n]);
  }
}

/// v* = (mv)_i/m_i + δt g, without a mass threshold.
void ReferenceBackend::freeMotion(double dt, const Vec3& gravity) {
  const V3<double> dv = dt * toLanes<double>(gravity);
  activeNodes_ = 0;
  for (GridNode<double>& node : grid_.nodes()) {
    if (node.mass <= 0) continue;
    node.velocity = (1 / node.mass) * node.momentum + dv;
    ++activeNodes_;
  }
}

/// The nodes with mass inside a boundary.
void ReferenceBackend::findBoundaryNodes() {
  boundaryNodes_.clear();
  if (boundaries_.empty()) return;
  std::vector<const FrozenBoundary*> all;
  for (const FrozenBoundary& b : boundaries_) all.push_back(&b);
  boundaryNodes_.begin(grid_.size());
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    if (grid_[i].mass <= 0) continue;
    boundaryNodes_.test(i, positionOf(i), all, model_->gridSpacing);
  }
}

Vec3 ReferenceBackend::positionOf(std::size_t gridNode) const {
  const BlockCoordinates at = grid_.nodeAt(gridNode);
  return model_->gridSpacing * Vec3(at.x, at.y, at.z);
}

/// Boundaries take up what free motion and contacts would give to the nodes inside them.
void ReferenceBackend::applyBoundaries() {
  std::vector<BoundaryImpulse> impulses(model_->boundaries.size());
  for (const BoundaryNodes::Node& n : boundaryNodes_.nodes()) {
    GridNode<double>& node = grid_[n.gridNode];
    node.velocity = toLanes<double>(
        boundedVelocity(toEigen(node.velocity), node.mass, boundaryNodes_.boundsOf(n), impulses));
  }
  account_.addBoundaries(impulses);
}

/// Index of a grid node among the contact problem's unknowns, which it joins when first asked for.
int ReferenceBackend::problemNode(std::size_t gridNode) {
  int& index = problemNode_[gridNode];
  if (index < 0) {
    index = static_cast<int>(gridNode_.size());
    gridNode_.push_back(gridNode);
    nodeAt_.push_back(positionOf(gridNode));
    problem_.mass.push_back(grid_[gridNode].mass);
    problem_.vStar.push_back(grid_[gridNode].velocity);
    if (!boundaryNodes_.nodes().empty()) problem_.bounds.push_back(boundaryNodes_.boundsAt(gridNode));
  }
  return index;
}

void ReferenceBackend::buildContactProblem(double dt, const StepInput& motion) {
  problem_.dt = dt;
  problem_.stictionSpeed = model_->stictionSpeed;
  problem_.mass.clear();
  problem_.vStar.clear();
  problem_.contacts.clear();
  problem_.bounds.clear();
  gridNode_.clear();
  nodeAt_.clear();
  problemNode_.assign(grid_.size(), -1);
  for (const DetectedContact& c : detected_) {
    const auto particle = static_cast<std::size_t>(c.particle),
               geometry = static_cast<std::size_t>(c.geometry);
    const ContactLaw& law = motion.laws[deformableOf(*model_, particle) * geometries_.size() + geometry];
    const Vec3 vBody = geometries_[geometry].velocityAt(c.x);
    ContactPoint<double> point{};
    point.normal = toLanes<double>(c.normal);
    point.vBody = toLanes<double>(vBody);
    point.f0 = law.stiffness * c.penetration;
    point.stiffness = law.stiffness;
    point.dissipation = law.dissipation;
    point.friction = law.friction;
    const double vn0 = c.normal.dot(p_.v[particle] - vBody);
    point.n0 = contact::laggedNormalImpulse(point.f0, law.dissipation, vn0, dt);
    point.guess = last_.of(c.particle, c.geometry);
    const Stencil& s = stencils_[particle];
    for (std::size_t n = 0; n < 27; ++n) {
      // A particle exactly on a cell's middle has nodes of weight zero, which may have no mass: they take no
      // part.
      const bool massless = grid_[s.node[n]].mass <= 0;
      point.node[n] = problemNode(massless ? s.node[13] : s.node[n]);
      point.weight[n] = massless ? 0 : s.weight[n];
    }
    problem_.contacts.push_back(point);
  }
  problem_.rigid = nullptr;
  if (motion.rigid != nullptr) coupleContacts(*motion.rigid, detected_, problem_);
  addBoundaryFriction(problem_);
}

/// The grid receives the velocities that were solved for.
void ReferenceBackend::solveContacts(double dt, const StepInput& motion) {
  buildContactProblem(dt, motion);
  if (observe_) observe_(problem_, detected_);
  solver_.solve(problem_, contactSettings(model_->solver), solution_);
  for (std::size_t i = 0; i < gridNode_.size(); ++i) grid_[gridNode_[i]].velocity = solution_.v[i];
  outcome_.enter(problem_, solution_, detected_, nodeAt_, account_);
  last_.forget();
  for (std::size_t c = 0; c < detected_.size(); ++c)
    last_.add(detected_[c].particle, detected_[c].geometry, solution_.gamma[c]);
}

/// Particles take their velocity from the grid; then F with its return map, and C.
void ReferenceBackend::gridToParticles(double dt) {
  for (const Deformable& d : model_->deformables) {
    if (d.cloth) {
      gridToCloth(d, dt);
      continue;
    }
    const MaterialConstants<double> constants = constantsOf(d);
    withMaterial(d.material.model, [&](auto material) {
      for (auto p = static_cast<std::size_t>(d.begin); p < static_cast<std::size_t>(d.end); ++p) {
        const M3<double> L = takeVelocity(p, dt);
        const Mapped<double> mapped = material.returnMap(trialDeformation(L, dt, toLanes<double>(p_.F[p])),
                                                         internalOf(p_, p), constants);
        p_.F[p] = toEigen(mapped.F);
        p_.C[p] = toEigen(affineVelocity(L, d.apicDamping));
        p_.plastic[p] += mapped.strain;
        p_.internal[p] = {mapped.q.a, mapped.q.b};
      }
    });
  }
}

/// The grid carries the directors along; everything else of F follows from the vertices.
void ReferenceBackend::gridToCloth(const Deformable& d, double dt) {
  const int firstTriangle = d.begin + d.cloth->vertices;
  for (int i = d.begin; i < d.end; ++i) {
    const auto p = static_cast<std::size_t>(i);
    const M3<double> L = takeVelocity(p, dt);
    p_.C[p] = toEigen(affineVelocity(L, d.apicDamping));
    if (i >= firstTriangle) p_.F[p].col(2) += dt * (toEigen(L) * p_.F[p].col(2));
  }
  followVertices(d, p_);
}

/// v_p = Σ w v, x += δt v. @return L = 4/h² Σ w v (x_i − x_p)ᵀ
M3<double> ReferenceBackend::takeVelocity(std::size_t particle, double dt) {
  const double invH = 1 / model_->gridSpacing;
  const Stencil& s = stencils_[particle];
  V3<double> v{0, 0, 0};
  M3<double> B = M3<double>::zero();
  for (std::size_t n = 0; n < 27; ++n) {
    const V3<double> wv = s.weight[n] * grid_[s.node[n]].velocity;
    v += wv;
    B = B + outer(wv, s.offset[n]);
  }
  p_.v[particle] = toEigen(v);
  p_.x[particle] += dt * p_.v[particle];
  return (4 * invH * invH) * B;
}

ParticleFacts ReferenceBackend::factsOf(const ParticleState& particles) const {
  ParticleFacts facts = mpm::factsOf(*model_, particles);
  for (std::size_t k = 0; k < model_->deformables.size(); ++k) {
    const Deformable& d = model_->deformables[k];
    DeformableSums& sums = facts.deformables[k];
    if (d.cloth) {
      addClothFacts(d, particles, sums);
      continue;
    }
    const MaterialConstants<double> constants = constantsOf(d);
    withMaterial(d.material.model, [&](auto material) {
      for (auto p = static_cast<std::size_t>(d.begin); p < static_cast<std::size_t>(d.end); ++p) {
        const M3<double> F = toLanes<double>(particles.F[p]);
        const Internal<double> q = internalOf(particles, p);
        sums.elasticEnergy += model_->particles.volume[p] * material.energy(F, q, constants);
        sums.stiffening = std::max(sums.stiffening, material.stiffening(F, q, constants));
      }
    });
  }
  return facts;
}

void ReferenceBackend::look(ParticleView& view) {
  lookAt(*model_, live_, view);
}

}  // namespace

std::unique_ptr<Backend> makeReferenceBackend(std::shared_ptr<const Model> model) {
  return makeObservedReferenceBackend(std::move(model), {});
}

std::unique_ptr<Backend> makeObservedReferenceBackend(std::shared_ptr<const Model> model,
                                                      ContactProblemObserver observe) {
  return std::make_unique<ReferenceBackend>(std::move(model), std::move(observe));
}

}  // namespace slipstick::mpm
