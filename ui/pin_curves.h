// The curves of single contacts that are pinned, over a stretch of a run, read from its stored steps a few at a
// time: only those know single contacts. All else that is plotted comes from the columns.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "engine/runtime/run_source.h"
#include "ui/pin.h"

namespace slipstick::ui {

/// Curves over the steps from … to of runs: of the one looked at and, where there is one, of the ghost's.
struct CurvesQuestion {
  struct Run {
    std::shared_ptr<const RunSource> run;
    std::uint64_t from = 0, to = 0;
    bool operator==(const Run&) const = default;
  };
  std::vector<Run> runs;
  std::vector<Pin> pins;               ///< of single contacts
  std::shared_ptr<const Model> model;  ///< that the pins' indices refer to
};

struct PinSample {
  std::uint64_t step = 0;
  std::array<double, 3> values{};  ///< normal force, friction, μN [N]
  bool slips = false;
};
using PinCurve = std::vector<PinSample>;  ///< by step

struct PinCurves {
  CurvesQuestion question;
  std::vector<std::vector<PinCurve>> curves;  ///< per run, per pin
  bool complete = false;
};

/// Not thread-safe: of the reading thread. Steps that were read are kept as long as run and pins stay.
class CurveReading {
 public:
  /// Samples of a contact over one run, spread evenly.
  static constexpr std::uint64_t kMaxSamples = 300;

  void begin(CurvesQuestion question);
  bool isComplete() const { return complete_; }
  /// Some of the steps that are still missing, the newest first. @return all that is known then
  PinCurves readMore();

 private:
  struct Row {
    std::uint64_t step = 0;          ///< that was found
    std::vector<PinSample> samples;  ///< per pin
    std::shared_ptr<const Model> model;
  };
  /// What was read of a run.
  struct Known {
    std::shared_ptr<const RunSource> run;
    BranchId branch = 0;
    std::uint64_t jumps = 0;
    std::map<std::uint64_t, Row> rows;   ///< by the step asked for
    std::vector<std::uint64_t> missing;  ///< newest last
  };

  void plan(const CurvesQuestion::Run& asked, Known& known) const;
  Row read(const RunSource& run, std::uint64_t step) const;
  PinCurve curveOf(const Known& known, std::size_t pin) const;

  CurvesQuestion question_;
  std::vector<Known> known_;  ///< per run
  bool complete_ = true;
};

}  // namespace slipstick::ui
