#include "assets/camera_path_io.h"

#include <algorithm>

#include "assets/limits.h"
#include "assets/shipped.h"
#include "assets/yaml_reader.h"
#include "engine/foundation/nearest_name.h"

namespace slipstick::assets {
namespace {

/// A camera of the scene by its name; a fault where there is none.
CameraSpec cameraNamed(const YamlValue& value, const std::vector<CameraSpec>& cameras) {
  const std::string name = value.text();
  std::vector<std::string> names;
  for (const CameraSpec& camera : cameras) {
    if (camera.name == name) return camera;
    names.push_back(camera.name);
  }
  value.fail(ErrorCode::UnknownName, "the scene has no camera '" + name + "'",
             names.empty() ? "write eye and target; the scene has no cameras" : suggestName(name, names));
  return {};
}

CameraKey keyOf(const YamlValue& value, const CameraSpec& before, const std::vector<CameraSpec>& cameras) {
  const YamlMap map = value.map({"t", "eye", "target", "fov", "camera"});
  CameraKey key{map.require("t").number({0, 1e6, false}), before};
  if (map.has("camera")) {
    if (map.has("eye") || map.has("target"))
      value.fail(ErrorCode::InvalidValue, "a camera of the scene has its own eye and target",
                 "write either camera, or eye and target");
    key.camera = cameraNamed(map["camera"], cameras);
    if (!key.camera.body.empty())
      value.fail(
          ErrorCode::InvalidValue,
          "the camera '" + key.camera.name + "' rides on '" + key.camera.body + "': it has a way of its own",
          "name a camera that stands in the world, or choose this one by --camera " + key.camera.name);
  } else {
    key.camera.position = map.require("eye").vec3();
    key.camera.target = map.vec3("target", key.camera.target);
  }
  key.camera.fieldOfView = map.number("fov", key.camera.fieldOfView, {1, 150, false});
  if ((key.camera.position - key.camera.target).norm() < 1e-6)
    value.fail(ErrorCode::InvalidValue, "the camera stands on its own target", "move its eye or its target");
  return key;
}

}  // namespace

Result<std::vector<CameraKey>> loadCameraPath(const std::filesystem::path& file,
                                              const std::vector<CameraSpec>& cameras) {
  const Result<std::string> text = readTextFile(file, limits::kYamlBytes);
  if (!text) return text.error();
  const Result<YamlTree> node = parseYaml(*text, file.string());
  if (!node) return node.error();
  YamlDocument document;
  document.places = KeyPlaces(file.string());
  const YamlValue root(*node, "", document);
  std::vector<CameraKey> keys;
  if (!root.isList())
    root.fail(ErrorCode::InvalidValue, "this is no way of a camera",
              "write lines such as '- {t: 0, eye: [1, -1, 1], target: [0, 0, 0], fov: 40}'");
  for (const YamlValue& value : root.list()) {
    keys.push_back(keyOf(value, keys.empty() ? CameraSpec{} : keys.back().camera, cameras));
    if (keys.size() > 1 && keys.back().time <= keys[keys.size() - 2].time)
      value.fail(ErrorCode::InvalidValue, "its time is not after that of the key before",
                 "write the keys in the order of their times, each once");
  }
  if (keys.empty())
    root.fail(ErrorCode::InvalidValue, "it has no keys",
              "write lines such as '- {t: 0, eye: [1, -1, 1], target: [0, 0, 0], fov: 40}'");
  if (document.fault) return *document.fault;
  return keys;
}

}  // namespace slipstick::assets
