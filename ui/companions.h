// Runs with other settings that step beside the open one: the window shows them as ghosts and curves of their own colours.
#pragma once

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "engine/runtime/companion.h"
#include "ui/messages.h"
#include "ui/method_advice.h"
#include "ui/number_editor.h"
#include "ui/open_run.h"
#include "ui/studio.h"
#include "ui/transport.h"

namespace slipstick::ui {

/// Of the open scene; another one ends them. Nothing of them goes to files.
class Companions : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t kMost = 4;

  Companions(const StudioServices& services, OpenRun& run, const MethodAdvice& methods, NumberEditor& numbers,
             Transport& transport, Messages& messages);
  ~Companions() override;

  struct Entry {
    std::uint64_t id = 0;  ///< not given again
    QString name;
    bool isNamed = false;  ///< by a person; otherwise after its method
    QString numbers;       ///< as they were written
    int hue = 0;           ///< see hueOf()
    CompanionSettings settings;
    std::shared_ptr<Companion> run;  ///< never null
    CompanionStatus status;          ///< when it was last asked
  };
  const std::vector<Entry>& all() const { return entries_; }
  /// Null where there is none of this id.
  const Entry* find(std::uint64_t id) const;

  bool canAdd() const { return run_.isOpen() && entries_.size() < kMost; }
  void
  add();  ///< one under a method that is not the live run's, where there is another that can step the scene
  void rename(std::uint64_t id, const QString& name);
  /// These begin it anew; where that cannot be, the log or failed() says why, and it goes on as it was.
  void chooseMethod(std::uint64_t id, const std::string& method);
  /// @param text  see numbersIn()   @return whether these are its numbers now
  bool setNumbers(std::uint64_t id, const QString& text);
  void remove(std::uint64_t id);
  /// The simulation goes on as this one from its newest step; what it was before stays, as a branch. The companion steps no
  /// more, and its steps stay until it is removed.
  void takeOver(std::uint64_t id);
  /// Before another scene is shown; the signal is for the caller to emit.
  void clear();

 Q_SIGNALS:
  void changed();  ///< which there are, or their settings
  void stepped();  ///< one of them has come further, or has stopped

 private:
  Entry* entry(std::uint64_t id);
  std::string usualMethod() const;
  QString freeName(const QString& wanted, std::uint64_t except) const;
  int freeHue() const;
  void begin(Entry& entry);
  void retire(std::shared_ptr<Companion> companion);
  void poll();
  void tellNews(const Entry& entry, const CompanionStatus& before);

  const StudioServices& services_;
  OpenRun& run_;
  const MethodAdvice& methods_;
  NumberEditor& numbers_;
  Transport& transport_;
  Messages& messages_;
  std::vector<Entry> entries_;
  std::uint64_t nextId_ = 1;
  QTimer timer_;
  std::jthread retiring_;
};

}  // namespace slipstick::ui
