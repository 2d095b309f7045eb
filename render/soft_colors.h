// From what the particles carry to their colours. Part of buildFrame().
#pragma once

#include <string>
#include <vector>

#include "render/color_scale.h"
#include "render/frame.h"

namespace slipstick::render {

/// One quantity of one snapshot, on one scale for all deformables that show it, so that colours compare.
class SoftColors {
 public:
  /// What is hidden does not count.
  SoftColors(const Model& model, const Snapshot& snapshot, const ViewOptions& options, const Looks& looks);

  /// Whether the quantity colours this deformable; the others have their own colour.
  bool isMapped(int deformable) const { return mapped_[static_cast<std::size_t>(deformable)]; }
  /// The quantity of every particle; only where something is mapped. Belongs to the snapshot.
  const std::vector<float>& values() const { return *values_; }
  /// Where a ParticleSource has it.
  ParticleColumns::Column column() const { return column_; }
  const ColorScale& scale() const { return scale_; }
  const ColorBar& bar() const { return bar_; }

 private:
  void setScale(double low, double high, const ViewOptions& options);
  double floorOf(const Model& model) const;
  std::string title(const Model& model) const;

  ParticleColor quantity_ = ParticleColor::Plain;
  std::vector<bool> mapped_;
  const std::vector<float>* values_ = nullptr;
  ParticleColumns::Column column_ = ParticleColumns::Stress;
  ColorScale scale_;
  ColorBar bar_;
};

}  // namespace slipstick::render
