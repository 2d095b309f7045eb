#include "engine/mpm/contact/rigid_side.h"

namespace slipstick::mpm {

void findMobility(RigidSide& rigid, std::size_t bodies, std::vector<multibody::Mat6>& mobility) {
  mobility.resize(bodies * bodies);
  std::vector<Wrench> unit;
  std::vector<Velocity> answers;
  VecX s;
  for (std::size_t b = 0; b < bodies; ++b)
    for (int k = 0; k < 6; ++k) {
      unit.assign(bodies, {});
      (k < 3 ? unit[b].torque[k] : unit[b].force[k - 3]) = 1;
      rigid.respond(unit, false, s, answers);
      for (std::size_t a = 0; a < bodies; ++a) mobility[a * bodies + b].col(k) << answers[a].w, answers[a].v;
    }
}

}  // namespace slipstick::mpm
