// A run whose steps a test makes up when they are read.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "engine/runtime/run_source.h"

namespace slipstick::testing {

/// Counts what is read.
class StoredRun : public RunSource {
 public:
  explicit StoredRun(std::uint64_t last) : last_(last) {}
  std::shared_ptr<const Snapshot> latest() const override { return at(last_); }
  std::shared_ptr<const Snapshot> at(std::uint64_t step) const override { return contactsAt(step); }
  std::shared_ptr<const Snapshot> contactsAt(std::uint64_t step) const override {
    ++reads;
    return snapshotOf(std::max(first, std::min(step, last_) / stored * stored));
  }
  std::optional<TimelineMark> mark(std::uint64_t) const override { return std::nullopt; }
  std::vector<TimelineMark> marks(std::uint64_t) const override { return {}; }
  RunColumns columns() const override { return {}; }
  RunStatus status() const override {
    RunStatus status;
    status.lastStep = last_;
    status.firstStored = first;
    status.jumps = jumps;
    return status;
  }
  void grow(std::uint64_t steps) { last_ += steps; }

  mutable int reads = 0;
  std::uint64_t first = 0, stored = 1;  ///< every so many steps one is kept
  std::uint64_t jumps = 0;

 private:
  virtual std::shared_ptr<const Snapshot> snapshotOf(std::uint64_t step) const = 0;

  std::uint64_t last_;
};

}  // namespace slipstick::testing
