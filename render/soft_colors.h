// From what the particles carry to their colours. Part of buildFrame().
#pragma once

#include <string>
#include <vector>

#include "render/frame.h"

namespace slipstick::render {

/// One quantity of one snapshot, on one scale for all deformables that show it, so that colours compare.
class SoftColors {
 public:
  SoftColors(const Model& model, const Snapshot& snapshot, const ViewOptions& options);

  /// Whether the quantity colours this deformable; the others have their own colour.
  bool isMapped(int deformable) const { return mapped_[static_cast<std::size_t>(deformable)]; }
  /// The quantity of every particle; a vertex of a cloth has the mean of its triangles, which carry the
  /// stress. Empty where nothing is mapped.
  const std::vector<float>& values() const { return values_; }
  /// Linear RGB of a value.
  const Eigen::Vector3f& color(float value) const;
  const ColorBar& bar() const { return bar_; }

 private:
  void setScale(double low, double high, const ViewOptions& options);
  double floorOf(const Model& model) const;
  std::string title(const Model& model) const;

  ParticleColor quantity_ = ParticleColor::Plain;
  std::vector<bool> mapped_;
  std::vector<float> values_;
  float low_ = 0, perUnit_ = 0;  ///< a value's place on the map: (value − low) · perUnit
  ColorBar bar_;
};

}  // namespace slipstick::render
