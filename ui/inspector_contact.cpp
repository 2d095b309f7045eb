// What the inspector says of contacts and pairs.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "engine/facts/pair_force.h"
#include "ui/inspector.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

QString stateWord(ContactMode mode) {
  switch (mode) {
    case ContactMode::Stick:
      return Inspector::tr("sticks");
    case ContactMode::Slip:
      return Inspector::tr("slips");
    default:
      return Inspector::tr("open");
  }
}

QString lawWord(const ForceLaw& law) {
  if (std::holds_alternative<CompliantLaw>(law)) return Inspector::tr("compliant");
  if (std::holds_alternative<BarrierLaw>(law)) return Inspector::tr("barrier");
  return std::holds_alternative<HardLaw>(law) ? Inspector::tr("hard") : QString(QChar(0x2013));
}

/// A difference of numbers of that size, of which rounding leaves some 1e-16 and the regularised friction 1e-9.
QString aboveNoise(double value, double size) {
  return significant(std::abs(value) < 1e-8 * size ? 0 : value);
}

}  // namespace

/// All that acts between two sides.
void Inspector::showPair(const ContactPair& pair) {
  const auto model = session_.model();
  // Asked for once per fact: the sums are made anew only for another step, or another branch's.
  struct Read {
    std::shared_ptr<const Model> model;
    std::optional<std::pair<std::uint32_t, std::uint64_t>> moment;
    PairForce force;
  };
  const auto read = std::make_shared<Read>(Read{model, std::nullopt, {}});
  const auto pairFact = [&](const QString& label, const QString& unit,
                            std::function<QString(const PairForce&)> text, const QString& tip = {}) {
    fact(
        label, unit,
        [read, pair, text = std::move(text)](const Snapshot& s) {
          const std::pair moment(s.branch, s.step);
          if (read->moment != moment) read->force = pairForce(*read->model, s.contacts, pair);
          read->moment = moment;
          return read->force.touching > 0 ? text(read->force) : QString(QChar(0x2013));
        },
        tip);
  };
  const std::string sides = sidesOf(pair, *model);
  const QString label = session_.names().pairLabel(pair);
  const auto plotted = [&](const char* quantity, const QString& unit) {
    Plot plot = plotOf(sides + "." + quantity, unit);
    plot.title = label;
    plottable({plot});
  };
  heading(label, tr("pair"));
  pairFact(tr("contacts"), {}, [](const PairForce& f) { return QString::number(f.touching); });
  pairFact(tr("of them slip"), {}, [](const PairForce& f) { return QString::number(f.slippingContacts); });
  plotted("slipping", {});
  heading(tr("net force"),
          pair.isSelf() ? tr("on one of its parts") : tr("on %1").arg(session_.names().sideLabel(pair.a)));
  pairFact(tr("force"), "N", [](const PairForce& f) { return significant(f.force.norm()); });
  pairFact(tr("x, y, z"), "N", [](const PairForce& f) { return vectorText(f.force, 2); });
  pairFact(tr("normal"), "N", [](const PairForce& f) { return significant(f.normal.norm()); });
  plotted("normal", "N");
  pairFact(tr("friction"), "N", [](const PairForce& f) { return significant(f.friction.norm()); });
  plotted("friction", "N");
  pairFact(
      tr("largest friction"), "N", [](const PairForce& f) { return significant(f.frictionBound); },
      tr("Σ μN: the most that friction could be, all of it along one direction"));
  plotted("friction_bound", "N");
  pairFact(
      tr("margin"), "N", [](const PairForce& f) { return aboveNoise(f.margin(), f.frictionBound); },
      tr("What friction could still take up: Σ μN less the net friction, whose parts may cancel"));
  pairFact(
      tr("moment"), "N m",
      [](const PairForce& f) { return aboveNoise(f.moment.norm(), f.normalSum * f.extent); },
      tr("Of all its forces, about the centre of pressure"));
  pairFact(
      tr("centre"), "m", [](const PairForce& f) { return vectorText(f.centerOfPressure, 3); },
      tr("Centre of pressure: mean of the places, weighted by normal force"));
  pairFact(
      tr("slip speed"), "mm/s", [](const PairForce& f) { return significant(1e3 * f.slipSpeed); },
      tr("Mean, weighted by normal force"));
  plotted("slip_speed", "m/s");
  addParameters();
}

void Inspector::showContact(const ContactKey& key) {
  if (key.isRigid())
    showRigidContact(key);
  else if (key.isSoft())
    showSoftContact(key);
  else
    showParticleContact(key);
}

