#include "ui/body_names.h"

#include "engine/model/assumed_mass.h"
#include "ui/text.h"

namespace slipstick::ui {

void BodyNames::begin(const std::vector<Notice>& notices) {
  notices_ = notices;
  follow();
}

void BodyNames::follow() {
  labels_ = ui::bodyLabels(*moment_.model());
  massAssumed_ = assumedMasses(*moment_.model(), notices_);
  for (std::size_t b = 0; b < labels_.size(); ++b)
    if (massAssumed_[b]) labels_[b] += QObject::tr(" (mass assumed)");
}

QString BodyNames::sideLabel(const render::PairSide& side) const {
  if (side.isRigid()) return labels_[static_cast<std::size_t>(side.body)];
  return QString::fromStdString(fullNameOf(*moment_.model(), side));
}

QString BodyNames::pairLabel(const render::ContactPair& pair) const {
  const QString sides = sideLabel(pair.a) + " " + QChar(0x2194) + " " + sideLabel(pair.b);
  return pair.isSelf() ? QObject::tr("%1 (self)").arg(sides) : sides;
}

}  // namespace slipstick::ui
