#include "assets/gltf_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "assets/file_resolver.h"
#include "assets/limits.h"
#include "assets/one_line.h"

namespace slipstick::assets {
namespace {

using nlohmann::json;

constexpr int kFloat = 5126;  // componentType
constexpr std::uint32_t kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
constexpr std::size_t kHeader = 12, kChunkHeader = 8;

/// Extensions that a file may require: shapes are the same without them, or they are undone here.
const std::set<std::string> kRead = {"KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual"};

struct ComponentKind {
  int type;
  std::size_t bytes;
  bool isSigned;
};
constexpr std::array kIntegers = {ComponentKind{5120, 1, true}, ComponentKind{5121, 1, false},
                                  ComponentKind{5122, 2, true}, ComponentKind{5123, 2, false}};

/// What has a place that is only right if it is true.
struct Fault {
  Error error;
};

[[noreturn]] void fail(ErrorCode code, const std::string& what, const std::string& remedy) {
  throw Fault{{code, oneLine(what), "", remedy}};
}

[[noreturn]] void failBroken(const std::string& what) {
  fail(ErrorCode::SyntaxError, "the mesh cannot be read: " + what, "export it again");
}

/// A whole number of at least 0 in an object; the fallback where there is none.
std::size_t wholeNumber(const json& object, const char* key, std::optional<std::size_t> fallback) {
  const auto found = object.find(key);
  if (found == object.end()) {
    if (fallback) return *fallback;
    failBroken(std::string("'") + key + "' is missing");
  }
  const std::uint64_t most = limits::kMeshBytes;
  if (!found->is_number_integer() || *found < 0 || *found > most)
    failBroken(std::string("'") + key + "' is not a whole number of 0 or more");
  return found->get<std::size_t>();
}

json& elementOf(json& root, const char* list, std::size_t index) {
  if (!root.contains(list) || !root[list].is_array() || index >= root[list].size() ||
      !root[list][index].is_object())
    failBroken(std::string("there are fewer ") + list + " than it names");
  return root[list][index];
}

std::string fromBase64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t value = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) continue;
    value = value << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(value >> bits & 0xFF);
  }
  return bytes;
}

