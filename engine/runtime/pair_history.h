// The last second of a pair of sides that touch: what "why does it slip?" draws and answers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "engine/facts/contact_pair.h"
#include "engine/facts/holding_friction.h"
#include "engine/runtime/run_source.h"

namespace slipstick {

/// Reads the stored steps of a run source, without their particles. What was read is kept: asked again a step
/// later, it reads one step more. Not thread-safe; meant for a worker's thread, for a step with many contacts
/// takes a while.
class PairHistory {
 public:
  struct Sample {
    std::uint64_t step = 0;
    double time = 0;          ///< [s]
    double normal = 0;        ///< Σ|N| [N]
    double friction = 0;      ///< |Σ friction| [N]
    double bound = 0;         ///< Σ μN [N]
    double slipSpeed = 0;     ///< mean, weighted by normal force [m/s]
    double slippingPart = 0;  ///< of Σ|friction|, by contacts that slip, in 0…1
  };
  static constexpr std::size_t kMaxSamples = 60;  ///< spread evenly, and the step itself

  /// @param seconds  how far back it looks
  explicit PairHistory(const ContactPair& pair, double seconds = 1);

  const ContactPair& pair() const { return pair_; }
  /// The samples up to a step, by time; fewer where steps are not stored, or belong to another model. Its
  /// pair is in terms of the model of that step.
  std::vector<Sample> upTo(const RunSource& source, std::uint64_t step);
  /// Of that step, with accelerations and forces over up to 50 ms before it.
  static HoldingFriction holdingFriction(const RunSource& source, std::uint64_t step,
                                         const ContactPair& pair);

 private:
  struct Read {
    Sample sample;
    std::shared_ptr<const Model> model;
  };
  void forgetOtherRuns(const RunSource& source);
  const Read& read(const RunSource& source, std::uint64_t step);

  ContactPair pair_;
  double seconds_;
  const RunSource* source_ = nullptr;  ///< whose steps were read …
  BranchId branch_ = 0;
  std::uint64_t jumps_ = 0;              ///< … and as of which jump
  std::map<std::uint64_t, Read> reads_;  ///< by the step asked for
};

}  // namespace slipstick
