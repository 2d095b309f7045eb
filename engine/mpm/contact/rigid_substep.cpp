#include "engine/mpm/contact/rigid_substep.h"

#include <algorithm>

#include "engine/lanes/eigen_lanes.h"

namespace slipstick::mpm {

template <class Real>
void coupleContacts(RigidSide& rigid, const std::vector<DetectedContact>& detected,
                    ContactProblem<Real>& problem) {
  problem.rigid = &rigid;
  problem.bodies.clear();
  for (std::size_t c = 0; c < detected.size(); ++c) {
    const DetectedContact& d = detected[c];
    ContactPoint<Real>& point = problem.contacts[c];
    point.body = -1;
    if (!rigid.moves(d.body)) continue;
    const auto known = std::find(problem.bodies.begin(), problem.bodies.end(), d.body);
    point.body = static_cast<int>(known - problem.bodies.begin());
    if (known == problem.bodies.end()) problem.bodies.push_back(d.body);
    point.arm = toLanes<Real>(Vec3(d.x - rigid.bodies()[static_cast<std::size_t>(d.body)].X_WB.p));
  }
  if (problem.bodies.empty()) problem.rigid = nullptr;  // only what does not move is touched
}

template void coupleContacts<float>(RigidSide&, const std::vector<DetectedContact>&, ContactProblem<float>&);
template void coupleContacts<double>(RigidSide&, const std::vector<DetectedContact>&,
                                     ContactProblem<double>&);

void endSubstep(RigidSide& rigid, const std::vector<StepInput::BodyMotion>& start, StepAccount& account,
                std::vector<Wrench>& impulses) {
  account.takeImpulses(impulses);
  for (std::size_t b = 0; b < impulses.size(); ++b)
    impulses[b].torque -= (rigid.bodies()[b].X_WB.p - start[b].X_WB.p).cross(impulses[b].force);
  rigid.end(impulses);
}

}  // namespace slipstick::mpm
