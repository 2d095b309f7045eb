// Grid boundaries as translucent hatched solids: walls and clamps that have no mass and press on nothing
// that is rigid.
#pragma once

#include <array>
#include <vector>

#include "render/layer.h"

namespace slipstick::render {

class Boundaries final : public Layer {
 public:
  static Result<Boundaries> create();
  Inputs reads() const override { return {.boundaries = true, .options = true}; }
  void update(const Picture& picture) override;
  /// Shading writes no depth.
  void draw(Stage stage, Pass pass) const override;
  std::optional<Selection> selectionOf(const PickId& id) const override;

 private:
  struct Slice {
    GLuint id = 0;
    int kind = 0;
    bool selected = false;
    float pitch = 0;
    Eigen::Vector3f color = Eigen::Vector3f::Ones();  ///< sRGB
    GLint first = 0;
    GLsizei count = 0;
  };
  void draw(Pass pass, const Slice& slice) const;

  PassPrograms programs_;
  VertexArray array_;
  Buffer vertices_;
  std::vector<Slice> slices_;
};

}  // namespace slipstick::render
