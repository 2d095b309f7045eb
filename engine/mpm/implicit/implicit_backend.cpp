// Zong 2024, Algorithm 2: particles to the grid, free motion, contact of grid and rigid bodies together, and back.
#include <algorithm>
#include <memory>

#include "engine/foundation/scope_timer.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/model/cloth.h"
#include "engine/mpm/backends/serial_backend.h"
#include "engine/mpm/implicit/implicit_solver.h"
#include "engine/mpm/particle_health.h"
#include "engine/mpm/particle_materials.h"

namespace slipstick::mpm {
namespace {

/// Regularisation of nodes inside boundaries, in terms of their own mobility: what resists gives way by a ten thousandth of
/// the motion without it, what holds by a millionth.
constexpr double kResistRegularization = 1e-4, kHoldRegularization = 1e-6;

/// Of friction, likewise: as soft as sticking contacts may be, which keeps contact space well conditioned. Where that would
/// creep faster than v_s x, x = friction used over its limit, they are harder, down to the scene's σ.
constexpr double kSoftestStiction = 1e-3;

/// Contact margin in grid spacings; exceeds a resting particle's motion in a step.
constexpr double kForesight = 0.05;

class ImplicitBackend final : public SerialBackend {
 public:
  explicit ImplicitBackend(std::shared_ptr<const Model> model) : SerialBackend(std::move(model)) {}

  std::string_view name() const override { return "implicit"; }
  std::string_view contactSolver() const override { return "sap_newton"; }

 private:
  void substep(double dt, const StepInput& motion) override;
  bool lagsRotation() const override { return true; }
  double foresight() const override { return kForesight; }
  SubstepSchedule scheduleOf(double dt) const override { return {model_->gridSpacing, dt, facts()}; }

  void numberNodes();
  void addElasticity(double dt);
  std::array<int, 27> nodesAround(std::size_t particle) const;
  void addCloth(const Deformable& deformable, double dt);
  void addContacts(const StepInput& motion);
  void addBoundaries();
  void regularize(double dt, const StepInput& motion);
  double springDepth(std::size_t contact, double dt, const StepInput& motion) const;
  void enter(double dt, const StepInput& motion);
  double stictionSoftness(const ImplicitContact& contact, const DetectedContact& d, double mu,
                          double w) const;
  void enterRemainder();

