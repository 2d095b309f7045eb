#include "assets/export/gltf_buffer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace slipstick::assets {

namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "numbers go to files as they lie in memory");

constexpr int kFloat = 5126, kUnsignedShort = 5123, kUnsignedInt = 5125;  // componentType
constexpr int kArrayBuffer = 34962, kElementArrayBuffer = 34963;          // target
constexpr std::size_t kMaxShort = 65535;                                  // 65535 itself restarts primitives

struct UseInfo {
  const char* type;
  std::size_t components;
  bool isAttribute, hasBounds;
};
UseInfo infoOf(GltfUse use) {
  switch (use) {
    case GltfUse::Positions:
      return {"VEC3", 3, true, true};
    case GltfUse::Normals:
      return {"VEC3", 3, true, false};
    case GltfUse::Times:
      return {"SCALAR", 1, false, true};
    case GltfUse::Vectors:
      return {"VEC3", 3, false, false};
    case GltfUse::Rotations:
      return {"VEC4", 4, false, false};
    default:
      return {"SCALAR", 1, false, false};
  }
}

void addBounds(std::span<const float> numbers, std::size_t components, json& accessor) {
  std::vector<float> lower(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(components));
  std::vector<float> upper = lower;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    lower[i % components] = std::min(lower[i % components], numbers[i]);
    upper[i % components] = std::max(upper[i % components], numbers[i]);
  }
  accessor["min"] = lower;
  accessor["max"] = upper;
}

}  // namespace

Result<GltfBuffer> GltfBuffer::create(const std::filesystem::path& beside) {
  Result<SpoolFile> bytes = SpoolFile::create(beside);
  if (!bytes) return bytes.error();
  return GltfBuffer(std::move(*bytes));
}

int GltfBuffer::append(const void* numbers, std::size_t size, json view, json accessor) {
  view["buffer"] = 0;
  view["byteOffset"] = bytes_.size();
  view["byteLength"] = size;
  accessor["bufferView"] = views_.size();
  views_.push_back(std::move(view));
  accessors_.push_back(std::move(accessor));
  constexpr std::array<char, 4> kZeros = {};
  if (outcome_) outcome_ = bytes_.write(numbers, size);
  if (outcome_) outcome_ = bytes_.write(kZeros.data(), (4 - size % 4) % 4);
  return static_cast<int>(accessors_.size()) - 1;
}

int GltfBuffer::add(std::span<const float> numbers, GltfUse use) {
  const UseInfo info = infoOf(use);
  json view, accessor = {
                 {"componentType", kFloat}, {"type", info.type}, {"count", numbers.size() / info.components}};
  if (info.isAttribute) view["target"] = kArrayBuffer;
  if (info.hasBounds) addBounds(numbers, info.components, accessor);
  return append(numbers.data(), numbers.size_bytes(), std::move(view), std::move(accessor));
}

int GltfBuffer::addIndices(std::span<const std::uint32_t> indices, std::size_t vertices) {
  const bool isShort = vertices <= kMaxShort;
  const json accessor = {{"componentType", isShort ? kUnsignedShort : kUnsignedInt},
                         {"type", "SCALAR"},
                         {"count", indices.size()}};
  const json view = {{"target", kElementArrayBuffer}};
  if (!isShort) return append(indices.data(), indices.size_bytes(), view, accessor);
  const std::vector<std::uint16_t> narrow(indices.begin(), indices.end());
  return append(narrow.data(), 2 * narrow.size(), view, accessor);
}

}  // namespace slipstick::assets
