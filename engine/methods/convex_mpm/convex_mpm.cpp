#include "engine/methods/convex_mpm/convex_mpm.h"

#include <algorithm>

#include "engine/model/method_choice.h"
#include "engine/mpm/grid.h"

namespace slipstick::convex_mpm {

namespace {

constexpr std::string_view kImplicitMethod = "implicit";

using Obstacles = std::vector<Error>;

void refuse(Obstacles& obstacles, const Model& model, const std::string& what, const std::string& where,
            const std::string& remedy) {
  obstacles.push_back({ErrorCode::Unsupported, what, model.file + ", " + where, remedy});
}

/// Why no MPM can step a model: deformables that start beyond what the sparse grid can number.
Obstacles gridObstacles(const Model& model) {
  Obstacles obstacles;
  const double reach = mpm::kDomainCells * model.gridSpacing;
  for (const Deformable& d : model.deformables) {
    const auto begin = model.nodes.x.begin() + d.begin, end = model.nodes.x.begin() + d.end;
    if (std::all_of(begin, end, [&](const Vec3& x) { return x.cwiseAbs().maxCoeff() < reach; })) continue;
    refuse(obstacles, model, "it starts more than 10,000 grid cells from the origin",
           "deformable '" + d.name + "'", "move it closer, or choose a larger grid spacing");
  }
  return obstacles;
}

Obstacles strongObstacles(const Model& model, bool hasBackend) {
  Obstacles obstacles = gridObstacles(model);
  if (!hasBackend && model.nodeCount() > 0)
    refuse(obstacles, model, "it moves rigid bodies within a step, which no backend here can",
           "solver.method", "choose the method async");
  if (model.solver.contactSolver == ContactSolverName::QuasiNewton)
    refuse(obstacles, model, "the quasi-Newton contact solver has no place for rigid velocities",
           "solver.contact", "choose majorized_anderson or contact_newton");
  if (model.solver.geometry == SubstepGeometry::Frozen)
    refuse(obstacles, model, "rigid shapes move with the substeps and cannot be frozen", "solver.geometry",
           "choose moving");
  return obstacles;
}

Obstacles implicitObstacles(const Model& model) {
  Obstacles obstacles = gridObstacles(model);
  for (const Boundary& b : model.boundaries)
    if (b.kind == BoundaryKind::Slip && b.friction > 0)
      refuse(obstacles, model, "a boundary that cannot be left has no friction in implicit steps",
             "boundary '" + b.name + "'", "make it kind: separate, or its friction 0");
  return obstacles;
}

/// What the three ignore: contact that gives way has a bounce of its own.
std::vector<std::string> notesOf(const Model& model, std::string_view method) {
  if (!model.hasRestitution()) return {};
  return {"contact.restitution is ignored by " + std::string(method) +
          ": its contact is compliant; how much bodies bounce follows from contact.rigid.dissipation"};
}

using MakeMethod = std::unique_ptr<Method> (*)(std::shared_ptr<const Model>, std::unique_ptr<mpm::Backend>);

/// A row whose particles are stepped on one of these backends.
MethodEntry onBackends(MethodEntry entry, std::vector<BackendEntry> backends, MakeMethod make) {
  for (const BackendEntry& backend : backends) entry.backends.push_back(backend.name);
  entry.make = [backends = std::move(backends), make](const MethodContext& context) {
    std::unique_ptr<mpm::Backend> made;
    if (context.model->nodeCount() > 0) {
      const auto chosen = std::find_if(backends.begin(), backends.end(),
                                       [&](const BackendEntry& b) { return b.name == context.backend; });
      SIM_REQUIRE(chosen != backends.end());
      Result<std::unique_ptr<mpm::Backend>> backend = chosen->make(context.model, context.threads);
      if (!backend) return Result<std::unique_ptr<Method>>(backend.error());
      made = std::move(*backend);
    }
    return Result<std::unique_ptr<Method>>(make(context.model, std::move(made)));
  };
  return entry;
}

MethodEntry asyncRow(const std::vector<BackendEntry>& backends) {
  MethodEntry entry;
  entry.name = kFrozenMethod;
  entry.description =
      "fast: bodies keep their velocity while soft things are stepped, which must be light beside them "
      "(Yu 2025)";
  entry.obstacles = gridObstacles;
  entry.notes = [](const Model& model) { return notesOf(model, kFrozenMethod); };
  return onBackends(std::move(entry), backends, makeAsync);
}

MethodEntry strongRow(const std::vector<BackendEntry>& all) {
  std::vector<BackendEntry> backends;
  std::copy_if(all.begin(), all.end(), std::back_inserter(backends),
               [](const BackendEntry& backend) { return backend.couplesStrongly; });
  MethodEntry entry;
  entry.name = kCoupledMethod;
  entry.description = "for light bodies: their velocities are unknowns of every substep's contact problem";
  entry.obstacles = [hasBackend = !backends.empty()](const Model& model) {
    return strongObstacles(model, hasBackend);
  };
  entry.notes = [](const Model& model) { return notesOf(model, kCoupledMethod); };
  entry.noOtherBackend = "moves rigid bodies within a step, which this backend cannot";
  entry.backendRemedy = "choose auto, or the method async";
  return onBackends(std::move(entry), std::move(backends), makeStrong);
}

MethodEntry implicitRow() {
  MethodEntry entry;
  entry.name = kImplicitMethod;
  entry.description = "implicit MPM, coupled with rigid bodies in one convex problem per step (Zong 2024)";
  entry.obstacles = implicitObstacles;
  entry.notes = [](const Model& model) { return notesOf(model, kImplicitMethod); };
  entry.noOtherBackend = "steps soft things by itself";
  entry.backendRemedy = "leave the backend out, or choose auto";
  entry.make = [](const MethodContext& context) {
    return Result<std::unique_ptr<Method>>(makeImplicit(context.model));
  };
  return entry;
}

}  // namespace

std::vector<MethodEntry> methods(const std::vector<BackendEntry>& backends) {
  return {asyncRow(backends), strongRow(backends), implicitRow()};
}

}  // namespace slipstick::convex_mpm
