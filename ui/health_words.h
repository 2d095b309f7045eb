// Health flags in words: what happened, to what, at which time, and what to do about it.
#pragma once

#include <QStringList>
#include <string>
#include <vector>

#include "engine/model/snapshot.h"

namespace slipstick::ui {

/// "Actuator saturated"
QString healthWord(const HealthInfo& info);
QString remedyOf(const HealthInfo& info);  ///< what to do, as a sentence

/// One thing that made a flag.
struct HealthCause {
  Health flag = Health::NotConverged;
  std::string key;  ///< the same for the same thing: "arm.elbow"; empty where a flag has one cause only
  QString words;    ///< "arm.elbow runs at its effort limit of 40 N m"
};

/// Of all flags of a step. Where a stored step no longer says what it was, the flag's word.
std::vector<HealthCause> causesOf(const Snapshot& snapshot);
/// The same where only the flag is known.
HealthCause causeOf(const HealthInfo& info);

/// Which rigid bodies, and which bodies and deformables, will not meet, and why: a line per reason.
QStringList pairsApart(const Model& model);

}  // namespace slipstick::ui
