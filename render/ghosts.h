// Ghosts: where things were, or are elsewhere, as thin shells over the present.
#pragma once

#include <vector>

#include "render/layer.h"

namespace slipstick::render {

/// Bodies that are not where they are now, and particles. Rims are bright and faces clear, nothing hides the
/// present; drawn against the scene's depth, without depth of its own.
class Ghosts final : public Layer {
 public:
  static Result<Ghosts> create();
  /// Tessellates when the first ghost comes.
  void setModel(const Model& model) override;
  Inputs reads() const override { return {.poses = true, .ghosts = true, .options = true}; }
  void update(const Picture& picture) override;
  void draw(Stage stage, Pass pass) const override;

 private:
  struct Range {
    std::size_t firstIndex = 0;
    GLsizei indices = 0;
    GLint firstVertex = 0;
  };
  struct Body {
    std::size_t visual = 0;
    std::array<Eigen::Vector4f, 3> rows;  ///< of X_WV, 3 × 4
    Eigen::Vector4f color;                ///< sRGB
  };
  struct Cloud {
    int first = 0, count = 0;
    Eigen::Vector4f color;  ///< sRGB, radius [m]
  };

  void tessellateAll(const Model& model);

  Program body_, particle_;
  VertexArray bodyArray_, particleArray_;
  Buffer vertices_, indices_, centers_;
  std::vector<Range> ranges_;  ///< one per visual
  std::vector<Body> bodies_;
  std::vector<Cloud> clouds_;
};

}  // namespace slipstick::render
