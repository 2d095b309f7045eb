// Which method steps the open scene, whether its forces may be wrong, and what is a way out.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <string>
#include <vector>

#include "ui/messages.h"
#include "ui/number_editor.h"
#include "ui/open_run.h"
#include "ui/shown_moment.h"
#include "ui/studio.h"
#include "ui/transport.h"

namespace slipstick::ui {

class MethodAdvice : public QObject {
  Q_OBJECT

 public:
  MethodAdvice(const StudioServices& services, OpenRun& run, const ShownMoment& moment,
               const NumberEditor& numbers, Transport& transport, Messages& messages);

  /// Looks at a scene that has just been opened. @param notices  of loading it
  void begin(const std::vector<Notice>& notices);
  /// Looks again, once numbers that are being changed have come to rest.
  void lookSoon() { timer_.start(); }

  /// The name of what steps the newest model; empty where no scene is open.
  QString method() const;
  /// Why its forces may be wrong: a body is too light for it; empty: none is.
  const QString& warning() const { return warning_; }
  /// Why a method cannot step the newest model; empty: it can.
  QString obstacle(const std::string& method) const;
  /// Starts over under a method that the scene does not name yet, on a branch of its name: what was simulated stays, to
  /// be compared with.
  void choose(const std::string& method);

 Q_SIGNALS:
  /// choose() is a way out of warning(), which is this; empty: there is nothing to get out of any more.
  void offered(std::string method, QString why);

 private:
  void look(bool atOpening);
  void tellNotes(const Model& model, const std::string& method, bool atOpening);
  bool isKnown(const Model& model) const;
  bool canCouple() const;

  const StudioServices& services_;
  OpenRun& run_;
  const ShownMoment& moment_;
  const NumberEditor& numbers_;
  Transport& transport_;
  Messages& messages_;
  std::vector<Notice> notices_;
  QString warning_;
  std::vector<std::string> notes_;  ///< what the method ignores, as it was told last
  QTimer timer_;
};

}  // namespace slipstick::ui
