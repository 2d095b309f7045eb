#include "tests/app/gltf_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

namespace slipstick::testing {
namespace {

using nlohmann::json;

constexpr int kUnsignedShort = 5123, kUnsignedInt = 5125, kFloat = 5126;

std::string bytesOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

template <class T>
T numberAt(const std::string& bytes, std::size_t offset) {
  T number{};
  if (offset + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

std::size_t componentsOf(const json& accessor) {
  const std::string type = accessor["type"];
  return type == "SCALAR" ? 1 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 0;
}

std::size_t componentSize(const json& accessor) {
  return accessor["componentType"] == kUnsignedShort ? 2 : 4;
}

class Rules {
 public:
  explicit Rules(const GltfFile& file) : file_(file), document_(file.document), broken_(file.broken) {}

  std::vector<std::string> check() && {
    expect(document_["asset"]["version"] == "2.0", "asset.version is 2.0");
    for (const auto& [key, value] : document_.items())
      if (value.is_array()) expect(!value.empty(), "arrays are not empty: " + key);
    checkViews();
    checkAccessors();
    checkNodes();
    for (const json& mesh : list("meshes"))
      for (const json& primitive : mesh["primitives"]) checkPrimitive(mesh, primitive);
    for (const json& animation : list("animations")) checkAnimation(animation);
    checkTargets();
    return std::move(broken_);
  }

 private:
  void expect(bool holds, const std::string& rule) {
    if (!holds) broken_.push_back(rule);
  }
  json list(const char* key) const { return document_.value(key, json::array()); }
  const json& accessor(const json& index) const {
    return document_["accessors"].at(index.get<std::size_t>());
  }
  std::vector<double> numbers(const json& index) const { return file_.numbers(accessor(index)); }

  void checkViews() {
    const json buffers = list("buffers");
    if (buffers.empty()) return;
    expect(buffers.size() == 1 && buffers[0]["byteLength"].get<std::size_t>() <= file_.bin.size(),
           "the buffer holds its byteLength");
    for (const json& view : list("bufferViews")) {
      const std::size_t offset = view.value("byteOffset", 0u), length = view["byteLength"];
      expect(length > 0 && offset + length <= buffers[0]["byteLength"].get<std::size_t>(),
             "a view lies in its buffer: " + view.dump());
    }
  }

  void checkAccessors() {
    for (const json& a : list("accessors")) {
      const json& view = document_["bufferViews"].at(a["bufferView"].get<std::size_t>());
      const std::size_t offset = a.value("byteOffset", 0u), size = componentSize(a);
      const std::size_t count = a["count"];
      expect(count > 0 && offset + count * componentsOf(a) * size <= view["byteLength"].get<std::size_t>(),
             "an accessor lies in its view: " + a.dump());
      expect((view.value("byteOffset", 0u) + offset) % size == 0, "accessors are aligned: " + a.dump());
      const std::vector<double> all = file_.numbers(a);
      expect(std::all_of(all.begin(), all.end(), [](double n) { return std::isfinite(n); }),
             "numbers are finite: " + a.dump());
      if (a.contains("min") || a.contains("max")) checkBounds(a, all);
    }
  }

  void checkBounds(const json& a, const std::vector<double>& all) {
    const std::size_t n = componentsOf(a);
    std::vector<double> lower(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)), upper = lower;
    for (std::size_t i = 0; i < all.size(); ++i) {
      lower[i % n] = std::min(lower[i % n], all[i]);
      upper[i % n] = std::max(upper[i % n], all[i]);
    }
    expect(a["min"] == json(lower) && a["max"] == json(upper),
           "min and max are those of the data: " + a.dump());
  }

  void checkNodes() {
    const json nodes = list("nodes");
    std::set<std::size_t> children;
    for (const json& node : nodes) {
      for (const json& child : node.value("children", json::array()))
        expect(child.get<std::size_t>() < nodes.size() && children.insert(child.get<std::size_t>()).second,
               "a node has one parent: " + child.dump());
      if (node.contains("rotation"))
        expectUnit(node["rotation"].get<std::vector<double>>(), 4, "node.rotation");
      if (node.contains("mesh"))
        expect(node["mesh"].get<std::size_t>() < list("meshes").size(), "a node's mesh is there");
    }
    for (const json& root : document_["scenes"][0]["nodes"])
      expect(children.count(root.get<std::size_t>()) == 0, "nodes of a scene are roots");
  }

  void expectUnit(const std::vector<double>& all, std::size_t n, const std::string& what) {
    for (std::size_t i = 0; i + n <= all.size(); i += n) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += all[i + k] * all[i + k];
      if (std::abs(std::sqrt(sum) - 1) < 1e-5) continue;
      return expect(false, "of length 1: " + what + ", " + std::to_string(std::sqrt(sum)));
    }
  }

  void checkPrimitive(const json& mesh, const json& primitive) {
    const json& position = accessor(primitive["attributes"]["POSITION"]);
    const std::size_t vertices = position["count"];
    use(primitive["attributes"]["POSITION"], 34962);
    expect(position.contains("min") && position.contains("max"), "POSITION has min and max");
    if (primitive["attributes"].contains("NORMAL")) {
      use(primitive["attributes"]["NORMAL"], 34962);
      expect(accessor(primitive["attributes"]["NORMAL"])["count"] == vertices,
             "as many normals as positions");
      expectUnit(numbers(primitive["attributes"]["NORMAL"]), 3, "NORMAL");
    }
    if (primitive.contains("indices")) {
      use(primitive["indices"], 34963);
      const double restart =
          accessor(primitive["indices"])["componentType"] == kUnsignedShort ? 65535 : 4294967295.;
      for (const double index : numbers(primitive["indices"]))
        expect(index < static_cast<double>(vertices) && index < restart, "indices name vertices");
      expect(primitive.value("mode", 4) != 4 || accessor(primitive["indices"])["count"].get<int>() % 3 == 0,
             "triangles have three corners");
    }
    if (primitive.contains("material"))
      expect(primitive["material"].get<std::size_t>() < list("materials").size(), "a material is there");
    const json targets = primitive.value("targets", json::array());
    expect(mesh.value("weights", json::array()).size() == targets.size(), "a weight for each morph target");
    for (const json& target : targets) {
      expect(accessor(target["POSITION"]).contains("min"), "POSITION of a morph target has min and max");
      for (const auto& [name, index] : target.items()) {
        use(index, 34962);
        expect(primitive["attributes"].contains(name) && accessor(index)["count"] == vertices,
               "morph targets are as long as what they move: " + name);
      }
    }
  }

  void checkAnimation(const json& animation) {
    std::set<std::pair<std::size_t, std::string>> driven;
    for (const json& channel : animation["channels"]) {
      const json& sampler = animation["samplers"].at(channel["sampler"].get<std::size_t>());
      const std::string path = channel["target"]["path"];
      const std::size_t node = channel["target"]["node"];
      expect(driven.emplace(node, path).second, "a channel of its own for each node and path");
      use(sampler["input"], 0);
      use(sampler["output"], 0);
      const json &input = accessor(sampler["input"]), &output = accessor(sampler["output"]);
      expect(input["type"] == "SCALAR" && input["componentType"] == kFloat && input.contains("min"),
             "times are floats with min and max");
      const std::vector<double> times = numbers(sampler["input"]);
      expect(times.front() >= 0 &&
                 std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end(),
             "times rise from 0 or later");
      std::size_t each = 1;
      if (path == "weights")
        each = document_["meshes"][document_["nodes"].at(node)["mesh"].get<std::size_t>()]["weights"].size();
      expect(output["count"].get<std::size_t>() == times.size() * each, "a value for each time: " + path);
      const char* type = path == "translation" ? "VEC3" : path == "rotation" ? "VEC4" : "SCALAR";
      expect(output["type"] == type, "values are of their path's type: " + path);
      if (path == "rotation") expectUnit(numbers(sampler["output"]), 4, "animated rotation");
    }
  }

  /// @param target  of the views that are used so; 0: none
  void use(const json& accessorIndex, int target) {
    const json& view = document_["bufferViews"].at(accessor(accessorIndex)["bufferView"].get<std::size_t>());
    if (view.value("target", 0) != target) wrongTargets_.insert(view.dump());
  }
  void checkTargets() {
    for (const std::string& view : wrongTargets_)
      expect(false, "a view's target is what it is used for: " + view);
  }

  const GltfFile& file_;
  const json& document_;
  std::vector<std::string> broken_;
  std::set<std::string> wrongTargets_;
};

}  // namespace

GltfFile GltfFile::read(const std::filesystem::path& path) {
  GltfFile file;
  const std::string bytes = bytesOf(path);
  if (path.extension() == ".gltf") {
    file.document = json::parse(bytes, nullptr, false);
    if (file.document.contains("buffers"))
      file.bin = bytesOf(path.parent_path() / file.document["buffers"][0].value("uri", ""));
    return file;
  }
  const auto expect = [&](bool holds, const char* rule) {
    if (!holds) file.broken.emplace_back(rule);
  };
  expect(bytes.substr(0, 4) == "glTF" && numberAt<std::uint32_t>(bytes, 4) == 2, "GLB of version 2");
  expect(numberAt<std::uint32_t>(bytes, 8) == bytes.size(), "the length of a GLB is its own");
  const std::size_t text = numberAt<std::uint32_t>(bytes, 12);
  expect(text % 4 == 0 && bytes.substr(16, 4) == "JSON", "the first chunk is JSON, aligned to 4");
  file.document = json::parse(bytes.substr(20, text), nullptr, false);
  if (20 + text == bytes.size()) return file;
  const std::size_t numbers = numberAt<std::uint32_t>(bytes, 20 + text);
  expect(numbers % 4 == 0 && bytes.substr(24 + text, 4) == std::string("BIN\0", 4),
         "then numbers, aligned to 4");
  expect(28 + text + numbers == bytes.size(), "and nothing more");
  file.bin = bytes.substr(28 + text, numbers);
  return file;
}

std::vector<double> GltfFile::numbers(const json& accessor) const {
  const json& view = document["bufferViews"].at(accessor["bufferView"].get<std::size_t>());
  const std::size_t offset = view.value("byteOffset", 0u) + accessor.value("byteOffset", 0u);
  const std::size_t count = accessor["count"].get<std::size_t>() * componentsOf(accessor);
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = offset + i * componentSize(accessor);
    if (accessor["componentType"] == kFloat) all.push_back(static_cast<double>(numberAt<float>(bin, at)));
    if (accessor["componentType"] == kUnsignedInt) all.push_back(numberAt<std::uint32_t>(bin, at));
    if (accessor["componentType"] == kUnsignedShort) all.push_back(numberAt<std::uint16_t>(bin, at));
  }
  return all;
}

std::vector<std::string> brokenGltfRules(const GltfFile& file) {
  if (file.document.is_discarded()) return {"it is JSON"};
  return Rules(file).check();
}

}  // namespace slipstick::testing