  ImplicitProblem problem_;
  ImplicitSolution solution_;
  std::unique_ptr<ImplicitSolver> solver_;
  std::vector<int> number_;            ///< per grid node; −1: without mass
  std::vector<std::size_t> gridNode_;  ///< per node of the problem
  /// Of the contacts behind those of particles: the bounds that they stand for.
  std::vector<NodeBound> bounds_;
};

void ImplicitBackend::substep(double dt, const StepInput& motion) {
  // Each substep has other nodes, and nothing of the one before: what would take another size is made anew, see setSize().
  problem_ = {};
  problem_.stop = motion.stop;
  solution_ = {};
  solver_ = std::make_unique<ImplicitSolver>();
  {
    const ScopeTimer timer(at(phases_, Phase::Transfer));
    detectContacts(motion, dt);
    particlesToGrid(dt, false);
    freeMotion(dt, motion.gravity);
    findBoundaryNodes();
    numberNodes();
    addElasticity(dt);
  }
  {
    const ScopeTimer timer(at(phases_, Phase::Contact));
    addContacts(motion);
    addBoundaries();
    const bool free = solver_->solveFree(problem_, solution_);
    regularize(dt, motion);
    solver_->solveContact(problem_, solution_);
    solution_.converged &= free;
    for (std::size_t i = 0; i < gridNode_.size(); ++i)
      grid_[gridNode_[i]].velocity =
          toLanes<double>(Vec3(solution_.v.segment<3>(static_cast<Eigen::Index>(3 * i))));
    enter(dt, motion);
  }
  const ScopeTimer timer(at(phases_, Phase::Transfer));
  gridToParticles(dt);
}

void ImplicitBackend::numberNodes() {
  number_.assign(grid_.size(), -1);
  gridNode_.clear();
  problem_.mass.clear();
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    if (grid_[i].mass <= 0) continue;
    number_[i] = static_cast<int>(gridNode_.size());
    gridNode_.push_back(i);
    problem_.mass.push_back(grid_[i].mass);
  }
  problem_.place.clear();
  for (const std::size_t i : gridNode_) {
    const BlockCoordinates at = grid_.nodeAt(i);
    problem_.place.push_back({at.x, at.y, at.z});
  }
  problem_.ballistic.resize(static_cast<Eigen::Index>(3 * gridNode_.size()));
  for (std::size_t i = 0; i < gridNode_.size(); ++i)
    problem_.ballistic.segment<3>(static_cast<Eigen::Index>(3 * i)) = toEigen(grid_[gridNode_[i]].velocity);
}

/// Nodes of weight zero may have no mass: the particle's middle node stands for them.
std::array<int, 27> ImplicitBackend::nodesAround(std::size_t particle) const {
  const Stencil& s = stencils_[particle];
  std::array<int, 27> nodes;
  for (std::size_t n = 0; n < 27; ++n) {
    const int node = number_[s.node[n]];
    nodes[n] = node < 0 ? number_[s.node[13]] : node;
  }
  return nodes;
}

/// b_ip = Δt 4/h² w_ip F_pᵀ (x_i − x_p)
void ImplicitBackend::addElasticity(double dt) {
  problem_.dt = dt;
  problem_.elastic.clear();
  const double scale = 4 * dt / (model_->gridSpacing * model_->gridSpacing);
  for (const Deformable& d : model_->deformables) {
    if (clothOf(d)) {
      addCloth(d, dt);
      continue;
    }
    const MaterialConstants<double> constants = constantsOf(d);
    for (auto p = static_cast<std::size_t>(d.begin); p < static_cast<std::size_t>(d.end); ++p) {
      ElasticGrid::Particle particle{{d.material.model, constants, p_.F[p], internalOf(p_, p), dt},
                                     model_->nodes.volume[p],
                                     p_.F[p],
                                     nodesAround(p),
                                     {}};
      const Stencil& s = stencils_[p];
      for (std::size_t n = 0; n < 27; ++n)
        particle.b[n] = scale * s.weight[n] * (p_.F[p].transpose() * toEigen(s.offset[n]));
      problem_.elastic.add(particle);
    }
  }
}

void ImplicitBackend::addCloth(const Deformable& d, double dt) {
  const ClothMesh& mesh = *clothOf(d);
  const MaterialConstants<double> constants = constantsOf(d);
  const double scale = 4 * dt / (model_->gridSpacing * model_->gridSpacing);
  ElasticSheet& sheet = problem_.elastic.cloth();
  std::vector<int> vertices;
  for (int v = 0; v < mesh.vertices; ++v) {
    const auto p = static_cast<std::size_t>(d.begin + v);
    ElasticSheet::Point point{p_.x[p], nodesAround(p), {}};
    for (std::size_t n = 0; n < 27; ++n) point.weight[n] = dt * stencils_[p].weight[n];
    vertices.push_back(sheet.add(point));
  }
  for (int t = 0; t < mesh.triangleCount(); ++t) {
    const auto i = static_cast<std::size_t>(t), p = static_cast<std::size_t>(d.begin + mesh.vertices + t);
    const Vec3 director = p_.F[p].col(2);
    ElasticSheet::Point point{director, nodesAround(p), {}};
    for (std::size_t n = 0; n < 27; ++n)
      point.weight[n] = scale * stencils_[p].weight[n] * director.dot(toEigen(stencils_[p].offset[n]));
    ElasticSheet::Triangle triangle{constants, mesh.volume[i], {}, Eigen::Matrix<double, 4, 3>::Zero()};
    for (int corner = 0; corner < 3; ++corner)
      triangle.points[static_cast<std::size_t>(corner)] =
          vertices[static_cast<std::size_t>(mesh.triangles[i][corner])];
    triangle.points[3] = sheet.add(point);
    triangle.G.block<2, 2>(1, 0) = mesh.restInverse[i];
    triangle.G.block<1, 2>(0, 0) = -mesh.restInverse[i].colwise().sum();
    triangle.G(3, 2) = 1;
    sheet.add(triangle);
  }
  for (const ClothMesh::Hinge& hinge : mesh.hinges) {
    ElasticSheet::Hinge bend{{}, hinge.stiffness, hinge.restAngle};
    for (std::size_t k = 0; k < 4; ++k)
      bend.points[k] = vertices[static_cast<std::size_t>(hinge.vertices[k])];
    sheet.add(bend);
  }
}

/// One for each particle that overlaps a geometry (Zong, V), or will, with the SAP potential: an impulse keeps what is at a
/// distance φ from coming closer than that within the step. With overlaps alone, what is held by friction loses contact for
/// single steps, sags a little in each, and falls.
void ImplicitBackend::addContacts(const StepInput& motion) {
  problem_.contacts.clear();
  problem_.rigid = motion.rigid;
  problem_.gravity = motion.gravity;
  problem_.bodies.clear();
  for (const DetectedContact& d : detected_) {
    const auto particle = static_cast<std::size_t>(d.particle),
               geometry = static_cast<std::size_t>(d.geometry);
    ImplicitContact contact;
    contact.node = nodesAround(particle);
    contact.weight = stencils_[particle].weight;
    contact.guess = toEigen(last_.of(d.particle, d.geometry));
    if (problem_.rigid != nullptr && problem_.rigid->moves(d.body)) {
      const auto known = std::find(problem_.bodies.begin(), problem_.bodies.end(), d.body);
      contact.body = static_cast<int>(known - problem_.bodies.begin());
      if (known == problem_.bodies.end()) problem_.bodies.push_back(d.body);
      contact.arm = d.x - problem_.rigid->bodies()[static_cast<std::size_t>(d.body)].X_WB.p;
    } else {
      contact.vBody = geometries_[geometry].velocityAt(d.x);
    }
    problem_.contacts.push_back(contact);
  }
}

/// Nodes inside boundaries: held by those that hold, in contact with those that only resist.
void ImplicitBackend::addBoundaries() {
  bounds_.clear();
  for (const BoundaryNodes::Node& node : boundaryNodes_.nodes())
    for (const NodeBound& bound : boundaryNodes_.boundsOf(node)) {
      ImplicitContact contact;
      contact.nodes = 1;
      contact.node[0] = number_[node.gridNode];
      contact.weight[0] = 1;
      contact.vBody = bound.velocity;
      contact.holds = bound.kind != BoundaryKind::Separate;
      if (bound.kind == BoundaryKind::Sticky) contact.held = Mat3::Identity();
      if (bound.kind == BoundaryKind::Slip) contact.held = bound.normal * bound.normal.transpose();
      problem_.contacts.push_back(contact);
      bounds_.push_back(bound);
    }
}

/// σ in R_t = σ w: what sticks slips at R_t γ_t, which is to be v_s x at most. @param mu, w  of the contact [-], [1/kg]
double ImplicitBackend::stictionSoftness(const ImplicitContact& contact, const DetectedContact& d, double mu,
                                         double w) const {
  const double bound = mu * std::max(0.0, contact.guess.dot(d.normal));  // of the step before
  if (!(w * bound > 0)) return kSoftestStiction;
  return std::max(model_->stictionSoftness, std::min(kSoftestStiction, model_->stictionSpeed / (w * bound)));
}

/// The laws of the contacts, as stiff as the grid lets them be. What the scene says of dissipation is Hunt and Crossley's
/// f = k x (1 + d v): with the penetration x of the step's start, SAP's linear one has τ = d x.
void ImplicitBackend::regularize(double dt, const StepInput& motion) {
  for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
    ImplicitContact& contact = problem_.contacts[c];
    const double w = solver_->mobility(contact);
    if (c >= detected_.size()) {
      const NodeBound& bound = bounds_[c - detected_.size()];
      const double R = (contact.holds ? kHoldRegularization : kResistRegularization) * w;
      contact.law = {toLanes<double>(bound.normal), bound.friction, R, R, 0};
      continue;
    }
    const DetectedContact& d = detected_[c];
    const ContactLaw& law =
        motion.laws[model_->deformableOf(static_cast<std::size_t>(d.particle)) * geometries_.size() +
                    static_cast<std::size_t>(d.geometry)];
    contact.law = contact::sapContact<double>(toLanes<double>(d.normal), law.friction, -d.penetration,
                                              law.stiffness, law.dissipation * std::max(0.0, d.penetration),
                                              dt, w, stictionSoftness(contact, d, law.friction, w));
  }
}

