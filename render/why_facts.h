// "Why does it slip?": what is known of a pair at one moment, and what that says in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/facts/holding_friction.h"
#include "engine/facts/pair_force.h"
#include "engine/runtime/pair_history.h"

namespace slipstick::render {

struct WhyFacts {
  std::string pair;                       ///< "roller ↔ dough"
  std::uint64_t step = 0;                 ///< the moment …
  double time = 0;                        ///< … [s]
  PairForce force;                        ///< then; without contacts where it does not touch
  std::vector<PairHistory::Sample> past;  ///< the second up to then, by time; the last is the moment's
  HoldingFriction holding;
  /// Below this speed the friction of what touches is regularised: it grows with the speed [m/s]; 0: not
  /// known.
  double regularizedBelow = 0;

  double friction() const { return force.friction.norm(); }  ///< T: |Σ friction| [N]
  double bound() const { return force.frictionBound; }       ///< μN: Σ μN [N]
  /// Mean of the contacts, weighted by N [-]; 0 where nothing presses.
  double coefficient() const { return force.normalSum > 0 ? force.frictionBound / force.normalSum : 0; }
};

/// Reads the stored steps before the moment, so it belongs beside the thread that draws.
/// @param history  of the pair asked about, kept from moment to moment
WhyFacts whyFacts(const RunSource& run, PairHistory& history, const Snapshot& moment);

enum class SlipState : std::uint8_t { Apart, Sticks, SlipsInPart, BeginsToSlip, Slips };
SlipState slipStateOf(const WhyFacts& facts);
/// "sticks", "begins to slip", …
std::string wordOf(SlipState state);

/// What the facts say, a sentence each, the most telling first: how much of μN is used; which μ would hold
/// it; how it moves; how many contacts slip.
std::vector<std::string> sentencesOf(const WhyFacts& facts);

}  // namespace slipstick::render
