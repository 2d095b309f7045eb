// The numbers of a glTF 2.0 file: one buffer, with the views and accessors that say what lies in it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "assets/export/output_file.h"

namespace slipstick::assets {

/// What an accessor is for.
enum class GltfUse {
  Positions,  ///< vertex attribute VEC3 with its bounds, also displacements
  Normals,    ///< vertex attribute VEC3
  Indices,    ///< SCALAR, unsigned
  Times,      ///< SCALAR with its bounds
  Vectors,    ///< VEC3 of an animation
  Rotations,  ///< VEC4 of an animation
  Weights,    ///< SCALAR of an animation
};

class GltfBuffer {
 public:
  /// @param beside  the file that it goes to: the numbers wait on its disk
  static Result<GltfBuffer> create(const std::filesystem::path& beside);

  /// Appends numbers as one view and one accessor, aligned as both ask for. @return index of the accessor. After an
  /// error of the disk it does nothing more, see outcome().
  int add(std::span<const float> numbers, GltfUse use);
  /// Indices, in two bytes each where `vertices` are few enough.
  int addIndices(std::span<const std::uint32_t> indices, std::size_t vertices);

  const Result<void>& outcome() const { return outcome_; }
  std::uint64_t size() const { return bytes_.size(); }  ///< a multiple of 4
  nlohmann::json takeViews() { return std::move(views_); }
  nlohmann::json takeAccessors() { return std::move(accessors_); }
  Result<void> copyTo(OutputFile& file) { return bytes_.copyTo(file); }

 private:
  explicit GltfBuffer(SpoolFile bytes) : bytes_(std::move(bytes)) {}
  int append(const void* numbers, std::size_t size, nlohmann::json view, nlohmann::json accessor);
  SpoolFile bytes_;
  nlohmann::json views_ = nlohmann::json::array(), accessors_ = nlohmann::json::array();
  Result<void> outcome_;
};

}  // namespace slipstick::assets
