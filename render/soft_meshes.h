// Draws the deformables that are triangles: lit cloth with two sides, matt and liquid surfaces.
#pragma once

#include <array>
#include <vector>

#include "render/frame.h"
#include "render/shader.h"

namespace slipstick::render {

class SoftMeshes {
 public:
  static Result<SoftMeshes> create();
  /// @param model  names the first particle of each deformable: the pick id of its mesh
  void update(const Model& model, const std::vector<SoftMesh>& meshes);
  /// Cloth and matt surfaces.
  void drawOpaque(Pass pass) const;
  /// Liquids. Shading needs blending on and their own depths in the depth buffer.
  void drawLiquids(Pass pass) const;
  void drawDeformable(Pass pass, int deformable) const;
  /// Edges of cloths over their faces, where the frame has any.
  void drawEdges() const;

 private:
  struct Slice {
    int deformable = 0;
    GLuint id = 0;
    SoftLook look = SoftLook::Matt;
    float lift = 0;
    GLint firstVertex = 0;
    std::size_t firstIndex = 0, firstEdge = 0;
    GLsizei indices = 0, edges = 0;
  };
  void draw(Pass pass, const Slice& slice) const;

  PassPrograms programs_;
  Program edge_;
  VertexArray array_;
  Buffer vertices_, indices_;
  std::vector<Slice> slices_;
};

}  // namespace slipstick::render
