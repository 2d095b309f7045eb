// The draws of a task's reset, and the scenes that they were drawn from as their author has them.
#pragma once

#include <QCoreApplication>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/model/scene.h"
#include "engine/runtime/run_sink.h"
#include "ui/open_run.h"
#include "ui/transport.h"

namespace slipstick::ui {

class TaskDraws {
  Q_DECLARE_TR_FUNCTIONS(TaskDraws)

 public:
  TaskDraws(const OpenRun& run, Transport& transport) : run_(run), transport_(transport) {}

  void clear();  ///< another scene has been opened

  /// The scene of the newest step as its author has it, before the draw of its reset; what has no draw, or is not known
  /// without it, as it is. Requires an open scene.
  std::shared_ptr<const Scene> authored() const;
  /// That the newest scene is this one as its author has it.
  void setAuthored(std::shared_ptr<const Scene> scene);

  /// A seed that no draw here has had. Seeds count up, so that no two tries of a folder begin alike.
  /// @param largest  that is known from elsewhere
  std::uint64_t nextSeed(std::uint64_t largest);
  /// Draws the reset of the author's scene anew and starts over with it. Requires a scene whose task has no draw.
  /// @param sink  gets the steps from the first one on; null: nobody does
  void draw(std::uint64_t seed, std::shared_ptr<RunSink> sink);
  /// Whether a draw that was awaited is there, or cannot be made: then the status says why. None while nothing has come.
  std::optional<bool> arrived();

 private:
  /// A scene that was drawn, and the one that it was drawn from.
  struct Draw {
    std::shared_ptr<const Scene> drawn, authored;
  };

  const OpenRun& run_;
  Transport& transport_;
  std::uint64_t largest_ = 0;  ///< seed that was drawn here
  std::vector<Draw> draws_;
  std::optional<std::uint64_t> awaited_;      ///< seed of a draw that has not arrived yet
  std::shared_ptr<const Scene> awaitedFrom_;  ///< what it was drawn from
  std::shared_ptr<const Scene> authored_;     ///< of the newest draw or edit
};

}  // namespace slipstick::ui
