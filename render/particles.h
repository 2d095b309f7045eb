// Spheres that are never tessellated: a quad per particle, the sphere found by ray casting in the fragment
// shader. Depth is exact, so spheres intersect meshes and each other correctly, cast and receive shadows.
// Colours are found in the vertex shader, from one number per particle.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/model/particle_source.h"
#include "render/frame.h"
#include "render/shader.h"

namespace slipstick::render {

class Spheres {
 public:
  Spheres();
  Spheres(Spheres&&) noexcept;
  Spheres& operator=(Spheres&&) noexcept;
  ~Spheres();
  static Result<Spheres> create();
  /// From this machine's memory. @param values  one per center, or none where no range is mapped
  void update(const std::vector<Eigen::Vector3f>& centers, const std::vector<float>& values);
  /// From where a device has them. @return false where it cannot: then nothing has changed
  bool update(const ParticleSource& source, std::size_t particles, ParticleColumns::Column values);
  /// Pick ids are those of Frame::particles. @param cut  by the view's section
  void draw(Pass pass, const SphereRange& range, const ColorScale& scale, bool cut = false) const;

 private:
  class Columns;

  /// @param firstValue  in its buffer [B]
  void readFrom(GLuint centers, GLuint values, GLintptr firstValue, bool hasValues);

  PassPrograms programs_, cutPrograms_;
  VertexArray array_;
  Buffer centers_, values_;
  std::unique_ptr<Columns> columns_;
  Texture maps_;
};

}  // namespace slipstick::render
