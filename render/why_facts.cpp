#include "render/why_facts.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/number_text.h"
#include "render/force_words.h"

namespace slipstick::render {
namespace {

/// What stuck less long ago begins to slip [s].
constexpr double kBeginning = 0.15;
/// Where less than this part of Σ|friction| is left in the sum, the contacts pull against each other.
constexpr double kCancelled = 0.8;
/// A sliding contact that uses less of its cone is one whose friction is regularised at that speed.
constexpr double kNearCone = 0.9;
constexpr double kAllUsed = 0.995;

/// Of contacts with particles the mean of what each shows, weighted by its normal force.
double regularizedBelow(const Model& model, const Snapshot& moment, const PairForce& force) {
  if (force.pair.isRigid()) return model.rigidSolver.stictionSpeed;
  double sum = 0, weights = 0;
  for (const int index : force.contacts) {
    const Contact& contact = moment.contacts[static_cast<std::size_t>(index)];
    const double speed = regularizationSpeed(contact), weight = contact.normalForce();
    if (!(speed > 0) || !(weight > 0)) continue;
    sum += weight * speed;
    weights += weight;
  }
  return weights > 0 ? sum / weights : 0;
}

std::string millimetresPerSecond(double speed) {
  return number(1e3 * speed) + " mm/s";
}

std::string percent(double part) {
  return fixed(100 * part, 0) + " %";
}

std::string useSentence(const WhyFacts& facts) {
  const double used = facts.bound() > 0 ? facts.friction() / facts.bound() : 0;
  if (used >= kAllUsed) return "uses all of μN: no margin is left";
  return "uses " + percent(used) + " of μN; margin " + newtons(facts.force.margin()) + " (" +
         percent(1 - used) + ")";
}

std::string holdSentence(const WhyFacts& facts) {
  const std::string present = "μ = " + fixed(facts.coefficient(), 2);
  if (!facts.holding.holdingFriction) return "which μ would hold it cannot be said: " + facts.holding.why;
  const double needed = *facts.holding.holdingFriction;
  if (facts.force.slippingContacts == 0) return present + " holds it; " + fixed(needed, 2) + " would do";
  if (!facts.force.slips()) return present + "; for all of it to stick, " + fixed(needed, 2) + " would do";
  const double ratio = facts.force.normalSum > 0 ? facts.friction() / facts.force.normalSum : 0;
  if (needed < 0.98 * ratio)
    return present + ": friction brakes the slip already, it will stick once it is at rest";
  if (needed <= facts.coefficient()) return present + " could hold it: " + fixed(needed, 2) + " is needed";
  return present + " is too little: to hold, it would need μ ≥ " + fixed(needed, 2);
}

std::string motionSentence(const WhyFacts& facts) {
  const PairForce& f = facts.force;
  if (f.slipSpeed < 1e-7) return "nothing moves along the surface";  // below what the numbers can tell
  const std::string speed = millimetresPerSecond(f.slipSpeed);
  const std::string below =
      facts.regularizedBelow > 0 ? " below " + millimetresPerSecond(facts.regularizedBelow) : "";
  if (!f.slips()) return "creeps at " + speed + ": friction is regularised" + below + ", this is no slide";
  const bool soft = !f.pair.isRigid() && f.frictionSum() < kNearCone * f.frictionBound;
  return soft ? "slides at " + speed + "; friction is regularised" + below : "slides at " + speed;
}

std::string countSentence(const WhyFacts& facts) {
  const PairForce& f = facts.force;
  if (f.touching == 1) return "1 contact, which " + std::string(f.slippingContacts > 0 ? "slips" : "sticks");
  std::string words = "all " + std::to_string(f.touching) + " contacts ";
  if (f.slippingContacts > 0 && f.slippingContacts < f.touching)
    words = std::to_string(f.slippingContacts) + " of " + std::to_string(f.touching) + " contacts ";
  words += f.slippingContacts > 0 ? "slip" : "stick";
  const double single = f.frictionSum();
  if (facts.friction() < kCancelled * single)
    words +=
        "; of their " + newtons(single) + " of friction " + newtons(single - facts.friction()) + " cancel";
  return words;
}

}  // namespace

WhyFacts whyFacts(const RunSource& run, PairHistory& history, const Snapshot& moment) {
  WhyFacts facts;
  const Model& model = *moment.model;
  facts.pair = pairName(model, history.pair());
  facts.step = moment.step;
  facts.time = moment.time;
  facts.force = pairForce(model, moment.contacts, history.pair());
  facts.past = history.upTo(run, moment.step);
  if (facts.force.touching > 0)
    facts.holding = PairHistory::holdingFriction(run, moment.step, history.pair());
  facts.regularizedBelow = regularizedBelow(model, moment, facts.force);
  return facts;
}

SlipState slipStateOf(const WhyFacts& facts) {
  if (facts.force.touching == 0) return SlipState::Apart;
  if (!facts.force.slips())
    return facts.force.slippingContacts > 0 ? SlipState::SlipsInPart : SlipState::Sticks;
  const auto stuck = [&facts](const PairHistory::Sample& sample) {
    return sample.time > facts.time - kBeginning && sample.normal > 0 && sample.slippingPart <= 0.5;
  };
  return std::any_of(facts.past.begin(), facts.past.end(), stuck) ? SlipState::BeginsToSlip
                                                                  : SlipState::Slips;
}

std::string wordOf(SlipState state) {
  switch (state) {
    case SlipState::Apart:
      return "does not touch";
    case SlipState::Sticks:
      return "sticks";
    case SlipState::SlipsInPart:
      return "slips in part";
    case SlipState::BeginsToSlip:
      return "begins to slip";
    case SlipState::Slips:
      break;
  }
  return "slips";
}

std::vector<std::string> sentencesOf(const WhyFacts& facts) {
  if (facts.force.touching == 0) return {"nothing is pressed, so no friction can act"};
  return {useSentence(facts), holdSentence(facts), motionSentence(facts), countSentence(facts)};
}

}  // namespace slipstick::render
