#include "ui/commands.h"

namespace slipstick::ui {

void Commands::post(const Command& command) {
  if (!run_.isOpen()) return;
  if (Result<void> posted = run_.simulation().post(command, moment_.model()); !posted)
    Q_EMIT messages_.failed(posted.error());
}

}  // namespace slipstick::ui
