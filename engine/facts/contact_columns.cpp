#include "engine/facts/contact_columns.h"

#include "engine/facts/force_law.h"
#include "engine/model/method_rows.h"

namespace slipstick {

namespace {

template <class List>
void addName(const List& list, std::int32_t index, CsvRow& row) {
  if (index < 0)
    row.addNothing();
  else
    row.add(list[static_cast<std::size_t>(index)].name);
}

void addVector(const Vec3& v, CsvRow& row) {
  for (int i = 0; i < 3; ++i) row.add(v[i]);
}

/// Where a force may act across a gap that is open, or on a soft side.
bool tellsGaps(const Model& model) {
  return tellsSoftContacts(model) || tellsForceLaws(model);
}

/// Cells of the numbers that another law has are empty.
void addLaw(const Contact& contact, CsvRow& row) {
  row.add(lawName(contact.law));
  const auto* const compliant = std::get_if<CompliantLaw>(&contact.law);
  const auto* const barrier = std::get_if<BarrierLaw>(&contact.law);
  const auto addOf = [&](const auto* law, auto number) { law ? row.add(law->*number) : row.addNothing(); };
  addOf(compliant, &CompliantLaw::stiffness);
  addOf(compliant, &CompliantLaw::dissipation);
  addOf(barrier, &BarrierLaw::activationDistance);
  addOf(barrier, &BarrierLaw::stiffness);
  row.addWhole(contact.isIndeterminate ? 1 : 0);
}

}  // namespace

const char* modeName(ContactMode mode) {
  return mode == ContactMode::Stick ? "stick" : mode == ContactMode::Slip ? "slip" : "open";
}

CsvRow contactHeader(const Model& model) {
  CsvRow row;
  for (const char* head : {"step",
                           "time [s]",
                           "body",
                           "geometry",
                           "deformable",
                           "particle",
                           "other_body",
                           "other_geometry",
                           "point",
                           "x [m]",
                           "y [m]",
                           "z [m]",
                           "nx",
                           "ny",
                           "nz",
                           "fx [N]",
                           "fy [N]",
                           "fz [N]",
                           "normal [N]",
                           "friction [N]",
                           "friction_coefficient",
                           "bound [N]",
                           "depth [m]",
                           "slip [m/s]",
                           "mode"})
    row.add(head);
  if (tellsSoftContacts(model)) row.add("on_deformable").add("on_particle");
  if (tellsGaps(model)) row.add("gap [m]");
  if (tellsForceLaws(model))
    for (const char* head : {"law", "stiffness [N/m]", "dissipation [s/m]", "activation_distance [m]",
                             "barrier_stiffness", "indeterminate"})
      row.add(head);
  return row;
}

CsvRow contactRow(const Model& model, const StepFacts& step, const Contact& contact) {
  CsvRow row;
  row.addWhole(static_cast<std::int64_t>(step.step)).add(step.time);
  addName(model.tree.bodies, contact.a.body, row);
  addName(model.geometries, contact.a.geometry, row);
  addName(model.deformables, contact.b.deformable, row);
  row.addIndex(contact.b.element);
  addName(model.tree.bodies, contact.b.body, row);
  addName(model.geometries, contact.b.geometry, row);
  row.addIndex(contact.point);
  addVector(contact.p_WC, row);
  addVector(contact.normal_W, row);
  addVector(contact.f_Bc_W, row);
  row.add(contact.normalForce()).add(contact.frictionForce().norm());
  row.add(contact.friction).add(contact.frictionBound);
  row.add(contact.penetration()).add(contact.slipSpeed).add(modeName(contact.mode));
  if (tellsSoftContacts(model)) {
    addName(model.deformables, contact.a.deformable, row);
    row.addIndex(contact.a.element);
  }
  if (tellsGaps(model)) row.add(contact.gap);
  if (tellsForceLaws(model)) addLaw(contact, row);
  return row;
}

}  // namespace slipstick
