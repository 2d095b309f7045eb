// Why a step took as long as it did, and how its solves went, in words.
#pragma once

#include <QString>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::ui {

/// What soft bodies are made of: "particles", or "nodes" where their method makes others.
QString nodeWord(const Model& model);
/// "contact solves", "particles ↔ grid". @param own  of the method that made the step
QString phaseWord(Phase phase, const MethodRows* own = nullptr);
/// What happens in it, for a tooltip.
QString phaseMeaning(Phase phase, const MethodRows* own = nullptr);

/// Wall time of a step, all phases together [s].
double wallTime(const StepReport& report);

/// "Contact solves take 61 %: 12 substeps with 412 contacts, 31 iterations each." Empty before the first step.
QString whySlow(const Snapshot& snapshot);

/// How a solve ended: "converged in 9 iterations"
QString solveWord(const contact::SolveTrace& trace);
/// Whether a solve that did not converge was on its way: ten times the iterations would have got there.
bool wasFalling(const contact::SolveTrace& trace);
/// What to do about it; empty where it converged.
QString solveRemedy(const contact::SolveTrace& trace);
/// "0.05", "10⁻⁶"
QString residualText(double residual);

}  // namespace slipstick::ui
