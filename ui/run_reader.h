// Reads stored steps of runs beside the UI thread: why a pair slips, ghosts, trails, curves of what is
// pinned.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/foundation/latest_slot.h"
#include "engine/runtime/run_source.h"
#include "render/frame.h"
#include "render/why_facts.h"
#include "ui/pin_curves.h"

namespace slipstick::ui {

/// A companion, by its id, and its steps along what is looked at.
struct BesideRun {
  std::uint64_t id = 0;
  std::shared_ptr<const RunSource> steps;
};

/// What one of them was at: its step nearest to the one that is looked at.
struct BesideMoment {
  std::uint64_t id = 0;
  std::shared_ptr<const Snapshot> snapshot;
};

/// What is asked about one moment. It holds the runs, so that none goes away while it is read.
struct MomentQuestion {
  std::uint64_t number = 0;  ///< of the asker
  std::shared_ptr<const RunSource> run;
  render::FrameInput input;  ///< the moment, and what is selected and shown in it
  bool why = false;          ///< WhyFacts of …
  std::optional<ContactPair>
      pair;  ///< … this pair; none: of the selected one, or of the largest that is shown
  std::shared_ptr<const RunSource> ghostRun;  ///< null: no ghost
  std::uint64_t ghostStep = 0;
  std::vector<BesideRun> besides;
  bool trails = false;
};

struct MomentAnswer {
  MomentQuestion question;
  std::shared_ptr<const render::WhyFacts> why;  ///< null: not asked, or nothing touches
  std::shared_ptr<const Snapshot> ghost;
  std::vector<BesideMoment> besides;
  std::vector<render::Trail> trails;
};

/// One thread for all questions; of each kind the latest counts.
class RunReader : public QObject {
  Q_OBJECT

 public:
  explicit RunReader(QObject* parent = nullptr);
  ~RunReader() override;  ///< waits for the step being read

  void ask(MomentQuestion question);
  /// Its answer comes in parts, each more complete than the one before.
  void ask(CurvesQuestion question);
  /// The newest answers, once; none where nothing came since.
  std::optional<MomentAnswer> takeMoment() { return momentAnswer_.take(); }
  std::optional<PinCurves> takeCurves() { return curvesAnswer_.take(); }

 Q_SIGNALS:
  void momentRead();  ///< on the thread of this object
  void curvesRead();

 private:
  class Reading;
  void run(const std::stop_token& stop);
  void deliver(MomentAnswer answer);
  void deliver(PinCurves curves);

  struct Asked {
    std::optional<MomentQuestion> moment;
    std::optional<CurvesQuestion> curves;
  };
  LatestSlot<Asked> asked_;
  LatestSlot<MomentAnswer> momentAnswer_;
  LatestSlot<PinCurves> curvesAnswer_;
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace slipstick::ui