void Inspector::showContactForces() {
  fact(tr("state"), {}, [this](const Snapshot&) {
    const Contact* contact = session_.focus().selectedContact();
    return contact ? stateWord(contact->mode) : tr("not touching");
  });
  contactFact(tr("normal force"), "N", [](const Contact& c) { return number(c.normalForce(), 3); });
  contactFact(tr("friction"), "N", [](const Contact& c) { return number(c.frictionForce().norm(), 3); });
  contactFact(
      tr("largest friction"), "N", [](const Contact& c) { return number(c.frictionBound, 3); },
      tr("Coefficient times normal force: the edge of the friction cone"));
  contactFact(
      tr("friction used"), "%", [](const Contact& c) { return number(100 * render::frictionUsed(c), 1); },
      tr("Friction as a part of the largest friction"));
  contactFact(tr("depth"), "mm", [](const Contact& c) { return significant(c.penetration() * 1e3); });
  contactFact(
      tr("slip speed"), "mm/s", [](const Contact& c) { return significant(c.slipSpeed * 1e3); },
      tr("With particles: the mean of the step's substeps, weighted by their normal impulses"));
  contactFact(
      tr("law"), {}, [](const Contact& c) { return lawWord(c.law); }, tr("What makes the normal force"));
  const auto compliantFact = [&](const QString& label, const QString& unit, double CompliantLaw::*number) {
    contactFact(label, unit, [number](const Contact& c) {
      const auto* const law = std::get_if<CompliantLaw>(&c.law);
      return law ? significant(law->*number) : QString(QChar(0x2013));
    });
  };
  compliantFact(tr("stiffness"), "N/m", &CompliantLaw::stiffness);
  compliantFact(tr("dissipation"), "s/m", &CompliantLaw::dissipation);
  contactFact(
      tr("share"), {},
      [](const Contact& c) { return c.isIndeterminate ? tr("by convention") : tr("its own"); },
      tr("By convention: other parts of the pair's force at its points would move the bodies alike"));
}

void Inspector::showParticleContact(const ContactKey& key) {
  const auto model = session_.model();
  const Geometry& geometry = model->geometries[static_cast<std::size_t>(key.a.geometry)];
  heading(session_.names().bodyLabels()[static_cast<std::size_t>(geometry.body)],
          tr("contact, particle %1").arg(key.b.element));
  showContactForces();
  contactFact(
      tr("regularised below"), "mm/s",
      [model](const Contact& c) {
        return significant(1e3 * std::max(model->stictionSpeed, render::regularizationSpeed(c)));
      },
      tr("Friction is regularised: at the slip speed v it is μN v / √(v² + ε²). ε is the stiction speed of "
         "the "
         "scene, and more where its stiction_softness asks for that"));
  contactFact(tr("point"), "m", [](const Contact& c) { return vectorText(c.p_WC, 3); });
  contactFact(tr("normal"), {}, [](const Contact& c) { return vectorText(c.normal_W, 2); });
  addParameters();
}

void Inspector::showRigidContact(const ContactKey& key) {
  const auto model = session_.model();
  const render::ContactPair pair = render::pairOf(*model, sideOf(key.a), sideOf(key.b));
  heading(session_.names().pairLabel(pair), tr("contact, point %1").arg(key.point));
  showContactForces();
  contactFact(
      tr("creep"), "mm/s",
      [model](const Contact& c) {
        if (c.mode != ContactMode::Stick) return QString(QChar(0x2013));
        return QString::fromUtf8("≤ ") + significant(1e3 * render::creepSpeed(*model, c));
      },
      tr("Friction is regularised: a contact that sticks creeps at v_s x / √(1 − x²), where x is the "
         "friction used "
         "and v_s = %1 mm/s the stiction speed of the scene")
          .arg(significant(1e3 * model->rigidSolver.stictionSpeed)));
  contactFact(
      tr("friction μ"), {}, [](const Contact& c) { return number(c.friction, 3); },
      tr("Of this pair of surfaces"));
  showPlace(pair);
  addParameters();
  showPatch();
  const bool kept = pair.a == sideOf(key.a);
  showSurface(kept ? key.a.geometry : key.b.geometry, session_.names().sideLabel(pair.a));
  showSurface(kept ? key.b.geometry : key.a.geometry, session_.names().sideLabel(pair.b));
}

void Inspector::showSoftContact(const ContactKey& key) {
  const render::ContactPair pair = render::pairOf(*session_.model(), sideOf(key.a), sideOf(key.b));
  heading(session_.names().pairLabel(pair),
          tr("contact, nodes %1, %2").arg(key.a.element).arg(key.b.element));
  showContactForces();
  contactFact(
      tr("gap"), "mm", [](const Contact& c) { return significant(c.gap * 1e3); },
      tr("Between the two surfaces; negative where they penetrate"));
  contactFact(
      tr("friction μ"), {}, [](const Contact& c) { return number(c.friction, 3); },
      tr("Of this pair of surfaces"));
  showPlace(pair);
  addParameters();
}

/// @param pair  that the contact is of
void Inspector::showPlace(const ContactPair& pair) {
  contactFact(tr("point"), "m", [](const Contact& c) { return vectorText(c.p_WC, 3); });
  contactFact(
      tr("normal"), {},
      [pair](const Contact& c) { return vectorText(render::signOn(pair.a, c) * c.normal_W, 2); },
      tr("Outward from %1").arg(session_.names().sideLabel(pair.a)));
}

/// The contact surface that the selected contact is a part of.
void Inspector::showPatch() {
  const auto patchFact = [this](const QString& label, const QString& unit, double scale,
                                double render::PatchFacts::*member) {
    fact(label, unit, [this, scale, member](const Snapshot& s) {
      const Contact* contact = session_.focus().selectedContact();
      const PressurePatch* patch = contact ? render::patchOf(s, *contact) : nullptr;
      return patch ? significant(render::factsOf(*patch).*member / scale) : QString(QChar(0x2013));
    });
  };
  const Contact* contact = session_.focus().selectedContact();
  if (!contact || contact->patch < 0) return;
  heading(tr("contact surface"));
  patchFact(tr("area"), "cm²", 1e-4, &render::PatchFacts::area);
  patchFact(tr("mean pressure"), "kPa", 1e3, &render::PatchFacts::meanPressure);
  patchFact(tr("largest pressure"), "kPa", 1e3, &render::PatchFacts::largestPressure);
}

}  // namespace slipstick::ui
