#include "engine/coupling/contact_force.h"

#include <algorithm>

namespace slipstick {

Contact contactFrom(const mpm::ContactSum& sum, double dt, int body, int deformable, double friction) {
  Contact contact;
  contact.body = body;
  contact.geometry = sum.geometry;
  contact.deformable = deformable;
  contact.particle = sum.particle;
  contact.p_WC = sum.point;
  contact.normal_W = sum.normal;
  contact.f_Bc_W = -sum.impulse / dt;
  contact.penetration = sum.penetration;
  contact.slipSpeed = sum.slipSpeed;
  contact.friction = friction;
  contact.frictionBound = sum.frictionBound / dt;
  if (sum.impulse.isZero(0)) {
    contact.mode = ContactMode::Open;
  } else if (contact.frictionForce().norm() >= kSlipShare * contact.frictionBound) {
    contact.mode = ContactMode::Slip;
  } else {
    contact.mode = ContactMode::Stick;
  }
  return contact;
}

void contactsFrom(const mpm::StepResult& result, const Model& model, const std::vector<ContactLaw>& laws,
                  double dt, std::vector<Contact>& contacts) {
  contacts.clear();
  for (const mpm::ContactSum& sum : result.contacts) {
    const auto owner =
        std::find_if(model.deformables.begin(), model.deformables.end(),
                     [&](const Deformable& deformable) { return sum.particle < deformable.end; });
    const auto deformable = static_cast<std::size_t>(owner - model.deformables.begin());
    const auto geometry = static_cast<std::size_t>(sum.geometry);
    const double friction = laws[deformable * model.geometries.size() + geometry].friction;
    contacts.push_back(
        contactFrom(sum, dt, model.geometries[geometry].body, static_cast<int>(deformable), friction));
  }
}

}  // namespace slipstick
