// All visuals of a model in one vertex buffer, drawn with one indirect call per pass.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/model/model.h"
#include "render/frame.h"
#include "render/shader.h"

namespace slipstick::render {

enum class MeshSet { Opaque, Transparent, Selected };

class MeshBuffers {
 public:
  static Result<MeshBuffers> create();
  /// Tessellates and uploads every visual; frees those of the model before.
  void setModel(const Model& model);
  /// Places every visual for this frame and sorts it into the sets.
  void update(const Model& model, const Frame& frame, const ViewOptions& options, const Selection& selection);
  void draw(Pass pass, MeshSet set) const;
  /// Bounds of a visual in its own frame, planes left empty.
  const std::vector<Eigen::AlignedBox3f>& bounds() const { return bounds_; }

 private:
  struct Range {
    GLuint firstIndex = 0, indexCount = 0, firstVertex = 0;
  };
  struct Command {
    GLuint count, instances, firstIndex, baseVertex, baseInstance;
  };
  struct Instance {
    std::array<Eigen::Vector4f, 3> rows;  ///< of X_WV, 3 × 4
    Eigen::Vector4f color;
    std::array<GLuint, 2> id;  ///< pick id, 1 when selected
  };
  struct Slice {
    std::size_t first = 0, count = 0;
  };

  void uploadSets();
  void addInertiaBoxes(const Model& model, const Frame& frame);

  PassPrograms programs_;
  VertexArray array_;
  Buffer vertices_, indices_, instances_, commands_;
  std::vector<Range> ranges_;  ///< one per visual; the last is the unit box of inertia displays
  std::vector<Eigen::AlignedBox3f> bounds_;
  std::vector<Instance> instanceData_;
  std::array<std::vector<Command>, 3> sets_;
  std::array<Slice, 3> slices_;
};

}  // namespace slipstick::render
