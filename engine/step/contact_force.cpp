#include "engine/step/contact_force.h"

#include <algorithm>

namespace slipstick {

namespace {

/// The body gets the opposite of the impulse γ on its counterpart, spread over the step.
Vec3 forceOnBody(const Vec3& impulse, double dt) {
  return -impulse / dt;
}

ContactMode modeOf(const Contact& contact, bool slips) {
  if (contact.f_Bc_W.isZero(0)) return ContactMode::Open;
  return slips || !(contact.frictionBound > 0) ? ContactMode::Slip : ContactMode::Stick;
}

ContactSide softSide(const Model& model, int node) {
  ContactSide side;
  side.deformable = static_cast<std::int32_t>(model.deformableOf(static_cast<std::size_t>(node)));
  side.element = node;
  return side;
}

}  // namespace

Contact contactFrom(const TouchImpulse& sum, double dt, int body, int deformable, const ContactLaw& law,
                    double stictionSpeed) {
  Contact contact;
  contact.a.body = body;
  contact.a.geometry = sum.geometry;
  contact.b.deformable = deformable;
  contact.b.element = sum.particle;
  contact.p_WC = sum.point;
  contact.normal_W = sum.normal;
  contact.f_Bc_W = forceOnBody(sum.impulse, dt);
  contact.gap = -sum.penetration;
  contact.slipSpeed = sum.slipSpeed;
  contact.friction = law.friction;
  if (std::holds_alternative<std::monostate>(sum.law))
    contact.law = CompliantLaw{law.stiffness, law.dissipation};
  else
    contact.law = sum.law;
  contact.frictionBound = law.friction * std::max(0.0, contact.normalForce());
  contact.mode = modeOf(contact, contact.slipSpeed > kSlipSpeeds * stictionSpeed);
  return contact;
}

Contact contactFrom(const SoftTouchImpulse& sum, const Model& model, double dt) {
  Contact contact;
  contact.a = softSide(model, sum.nodeA);
  contact.b = softSide(model, sum.nodeB);
  contact.p_WC = sum.point;
  contact.normal_W = sum.normal;
  contact.f_Bc_W = sum.impulse / dt;
  contact.gap = sum.gap;
  contact.slipSpeed = sum.slipSpeed;
  contact.friction = sum.friction;
  contact.law = sum.law;
  contact.isIndeterminate = sum.isIndeterminate;
  contact.frictionBound = sum.friction * std::max(0.0, contact.normalForce());
  contact.mode = modeOf(contact, contact.slipSpeed > kSlipSpeeds * model.stictionSpeed);
  return contact;
}

void contactsFrom(const SoftOutcome& outcome, const Model& model, double dt, std::vector<Contact>& contacts) {
  contacts.clear();
  for (const TouchImpulse& sum : outcome.contacts) {
    const std::size_t deformable = model.deformableOf(static_cast<std::size_t>(sum.particle));
    const auto geometry = static_cast<std::size_t>(sum.geometry);
    contacts.push_back(contactFrom(sum, dt, model.geometries[geometry].body, static_cast<int>(deformable),
                                   model.contactLaw(deformable, geometry), model.stictionSpeed));
  }
  for (const SoftTouchImpulse& sum : outcome.softContacts) contacts.push_back(contactFrom(sum, model, dt));
}

namespace {

Contact rigidContact(const RigidContactPoint& point, const RigidContactLaw& law,
                     const RigidContactResult& result, double dt) {
  Contact contact;
  contact.p_WC = point.p_W;
  contact.normal_W = point.normal_W;
  contact.f_Bc_W = forceOnBody(result.impulse, dt);
  contact.gap = point.gap;
  contact.law = CompliantLaw{law.stiffness, law.dissipation};
  contact.pressure = point.pressure;
  const Vec3 slip = result.velocity - result.velocity.dot(point.normal_W) * point.normal_W;
  contact.slipSpeed = slip.norm();
  contact.friction = result.friction;
  contact.frictionBound = result.frictionBound / dt;
  contact.mode = modeOf(contact, contact.frictionForce().norm() >= kSlipShare * contact.frictionBound);
  return contact;
}

/// What a contact does to its two bodies, about their origins.
void addWrenches(const Contact& contact, const std::vector<Pose>& X_WB, double factor,
                 std::vector<Wrench>& sums) {
  for (const auto& [body, sign] : {std::pair(contact.a.body, factor), std::pair(contact.b.body, -factor)}) {
    const auto b = static_cast<std::size_t>(body);
    const Vec3 force = sign * contact.f_Bc_W;
    sums[b] += {force, (contact.p_WC - X_WB[b].p).cross(force)};
  }
}

/// The polygons of one pair, in W at t_n.
PressurePatch patchOf(const RigidContactSet& set, const RigidContactSet::Pair& pair) {
  PressurePatch patch;
  patch.geometry = pair.geometryA;
  patch.otherGeometry = pair.geometryB;
  int begin = pair.polygonBegin > 0 ? set.polygonEnds[static_cast<std::size_t>(pair.polygonBegin - 1)] : 0;
  for (int polygon = pair.polygonBegin; polygon < pair.polygonEnd; ++polygon) {
    const int end = set.polygonEnds[static_cast<std::size_t>(polygon)];
    patch.vertices.insert(patch.vertices.end(), set.vertices.begin() + begin, set.vertices.begin() + end);
    patch.polygonEnds.push_back(static_cast<std::int32_t>(patch.vertices.size()));
    begin = end;
  }
  return patch;
}

}  // namespace

void addRigidContacts(const RigidStepOutput& step, const Model& model, double dt, Detail detail,
                      Snapshot& snapshot) {
  const RigidContactSet& set = step.contacts;
  for (const RigidContactSet::Pair& pair : set.pairs) {
    std::int32_t patch = -1;
    if (detail == Detail::Particles && pair.polygonEnd > pair.polygonBegin) {
      patch = static_cast<std::int32_t>(snapshot.patches.size());
      snapshot.patches.push_back(patchOf(set, pair));
    }
    for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
      const auto index = static_cast<std::size_t>(p);
      Contact contact = rigidContact(set.points[index], set.laws[index], step.results[index], dt);
      contact.a.geometry = pair.geometryA;
      contact.b.geometry = pair.geometryB;
      contact.a.body = model.geometries[static_cast<std::size_t>(pair.geometryA)].body;
      contact.b.body = model.geometries[static_cast<std::size_t>(pair.geometryB)].body;
      contact.point = p - pair.pointBegin;
      contact.patch = patch;
      snapshot.contacts.push_back(contact);
      if (step.contactImpulse.empty())
        addWrenches(contact, step.X_WB, 1, snapshot.contactWrench);
      else
        addWrenches(contact, step.X_WB, -1, snapshot.contactRemainder);
    }
  }
  for (std::size_t b = 0; b < step.contactImpulse.size(); ++b) {
    snapshot.contactWrench[b] += step.contactImpulse[b] * (1 / dt);
    snapshot.contactRemainder[b] += step.contactImpulse[b] * (1 / dt);
  }
}

}  // namespace slipstick
