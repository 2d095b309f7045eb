// What the writer of scenes is made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "assets/yaml_text.h"
#include "engine/foundation/result.h"
#include "engine/model/scene.h"

namespace slipstick::assets::writer {

void addIf(YamlOut& map, const std::string& key, double value,
           double usual);                                        ///< where it is not the usual one
void addIf(YamlOut& map, const std::string& key, YamlOut part);  ///< where it has anything in it
void addVector(YamlOut& map, const std::string& key, const Vec3& v);

/// The number x whose product with `unit` is exactly `value`, as short as can be; the nearest where there is none.
double inUnits(double value, double unit);

YamlOut colorOf(const Color& color);
YamlOut loopOf(const LoopSpec& loop);
YamlOut pathOf(const PathSpec& path);
YamlOut controllerOf(const ControllerSpec& controller);
YamlOut effectorOf(const EffectorSpec& effector);
Result<YamlOut> boundaryOf(const BoundarySpec& boundary, const std::filesystem::path& folder);
YamlOut seedOf(std::uint64_t seed);
/// 'shape' and its keys. @param source  of a mesh   @param where  for errors
Result<void> addShape(const Shape& shape, const MeshSource* source, const std::filesystem::path& folder,
                      const std::string& where, YamlOut& map);
/// How a file is named in a scene of that folder: as it was, if that still finds it.
std::string fileName(const std::filesystem::path& file, const std::string& written,
                     const std::filesystem::path& folder);

}  // namespace slipstick::assets::writer
