// What people call the bodies of the step shown.
#pragma once

#include <QString>
#include <vector>

#include "render/contact_facts.h"
#include "ui/shown_moment.h"

namespace slipstick::ui {

class BodyNames {
 public:
  explicit BodyNames(const ShownMoment& moment) : moment_(moment) {}

  /// @param notices  of loading the scene: they say whose mass was assumed
  void begin(const std::vector<Notice>& notices);
  void follow();  ///< another model

  /// Of those whose mass was assumed with that; empty when no scene is open.
  const std::vector<QString>& bodyLabels() const { return labels_; }
  bool hasAssumedMass(int body) const { return massAssumed_[static_cast<std::size_t>(body)] != 0; }
  /// As bodyLabels(); of a deformable its name.
  QString sideLabel(const render::PairSide& side) const;
  /// "roller ↔ dough", "box ↔ ground", "cloth ↔ cloth (self)"
  QString pairLabel(const render::ContactPair& pair) const;

 private:
  const ShownMoment& moment_;
  std::vector<Notice> notices_;
  std::vector<QString> labels_;
  std::vector<char> massAssumed_;  ///< per body of the step shown
};

}  // namespace slipstick::ui
