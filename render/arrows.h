// Arrows of constant width on screen, and the marks at contacts.
#pragma once

#include <vector>

#include "render/frame.h"
#include "render/shader.h"

namespace slipstick::render {

class Arrows {
 public:
  static Result<Arrows> create();
  void update(const std::vector<Arrow>& arrows, const std::vector<ContactMark>& marks);
  /// @param growth  added to every radius [logical px]: a slack around thin arrows when picking
  void draw(Pass pass, float growth = 0) const;
  void drawMarks() const;

 private:
  struct MarkInstance {
    Eigen::Vector4f point;  ///< w: 1 for a ring
    Eigen::Vector4f normal;
    Eigen::Vector4f color;
  };
  struct ArrowInstance {
    Eigen::Vector4f from;  ///< w: thickness
    Eigen::Vector4f vector, color;
  };

  Program shade_, id_, mark_;
  VertexArray arrowArray_, markArray_;
  Buffer arrowBuffer_, markBuffer_;
  int arrows_ = 0, marks_ = 0;
};

}  // namespace slipstick::render
