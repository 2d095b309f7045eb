// Which links of a robot do not meet, from the SRDF files of motion planners: the rest of such a file is theirs.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// Adds the pairs of links that a file keeps apart to the robot's `excludedLinks`: <disable_collisions>, and of a link's
/// <disable_default_collisions> those that no <enable_collisions> takes back. A link that the robot does not have, the
/// name of another robot and what is not read have notices. Notes the file in the FileLog.
/// Errors: broken XML, another root than <robot>, an element that names no two links, more pairs than limits.h allows.
/// @param progress  null: nobody watches
Result<void> addSrdf(const std::filesystem::path& file, RobotDescription& robot, std::vector<Notice>& notices,
                     LoadProgress* progress = nullptr);

/// The SRDF file of a robot's file where people put it: of its name, beside it, in ../srdf or in ../config; or none.
std::optional<std::filesystem::path> srdfBeside(const std::filesystem::path& robotFile);

/// Says that there is one, and by which key a scene takes it.
void noteSrdfBeside(const std::filesystem::path& robotFile, std::vector<Notice>& notices);

}  // namespace slipstick::assets
