// What the picture shows beside the moment itself: why a pair slips, the ghost, companions, trails. Asked for as the
// session moves on, answered by the reading thread.
#pragma once

#include "ui/run_reader.h"
#include "ui/session.h"

namespace slipstick::ui {

class MomentFacts : public QObject {
  Q_OBJECT

 public:
  MomentFacts(Session& session, QObject* parent = nullptr);

  /// The card that says why the selected pair slips, or the largest one that is shown: then it stays with
  /// that pair until another one is selected.
  void setWhy(bool on);
  bool isWhyOpen() const { return why_; }
  /// Null while the card is closed or nothing is known yet.
  std::shared_ptr<const render::WhyFacts> whyFacts() const { return whyFacts_; }
  std::shared_ptr<const Snapshot> ghost() const { return ghost_; }
  /// "ghost: 0.700 s, main"
  QString ghostWords() const;
  /// Those companions that can be drawn as the scene shown, in the order of the session's.
  std::vector<render::ColoredGhost> besides() const;
  /// Of each of these: "strong"; of one that is not where the moment is: "strong: 0.340 s".
  std::vector<std::string> besideWords() const;
  const std::vector<render::Trail>& trails() const { return trails_; }
  /// Whether all of it is of the moment that the session shows.
  bool isSettled() const;

 Q_SIGNALS:
  void changed();
  void whyToggled(bool on);

 private:
  void forget();
  void ask();
  void onAnswer();
  bool wantsAnything() const;
  void askForBesides(MomentQuestion& question) const;
  std::vector<const BesideMoment*> shownBesides() const;

  Session& session_;
  bool why_ = false;
  std::optional<ContactPair> pair_;        ///< that the card is about
  std::shared_ptr<const Snapshot> asked_;  ///< newest moment asked about
  std::uint64_t questions_ = 0;            ///< asked so far
  bool waiting_ = false;                   ///< for its answer
  std::shared_ptr<const render::WhyFacts> whyFacts_;
  std::shared_ptr<const Snapshot> ghost_;
  std::vector<BesideMoment> besides_;
  std::vector<render::Trail> trails_;
};

}  // namespace slipstick::ui
