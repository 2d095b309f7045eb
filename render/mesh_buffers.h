// All visuals of a model in one vertex buffer, drawn with one indirect call per pass; those that wear images
// are shaded with one more for each set of images.
#pragma once

#include <array>
#include <vector>

#include "render/layer.h"
#include "render/surface_textures.h"

namespace slipstick::render {

class MeshBuffers final : public Layer {
 public:
  static Result<MeshBuffers> create();
  /// Tessellates and uploads every visual; frees those of the model before.
  void setModel(const Model& model) override;
  Inputs reads() const override { return {.poses = true, .options = true, .selection = true}; }
  /// Places every visual for this frame and sorts it into the sets.
  void update(const Picture& picture) override;
  void draw(Stage stage, Pass pass) const override;
  Eigen::AlignedBox3f casters() const override { return casters_; }
  std::optional<Selection> selectionOf(const PickId& id) const override;

 private:
  enum class MeshSet { Opaque, Transparent, Selected };
  struct Range {
    GLuint firstIndex = 0, indexCount = 0, firstVertex = 0;
    int maps = kNoMaps;  ///< into textures_
  };
  struct Command {
    GLuint count, instances, firstIndex, baseVertex, baseInstance;
  };
  struct Instance {
    std::array<Eigen::Vector4f, 3> rows;  ///< of X_WV, 3 × 4
    Eigen::Vector4f color;
    std::array<GLuint, 2> id;  ///< pick id, bits
  };
  /// Of a set's commands.
  struct Slice {
    std::size_t first = 0, count = 0;
    int maps = kNoMaps;
  };
  struct MappedCommand {
    int maps = kNoMaps;
    Command command;
  };

  void addRanges(const Shape& shape, GLuint firstIndex, GLuint indexCount, GLuint firstVertex);
  void add(const Instance& instance, const std::vector<Range>& ranges, bool selected);
  void uploadSets();
  void draw(Pass pass, MeshSet set) const;
  void addVisuals(const Picture& picture, const std::vector<bool>& selected);
  void addCollisionShapes(const Picture& picture, const std::vector<bool>& selected);
  void addInertiaBoxes(const Picture& picture);

  static constexpr int kNoMaps = -1;
  /// Of the second number of an instance: recoloured is what takes neither colours nor images of its mesh; over
  /// others is what may lie in their surfaces.
  static constexpr GLuint kSelectedBit = 1, kRecoloredBit = 2, kOverBit = 4;

  PassPrograms programs_;
  Program textured_;                   ///< in place of the one of Pass::Shade
  VertexArray array_, texturedArray_;  ///< the latter with uvs_
  Buffer vertices_, uvs_, indices_, instances_, commands_;
  SurfaceTextures textures_;
  /// Per visual, then per collision shape; the last is the unit box of inertia displays.
  std::vector<std::vector<Range>> ranges_;
  std::vector<Eigen::AlignedBox3f> bounds_;  ///< of the same in their own frames, planes left empty
  Eigen::AlignedBox3f casters_;
  bool wireframe_ = false;
  std::vector<Instance> instanceData_;
  std::array<std::vector<MappedCommand>, 3> sets_;
  std::array<std::vector<Slice>, 3> slices_;  ///< per set, adjacent; the one without maps comes first
};

}  // namespace slipstick::render
