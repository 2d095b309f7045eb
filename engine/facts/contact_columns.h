// A contact as a row of a table: what the studio and the command line write to CSV files.
#pragma once

#include "engine/foundation/csv_text.h"
#include "engine/model/contact.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick {

/// "stick", "slip" or "open".
const char* modeName(ContactMode mode);

/// Heads of the columns, "name [unit]". Those behind the mode only where the method tells contacts between soft bodies, or what
/// makes their forces.
CsvRow contactHeader(const Model& model);

/// Cells that do not apply to a contact are empty: deformable and particle where the other side is rigid, other body,
/// geometry and point where it is not. The force is that on the body, in W; on another deformable where on_deformable and
/// on_particle name it.
CsvRow contactRow(const Model& model, const StepFacts& step, const Contact& contact);

}  // namespace slipstick