/// Where the grid makes a contact softer than its law says, that of a spring of the law with the same energy.
double ImplicitBackend::springDepth(std::size_t contact, double dt, const StepInput& motion) const {
  const DetectedContact& d = detected_[contact];
  const double depth = d.penetration - dt * solution_.u[contact].dot(d.normal);
  const double force = solution_.gamma[contact].dot(d.normal) / dt;
  if (!(depth > 0 && force > 0)) return 0;
  const double stiffness =
      motion
          .laws[model_->deformableOf(static_cast<std::size_t>(d.particle)) * geometries_.size() +
                static_cast<std::size_t>(d.geometry)]
          .stiffness;
  return depth * std::sqrt(std::min(1.0, force / (stiffness * depth)));
}

/// What was solved for, in the step's account.
void ImplicitBackend::enter(double dt, const StepInput& motion) {
  Vec3 gain = Vec3::Zero();  // of the grid: elasticity gives it nothing as a whole
  for (std::size_t i = 0; i < gridNode_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    gain += problem_.mass[i] * (solution_.v.segment<3>(at) - solution_.free.segment<3>(at));
  }
  for (std::size_t c = 0; c < detected_.size(); ++c) {
    const DetectedContact& d = detected_[c];
    const Vec3 &gamma = solution_.gamma[c], &u = solution_.u[c];
    if (d.penetration < 0 && gamma.isZero(0)) continue;  // was foreseen, and did not come about
    account_.addContact(
        {d.particle, d.geometry, gamma, d.x, d.normal, std::max(0.0, d.penetration),
         u - u.dot(d.normal) * d.normal, problem_.contacts[c].law.mu * std::max(0.0, gamma.dot(d.normal)),
         springDepth(c, dt, motion), d.middle},
        d.body, d.x - d.p_WB0);
  }
  std::vector<BoundaryImpulse> impulses(model_->boundaries.size());
  Vec3 toBoundaries = Vec3::Zero();
  for (std::size_t b = 0; b < bounds_.size(); ++b)
    give(impulses, bounds_[b], solution_.gamma[detected_.size() + b]);
  for (const BoundaryImpulse& impulse : impulses) toBoundaries += impulse.sum;
  account_.addBoundaries(impulses);
  if (!detected_.empty()) enterRemainder();
  last_.forget();
  for (std::size_t c = 0; c < detected_.size(); ++c)
    remember(detected_[c], toLanes<double>(solution_.gamma[c]));
  if (problem_.contacts.empty() && solution_.converged && solution_.factored)
    return account_.addFreeSubstep();
  account_.addSolve({static_cast<int>(detected_.size()), solution_.contactIterations, solution_.converged,
                     solution_.factored, solution_.potential, gain + toBoundaries, &solution_.trace});
}

/// What the solve left over, as force and moment, to the bodies in shares of Σ|γ|.
void ImplicitBackend::enterRemainder() {
  Wrench left;  // about W's origin
  for (std::size_t i = 0; i < gridNode_.size(); ++i) {
    const Vec3 r = solution_.remainder.segment<3>(static_cast<Eigen::Index>(3 * i));
    left += {r, positionOf(gridNode_[i]).cross(r)};
  }
  double total = 0;
  for (std::size_t c = 0; c < detected_.size(); ++c) total += solution_.gamma[c].norm();
  for (std::size_t c = 0; c < detected_.size() && total > 0; ++c) {
    const double share = solution_.gamma[c].norm() / total;
    const Vec3 force = -share * left.force;
    account_.addRemainder(detected_[c].body, {force, -share * left.torque - detected_[c].p_WB0.cross(force)});
  }
  account_.addRemainderSize(left.force.norm());
}

}  // namespace

std::unique_ptr<Backend> makeImplicitBackend(std::shared_ptr<const Model> model) {
  return std::make_unique<ImplicitBackend>(std::move(model));
}

}  // namespace slipstick::mpm
