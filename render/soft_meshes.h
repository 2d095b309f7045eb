// Draws the deformables that are triangles: lit cloth with two sides, matt and liquid surfaces.
#pragma once

#include <array>
#include <vector>

#include "render/layer.h"

namespace slipstick::render {

class SoftMeshes final : public Layer {
 public:
  static Result<SoftMeshes> create();
  void setModel(const Model&) override { soft_ = nullptr; }
  Inputs reads() const override { return {.soft = true, .selection = true}; }
  void update(const Picture& picture) override;
  /// Cloth and matt surfaces are opaque, liquids transparent.
  void draw(Stage stage, Pass pass) const override;
  bool refracts() const override;

 private:
  struct Slice {
    int deformable = 0;
    GLuint id = 0;
    SoftLook look = SoftLook::Matt;
    bool mapped = false;
    float lift = 0;
    GLint firstVertex = 0;
    std::size_t firstIndex = 0, firstEdge = 0;
    GLsizei indices = 0, edges = 0;
  };
  void uploadMeshes(const Model& model);
  void draw(Pass pass, const Slice& slice) const;
  /// Edges of cloths over their faces, where the frame has any.
  void drawEdges() const;

  PassPrograms programs_;
  Program edge_;
  VertexArray array_;
  Buffer vertices_, indices_;
  std::vector<Slice> slices_;
  std::shared_ptr<const SoftParts> soft_;  ///< what is uploaded
  std::optional<std::int32_t> selected_;   ///< deformable
};

}  // namespace slipstick::render
