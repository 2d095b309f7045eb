// In which steps of a run each health flag was raised; kept up with the run: each step is read once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/runtime/run_source.h"

namespace slipstick::ui {

class HealthMarks {
 public:
  /// Null: of none.
  void follow(std::shared_ptr<const RunSource> run);
  /// Of a flag by its place, see infoAt(); ascending.
  const std::vector<std::uint64_t>& steps(std::size_t flag) const { return steps_[flag]; }
  /// The next step with the flag after (+1) or before (−1) a step.
  std::optional<std::uint64_t> next(std::size_t flag, std::uint64_t from, int direction) const;

 private:
  std::shared_ptr<const RunSource> run_;
  BranchId branch_ = 0;
  std::uint64_t jumps_ = 0, end_ = 0;  ///< one past the last step read
  std::array<std::vector<std::uint64_t>, kHealthPlaces> steps_;
};

}  // namespace slipstick::ui
