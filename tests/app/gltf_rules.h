// Rules of the glTF 2.0 specification that can be stated in a line each, and the numbers of a file for other checks.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace slipstick::testing {

struct GltfFile {
  nlohmann::json document;
  std::string bin;                  ///< the bytes of its one buffer
  std::vector<std::string> broken;  ///< rules of the container that it breaks

  /// Reads a .glb, or a .gltf with its .bin.
  static GltfFile read(const std::filesystem::path& file);
  /// The numbers of an accessor in the order in which they lie there, as doubles.
  std::vector<double> numbers(const nlohmann::json& accessor) const;
  std::vector<double> numbers(std::size_t accessor) const {
    return numbers(document["accessors"].at(accessor));
  }
};

/// Each rule that the file breaks, with what breaks it; empty: it keeps all of them.
std::vector<std::string> brokenGltfRules(const GltfFile& file);

}  // namespace slipstick::testing
