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

QString BodyNames::pairLabel(const render::ContactPair& pair) const {
  const auto body = [this](int index) { return labels_[static_cast<std::size_t>(index)]; };
  const auto deformable = [this](int index) {
    return QString::fromStdString(moment_.model()->deformables[static_cast<std::size_t>(index)].name);
  };
  const QString other = pair.otherBody >= 0 ? body(pair.otherBody) : deformable(pair.deformable);
  return body(pair.body) + " " + QChar(0x2194) + " " + other;
}

}  // namespace slipstick::ui
