// Which numbers of the table of parameters belong to what is selected, and how they are written for people.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "engine/model/parameters.h"
#include "render/view.h"

namespace slipstick::ui {

/// One number that may be edited.
struct ParameterRow {
  std::string path;                ///< as setParameter takes it: of one entry where the parameter is a list
  QString label;                   ///< "stiction speed"
  QString unit;                    ///< that it is shown in: "kPa"
  double scale = 1;                ///< SI per shown unit
  QString about;                   ///< range, default and path, for a tooltip
  Range range;                     ///< [SI]
  bool isWhole = false;            ///< a count
  bool isOptional = false;         ///< may be unset
  bool isMinor = false;            ///< without effect as it is: a spring without stiffness
  std::vector<std::string> outer;  ///< where the value comes from while it is not set, nearest first
};

struct ParameterGroup {
  QString title;
  QString note;
  std::vector<ParameterRow> rows;
};

/// Of the scene where nothing is selected. A thing without numbers has no groups.
std::vector<ParameterGroup> parameterGroups(const Model& model, const render::Selection& selection);

/// The number at a path, or what it falls back to; nothing where a default decides.
ParameterValue inForce(const Model& model, const ParameterRow& row, const Tuning& tuning);

}  // namespace slipstick::ui
