// Deformables that are drawn as spheres.
#pragma once

#include "render/layer.h"
#include "render/particles.h"

namespace slipstick::render {

class ParticleLayer final : public Layer {
 public:
  static Result<ParticleLayer> create();
  void setModel(const Model& model) override;
  Inputs reads() const override { return {.soft = true, .options = true, .selection = true}; }
  void update(const Picture& picture) override;
  void draw(Stage stage, Pass pass) const override;
  Eigen::AlignedBox3f casters() const override { return soft_ ? soft_->box : Eigen::AlignedBox3f(); }
  std::optional<Selection> selectionOf(const PickId& id) const override;

 private:
  Spheres spheres_;
  std::shared_ptr<const SoftParts> soft_;  ///< what is uploaded
  std::vector<int> ends_;                  ///< per deformable, behind its last particle
  bool cut_ = false;                       ///< by a section
  int selectedFirst_ = -1;                 ///< the first particle of the selected deformable
};

}  // namespace slipstick::render
