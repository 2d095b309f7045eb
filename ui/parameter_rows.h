// Which numbers of the table of parameters belong to a thing of the scene, and how they are written for people.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "engine/facts/contact_pair.h"
#include "engine/model/parameters.h"

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

/// Of each thing by its index in the model. One without numbers, as the world, has no groups.
std::vector<ParameterGroup> parametersOfScene(const Model& model);
std::vector<ParameterGroup> parametersOfBody(const Model& model, int body);
std::vector<ParameterGroup> parametersOfRobot(const Model& model, int robot);
std::vector<ParameterGroup> parametersOfDeformable(const Model& model, int deformable);
std::vector<ParameterGroup> parametersOfBoundary(const Model& model, int boundary);
/// Of the geometries that touch.
std::vector<ParameterGroup> parametersOfContact(const Model& model, const ContactKey& contact);
std::vector<ParameterGroup> parametersOfPair(const Model& model, const ContactPair& pair);

/// The number at a path, or what it falls back to; nothing where a default decides.
ParameterValue inForce(const Model& model, const ParameterRow& row, const Tuning& tuning);

}  // namespace slipstick::ui
