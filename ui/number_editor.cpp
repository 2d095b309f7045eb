#include "ui/number_editor.h"

#include <QUndoStack>

#include "ui/edits.h"

namespace slipstick::ui {

NumberEditor::NumberEditor(OpenRun& run, const ShownMoment& moment, Commands& commands, QUndoStack& undo,
                           Messages& messages)
    : run_(run), moment_(moment), commands_(commands), undo_(undo), messages_(messages) {}

void NumberEditor::begin() {
  storedTuning_.reset();
  tuning_ = moment_.model()->tuning;
}

void NumberEditor::follow() {
  tuning_ = moment_.model()->tuning;
  // What has been removed takes its edits along: something new of its name starts as its scene says.
  if (moment_.isLive())
    std::erase_if(edits_, [this](const auto& edit) {
      return !check(SetParameter{edit.first, edit.second.value}, *moment_.model());
    });
  for (const auto& [path, edit] : edits_) (void)setParameter(*moment_.model(), path, edit.value, tuning_);
}

void NumberEditor::followStored() {
  if (!moment_.showsStored()) return;
  std::shared_ptr<const Tuning> tuning = run_.stored()->tuningAt(moment_.shown()->step);
  if (tuning == storedTuning_) return;
  storedTuning_ = std::move(tuning);
  tuning_ = *storedTuning_;
  for (const auto& [path, edit] : edits_) (void)setParameter(*moment_.model(), path, edit.value, tuning_);
  Q_EMIT settingsChanged();
}

/// What the model of the branch does not have is left out there.
void NumberEditor::postAll() {
  for (const auto& [path, edit] : edits_)
    (void)run_.simulation().post(SetParameter{path, edit.value}, edit.model);
}

ParameterValue NumberEditor::parameter(const std::string& path) const {
  return valueOf(*moment_.model(), path, tuning_);
}

double NumberEditor::friction(int geometry) const {
  const Geometry& g = moment_.model()->geometries[static_cast<std::size_t>(geometry)];
  return contactOf(tuning_, g.contactPlaces).friction.value_or(kDefaultFriction);
}

void NumberEditor::editParameter(const std::string& path, const ParameterValue& value, int gesture) {
  if (!run_.isOpen() || value == parameter(path)) return;
  Tuning tried = tuning_;
  if (Result<void> set = setParameter(*moment_.model(), path, value, tried); !set)
    return messages_.failed(set.error());
  undo_.push(new ParameterEdit(*this, path, value, gesture));
}

void NumberEditor::applyParameter(const std::string& path, const ParameterValue& value) {
  if (Result<void> set = setParameter(*moment_.model(), path, value, tuning_); !set)
    return messages_.failed(set.error());
  edits_[path] = {value, moment_.model()};
  commands_.post(SetParameter{path, value});
  Q_EMIT applied();
  Q_EMIT settingsChanged();
}

}  // namespace slipstick::ui
