// What of a glTF file is turned into floats before Assimp has it: within its buffers, whatever the file says.
#include "assets/gltf_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "tests/assets/scene_text.h"

namespace slipstick::assets {
namespace {

using nlohmann::json;
using testing::expectFault;

std::string bytesOf(std::uint32_t word) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i) & 0xff);
  return bytes;
}

/// Three vertices at the origin, but for one that lies at (1, 2, 3).
json sparseMesh() {
  return json::parse(R"({
    "asset": {"version": "2.0"},
    "buffers": [{"uri": "places.bin", "byteLength": 12}],
    "bufferViews": [{"buffer": 0, "byteLength": 4}, {"buffer": 0, "byteOffset": 4, "byteLength": 6}],
    "accessors": [{"componentType": 5123, "type": "VEC3", "count": 3,
                   "sparse": {"count": 1, "indices": {"bufferView": 0, "componentType": 5125},
                              "values": {"bufferView": 1}}}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]
  })");
}

/// @param place  of the vertex that lies elsewhere
Result<std::string> read(const json& mesh, std::uint32_t place) {
  const std::string values("\1\0\2\0\3\0\0\0", 8);
  return gltfForAssimp(mesh.dump(), false, [&](const std::string& name) -> Result<std::string> {
    EXPECT_EQ(name, "places.bin");
    return bytesOf(place) + values;
  });
}

TEST(GltfText, PutsASparseVertexInItsPlace) {
  for (std::uint32_t place = 0; place < 3; ++place) {
    const Result<std::string> text = read(sparseMesh(), place);
    ASSERT_TRUE(text) << text.error().message();
    const json made = json::parse(*text);
    EXPECT_EQ(made["accessors"][0]["componentType"], 5126);
    EXPECT_FALSE(made["accessors"][0].contains("sparse"));
    // Four digits are three bytes: the vertices before it are sixteen zeros each.
    const std::string uri = made["buffers"][1]["uri"];
    const std::string digits = uri.substr(uri.find(',') + 1);
    EXPECT_EQ(digits.size(), 48u);
    EXPECT_EQ(digits.find_first_not_of('A') / 16, place) << digits;
    EXPECT_EQ(digits.substr(16 * place, 16), "AACAPwAAAEAAAEBA") << "1, 2, 3";
  }
}

TEST(GltfText, RefusesASparseVertexThatIsNotThere) {
  for (const std::uint32_t place : {3u, 4u, 0x55555555u, 0x7fffffffu, 0xfffffffeu, 0xffffffffu}) {
    const Result<std::string> text = read(sparseMesh(), place);
    ASSERT_FALSE(text) << place;
    expectFault(text.error().message(), {"names a vertex that is not there"});
  }
}

TEST(GltfText, RefusesWhatReachesBeyondItsBuffer) {
  const auto faultOf = [](const char* path, std::uint64_t value) {
    json mesh = sparseMesh();
    mesh[json::json_pointer(path)] = value;
    const Result<std::string> text = read(mesh, 0);
    return text ? "" : text.error().message();
  };
  EXPECT_EQ(faultOf("/bufferViews/1/byteOffset", 6), "") << "it ends with the buffer";
  expectFault(faultOf("/bufferViews/1/byteOffset", 7), {"beyond its buffer"});
  expectFault(faultOf("/bufferViews/1/byteLength", 5), {"beyond its buffer"});
  expectFault(faultOf("/accessors/0/sparse/count", 2), {"beyond its buffer"});
  expectFault(faultOf("/accessors/0/sparse/values/byteOffset", 1), {"beyond its buffer"});
  for (const char* path : {"/bufferViews/1/byteOffset", "/bufferViews/1/byteStride", "/accessors/0/count"})
    EXPECT_NE(faultOf(path, ~std::uint64_t{0}), "") << path;
}

}  // namespace
}  // namespace slipstick::assets
