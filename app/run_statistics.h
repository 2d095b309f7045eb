// What a run took and how healthy it was, for the report, the summary line and bench.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/scene_run.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/momentum_balance.h"

namespace slipstick::app {

class RunStatistics {
 public:
  /// @param wall  of this step [s]
  void add(const Snapshot& snapshot, double wall, double dt);

  std::size_t steps() const { return stepWalls_.size(); }
  double meanStep_ms() const;
  double percentileStep_ms(double percent) const;
  double particleSubstep_ns(
      std::size_t particles) const;  ///< MPM phases over particles × substeps; 0 without any
  /// Bytes that P2G and G2P of the "cpu" backend had to move, mean over the steps; see mpm::transferBytes.
  double transferBytesPerStep(const Model& model) const;
  double meanTransfer_s() const;  ///< of a step
  double meanContacts() const;
  int maxContacts() const { return maxContacts_; }
  double meanSubsteps() const;
  double meanIterations() const;  ///< of the contact solve, over steps that had contacts
  /// "NotConverged first at 0.120 s, in 3 of 40 steps: what happened; remedy", one per flag that was raised, or one for
  /// each pair that raised it.
  std::vector<std::string> healthLines(const Model& model) const;
  /// These, on stderr.
  void sayHealth(const Model& model) const;

  /// All that `--report` writes.
  nlohmann::ordered_json report(const HeadlessRun& run, const StepperOptions& options, double wall) const;

 private:
  std::vector<double> stepWalls_;  ///< [s]
  PhaseTimes phases_{};            ///< sums [s]
  /// How often something was seen, and when first.
  struct Sighting {
    int steps = 0;
    double first = 0;  ///< [s]
    void add(double time) {
      if (steps++ == 0) first = time;
    }
  };
  struct NoteSighting {
    HealthNote worst;  ///< where value was furthest above limit
    Sighting seen;
  };
  void addNotes(const Snapshot& snapshot);
  std::string healthLine(const HealthInfo& info, const Sighting& seen, const std::string& what) const;
  bool isListed(std::size_t place, const MethodRows* own) const;
  nlohmann::ordered_json noteFacts(const Model& model) const;

  std::array<Sighting, kHealthPlaces> health_{};  ///< by place, see infoAt()
  std::vector<NoteSighting> notes_;               ///< one per flag and pair
  double activeNodes_ = 0, contacts_ = 0, particleContacts_ = 0, substeps_ = 0, iterations_ = 0;  ///< sums
  double activeNodeSubsteps_ = 0;  ///< Σ nodes × substeps
  int stepsWithContacts_ = 0;
  int maxContacts_ = 0, maxParticleContacts_ = 0, maxIterations_ = 0, notConverged_ = 0;
  MomentumBalance momentum_;
};

/// Whether the run ended before its time, when [s] and by what: "failure", or the name of a signal.
void addStop(nlohmann::ordered_json& report, bool stopped, double time);

/// Model name of the CPU, as the system calls it.
std::string cpuName();

/// Devices in one line: "CPU 2 threads, avx512; CUDA: none (reason)".
std::string deviceLine(const StepperOptions& options);

}  // namespace slipstick::app