std::string toBase64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t value = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      value = value << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[value >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::uint32_t wordAt(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  if (at + sizeof word > bytes.size()) failBroken("it is cut off");
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

void addWord(std::string& bytes, std::size_t word) {
  const auto value = static_cast<std::uint32_t>(word);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void addChunk(std::string& file, std::uint32_t kind, std::string content, char filler) {
  while (content.size() % 4 != 0) content += filler;
  addWord(file, content.size());
  addWord(file, kind);
  file += content;
}

class GltfText {
 public:
  GltfText(bool isBinary, const ReadBeside& readBeside) : isBinary_(isBinary), readBeside_(readBeside) {}

  std::string forAssimp(std::string file) {
    if (isBinary_ && wordAt(file, 4) != 2) return file;  // of an older version, which is refused elsewhere
    split(file);
    refuseUnknown();
    collectIntegers();
    if (integers_.empty()) return file;
    for (const std::size_t accessor : integers_) turnIntoFloats(elementOf(root_, "accessors", accessor));
    return joined();
  }

 private:
  void split(const std::string& file) {
    std::string_view text = file;
    if (isBinary_) {
      const std::size_t size = wordAt(file, kHeader);
      if (wordAt(file, kHeader + 4) != kJsonChunk || kHeader + kChunkHeader + size > file.size())
        failBroken("it is cut off");
      text = text.substr(kHeader + kChunkHeader, size);
      const std::size_t next = kHeader + kChunkHeader + size;
      if (next + kChunkHeader <= file.size() && wordAt(file, next + 4) == kBinaryChunk)
        binary_ = file.substr(next + kChunkHeader, wordAt(file, next));
    }
    while (text.ends_with('\0')) text.remove_suffix(1);  // padding that should be spaces
    root_ = json::parse(text, nullptr, false);
    if (!root_.is_object()) failBroken("its JSON is not well formed");
  }

  void refuseUnknown() const {
    const auto required = root_.find("extensionsRequired");
    if (required == root_.end() || !required->is_array()) return;
    for (const json& extension : *required) {
      const std::string name = extension.is_string() ? extension.get<std::string>() : "";
      if (!kRead.contains(name) && !name.starts_with("KHR_materials_"))
        fail(ErrorCode::Unsupported,
             "the mesh requires the glTF extension " + name.substr(0, 60) + ", which is not read",
             "export it without that extension: uncompressed, with plain images");
    }
  }

  void collectIntegers() {
    for (const json& mesh : listOf(root_, "meshes"))
      for (const json& primitive : listOf(mesh, "primitives")) {
        if (!primitive.is_object() || !primitive.contains("attributes")) continue;
        for (const auto& [name, index] : primitive["attributes"].items())
          if ((name == "POSITION" || name == "NORMAL" || name == "TANGENT" ||
               name.starts_with("TEXCOORD_")) &&
              index.is_number_unsigned())
            addIfInteger(index.get<std::size_t>());
      }
  }

  static std::vector<json> listOf(const json& object, const char* key) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_array()) return {};
    return object[key].get<std::vector<json>>();
  }

  void addIfInteger(std::size_t index) {
    const json& accessor = elementOf(root_, "accessors", index);
    if (accessor.contains("componentType") && accessor["componentType"] != kFloat) integers_.insert(index);
  }

  void turnIntoFloats(json& accessor) {
    const std::size_t count = wholeNumber(accessor, "count", std::nullopt);
    vertices_ += count;
    if (vertices_ > limits::kMeshVertices) failBroken("it has too many vertices");
    const std::size_t width = widthOf(accessor);
    std::vector<float> floats(count * width, 0.0f);
    const bool isNormalized = accessor.value("normalized", false);
    const ComponentKind kind = kindOf(accessor);
    if (accessor.contains("bufferView"))
      read(
          accessor, kind, isNormalized, width, count, [&](std::size_t i) { return i; }, floats);
    if (accessor.contains("sparse")) addSparse(accessor["sparse"], kind, isNormalized, width, floats);
    const std::size_t offset = added_.size();
    added_.append(reinterpret_cast<const char*>(floats.data()), floats.size() * sizeof(float));
    json& views = root_["bufferViews"];
    for (const char* key : {"sparse", "normalized", "min", "max", "byteOffset"}) accessor.erase(key);
    accessor["componentType"] = kFloat;
    accessor["bufferView"] = views.size();
    views.push_back({{"byteOffset", offset}, {"byteLength", added_.size() - offset}});
    newViews_.push_back(views.size() - 1);
  }

  static std::size_t widthOf(const json& accessor) {
    const std::string type = accessor.value("type", "");
    if (type == "VEC2") return 2;
    if (type == "VEC3") return 3;
    if (type == "VEC4") return 4;
    failBroken("the type '" + type + "' is none of a vertex");
  }

  static ComponentKind kindOf(const json& accessor) {
    for (const ComponentKind& kind : kIntegers)
      if (accessor["componentType"] == kind.type) return kind;
    failBroken("a component type is none of a vertex");
  }

  static float valueOf(const char* at, const ComponentKind& kind, bool isNormalized) {
    std::uint32_t raw = 0;
    std::memcpy(&raw, at, kind.bytes);
    const std::uint32_t bits = static_cast<std::uint32_t>(8 * kind.bytes), signBit = 1u << (bits - 1);
    std::int64_t value = raw;
    if (kind.isSigned && (raw & signBit) != 0) value -= std::int64_t{1} << bits;
    if (!isNormalized) return static_cast<float>(value);
    const double full = kind.isSigned ? signBit - 1.0 : 2.0 * signBit - 1.0;
    return static_cast<float>(std::max(static_cast<double>(value) / full, -1.0));
  }

  /// `count` vertices of a view into the places that `placeOf` says.
  template <class PlaceOf>
  void read(const json& where, const ComponentKind& kind, bool isNormalized, std::size_t width,
            std::size_t count, const PlaceOf& placeOf, std::vector<float>& floats) {
    const auto [bytes, stride] = bytesOf(where, kind.bytes * width, count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < width; ++k)
        floats[placeOf(i) * width + k] =
            valueOf(bytes.data() + i * stride + k * kind.bytes, kind, isNormalized);
  }

  /// glTF 2.0, section 3.6.2.3: some vertices have other values than those of the view.
  void addSparse(const json& sparse, const ComponentKind& kind, bool isNormalized, std::size_t width,
                 std::vector<float>& floats) {
    if (!sparse.is_object() || !sparse.contains("indices") || !sparse.contains("values"))
      failBroken("a sparse accessor has no indices or values");
    const std::size_t count = wholeNumber(sparse, "count", std::nullopt);
    const std::size_t size = sparse["indices"].value("componentType", 0) == 5121   ? 1
                             : sparse["indices"].value("componentType", 0) == 5123 ? 2
                                                                                   : 4;
    const auto [bytes, stride] = bytesOf(sparse["indices"], size, count);
    std::vector<std::size_t> places(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t place = 0;
      std::memcpy(&place, bytes.data() + i * stride, size);
      if (place >= floats.size() / width) failBroken("a sparse accessor names a vertex that is not there");
      places[i] = place;
    }
    read(
        sparse["values"], kind, isNormalized, width, count, [&](std::size_t i) { return places[i]; }, floats);
  }

  /// What an accessor, or the indices or values of a sparse one, has in its buffer, and how far apart its items lie.
  std::pair<std::string_view, std::size_t> bytesOf(const json& where, std::size_t itemSize,
                                                   std::size_t count) {
    const json view = elementOf(root_, "bufferViews", wholeNumber(where, "bufferView", std::nullopt));
    const std::size_t stride = std::max(wholeNumber(view, "byteStride", itemSize), itemSize);
    const std::size_t offset = wholeNumber(where, "byteOffset", 0),
                      length = wholeNumber(view, "byteLength", std::nullopt);
    const std::size_t begin = wholeNumber(view, "byteOffset", 0);
    const std::string_view buffer = bufferOf(wholeNumber(view, "buffer", std::nullopt));
    const std::size_t needed = count == 0 ? 0 : (count - 1) * stride + itemSize;
    if (begin + length > buffer.size() || offset + needed > length)
      failBroken("an accessor reads beyond its buffer");
    return {buffer.substr(begin + offset, needed), stride};
  }

  std::string_view bufferOf(std::size_t index) {
    if (const auto known = buffers_.find(index); known != buffers_.end()) return known->second;
    const json& buffer = elementOf(root_, "buffers", index);
    const std::string uri = buffer.value("uri", "");
    if (uri.empty()) return isBinary_ && index == 0 ? std::string_view(binary_) : std::string_view();
    std::string& bytes = buffers_[index];
    if (uri.starts_with("data:")) {
      const std::size_t comma = uri.find(',');
      bytes = comma == std::string::npos ? "" : fromBase64(std::string_view(uri).substr(comma + 1));
    } else {
      Result<std::string> read = readBeside_(percentDecoded(uri));
      if (!read) throw Fault{read.error()};
      bytes = std::move(*read);
    }
    return bytes;
  }

  /// The floats go to the end of the binary chunk, or into a buffer of their own.
  std::string joined() {
    json& buffers = root_["buffers"];
    if (!buffers.is_array()) buffers = json::array();
    const bool hasChunk = isBinary_ && !buffers.empty() && !buffers[0].contains("uri");
    std::size_t before = 0;
    if (hasChunk) {
      while (binary_.size() % 4 != 0) binary_ += '\0';
      before = binary_.size();
      binary_ += added_;
      buffers[0]["byteLength"] = binary_.size();
    } else {
      buffers.push_back({{"byteLength", added_.size()},
                         {"uri", "data:application/octet-stream;base64," + toBase64(added_)}});
    }
    for (const std::size_t view : newViews_) {
      json& own = root_["bufferViews"][view];
      own["buffer"] = hasChunk ? 0 : buffers.size() - 1;
      own["byteOffset"] = own["byteOffset"].get<std::size_t>() + before;
    }
    return isBinary_ ? binaryFile() : root_.dump();
  }

  std::string binaryFile() const {
    std::string chunks;
    addChunk(chunks, kJsonChunk, root_.dump(), ' ');
    if (!binary_.empty()) addChunk(chunks, kBinaryChunk, binary_, '\0');
    std::string file = "glTF";
    addWord(file, 2);
    addWord(file, kHeader + chunks.size());
    return file + chunks;
  }

  bool isBinary_;
  const ReadBeside& readBeside_;
  json root_;
  std::string binary_, added_;
  std::set<std::size_t> integers_;  // accessors
  std::size_t vertices_ = 0;        // in them
  std::vector<std::size_t> newViews_;
  std::map<std::size_t, std::string> buffers_;  // that were read
};

}  // namespace

Result<std::string> gltfForAssimp(std::string file, bool isBinary, const ReadBeside& readBeside) {
  try {
    return GltfText(isBinary, readBeside).forAssimp(std::move(file));
  } catch (const Fault& fault) {
    return fault.error;
  } catch (const json::exception&) {
    return Error{ErrorCode::SyntaxError, "the mesh cannot be read: its JSON is not that of a glTF file", "",
                 "export it again"};
  }
}

}  // namespace slipstick::assets
