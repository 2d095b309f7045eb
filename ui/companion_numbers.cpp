#include "ui/companion_numbers.h"

#include <QStringList>

#include "engine/model/parameters.h"

namespace slipstick::ui {
namespace {

/// At the commas that are in no brackets.
QStringList parts(const QString& text) {
  QStringList all = {QString()};
  int depth = 0;
  for (const QChar letter : text) {
    depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
    if (letter == ',' && depth == 0)
      all.push_back({});
    else
      all.back().append(letter);
  }
  return all;
}

/// "0.3" or "[0, 0, -1.6]"; empty where it is neither.
ParameterValue valueIn(QString text) {
  if (text.startsWith('[') && text.endsWith(']')) text = text.mid(1, text.size() - 2);
  ParameterValue value;
  for (const QString& part : text.split(',')) {
    bool isNumber = false;
    value.push_back(part.trimmed().toDouble(&isNumber));
    if (!isNumber) return {};
  }
  return value;
}

Result<SetParameter> numberIn(const QString& text) {
  const qsizetype equals = text.indexOf('=');
  SetParameter number{text.left(equals).trimmed().toStdString(), {}};
  if (equals > 0) number.value = valueIn(text.mid(equals + 1).trimmed());
  if (!number.path.empty() && !number.value.empty()) return number;
  return Error{ErrorCode::InvalidValue, "this is no number of a scene", text.trimmed().toStdString(),
               "write path = value, as in contact.friction = 0.3"};
}

}  // namespace

Result<std::vector<SetParameter>> numbersIn(const QString& text) {
  std::vector<SetParameter> numbers;
  for (const QString& part : parts(text)) {
    if (part.trimmed().isEmpty()) continue;
    Result<SetParameter> number = numberIn(part);
    if (!number) return number.error();
    numbers.push_back(*std::move(number));
  }
  return numbers;
}

}  // namespace slipstick::ui
