#include "engine/rigid/warm_start.h"

#include <algorithm>
#include <string>

#include "engine/model/named_entries.h"
#include "engine/rigid/rigid_problem.h"

namespace slipstick {

namespace {

NamedEntries impulsesOf(const std::shared_ptr<const Model>& model) {
  NamedEntries places;
  const RigidProblem problem(model);
  for (const contact::ScalarConstraint& c : problem.sap.scalars) {
    const multibody::Joint& joint = model->tree.joints[static_cast<std::size_t>(c.index)];
    const int coordinate = problem.layout().modelIndex[static_cast<std::size_t>(c.dof[0])] - joint.vStart;
    places["joint " + joint.name + "/" + std::to_string(static_cast<int>(c.kind)) + "/" +
           std::to_string(coordinate)] = {c.slot, 1};
  }
  const auto loops = static_cast<Eigen::Index>(model->loops.size());
  for (Eigen::Index i = 0; i < loops; ++i)
    places["loop " + model->loops[static_cast<std::size_t>(i)].name] = {
        problem.warmStartSize - 6 * (loops - i), 6};
  return places;
}

}  // namespace

VecX carriedImpulses(const std::shared_ptr<const Model>& from, const VecX& impulses,
                     const std::shared_ptr<const Model>& to) {
  const NamedEntries after = impulsesOf(to);
  Eigen::Index size = 0;
  for (const auto& [name, place] : after) size = std::max(size, place.begin + place.count);
  VecX target = VecX::Zero(size);
  copyNamedEntries(impulsesOf(from), impulses, after, target);
  return target;
}

}  // namespace slipstick
