// What of a widget's words a person can read, taken from its picture: as they are painted, on the ground that they stand on.
#pragma once

#include <QAbstractButton>
#include <QComboBox>
#include <QHash>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/contrast.h"
#include "ui/controls.h"

namespace slipstick::testing {

/// Empty where a widget has none of its own.
inline QString wordsOf(const QWidget& widget) {
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) return label->text();
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return button->text();
  if (const auto* field = qobject_cast<const QLineEdit*>(&widget)) return field->text();
  if (const auto* choice = qobject_cast<const QComboBox*>(&widget)) return choice->currentText();
  if (const auto* value = qobject_cast<const ui::ValueLabel*>(&widget)) return value->text();
  return {};
}

/// Of the colour that is told best from the one that there is most of.
inline double bestContrast(const QImage& picture) {
  constexpr int kFewest = 8;  // pixels of a stroke
  QHash<QRgb, int> counts;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) ++counts[picture.pixel(x, y) & 0xFFFFFF];
  QRgb ground = 0;
  for (auto it = counts.begin(); it != counts.end(); ++it)
    if (it.value() > counts.value(ground)) ground = it.key();
  double best = 1;
  for (auto it = counts.begin(); it != counts.end(); ++it)
    if (it.value() >= kFewest) best = std::max(best, contrast(srgbOf(it.key()), srgbOf(ground)));
  return best;
}

/// What stands in a widget and in those within it that are shown: "W / S" with its contrast.
inline std::vector<std::pair<std::string, double>> contrastsOfWords(QWidget& top) {
  constexpr int kScale = 4;   // so that a stroke is wider than its soft edges
  constexpr int kBorder = 3;  // of fields and buttons: what stands there is no word
  QImage picture(top.size() * kScale, QImage::Format_RGB32);
  picture.setDevicePixelRatio(kScale);
  top.render(&picture);
  std::vector<std::pair<std::string, double>> contrasts;
  for (const QWidget* widget : top.findChildren<QWidget*>()) {
    const QString words = wordsOf(*widget);
    if (words.trimmed().isEmpty() || !widget->isVisibleTo(&top)) continue;
    const QRect area = QRect(widget->mapTo(&top, QPoint()), widget->size())
                           .adjusted(kBorder, kBorder, -kBorder, -kBorder)
                           .intersected(top.rect());
    const QImage part = picture.copy(QRect(kScale * area.topLeft(), kScale * area.size()));
    contrasts.emplace_back(words.toStdString(), bestContrast(part));
  }
  return contrasts;
}

}  // namespace slipstick::testing
