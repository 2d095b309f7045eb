// A linked OpenGL program; what the driver says about a faulty shader comes back as an Error.
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/foundation/result.h"
#include "render/gl_handles.h"

namespace slipstick::render {

/// What a program writes: shaded colour, depth only (shadow map, ambient occlusion), or ids for picking.
enum class Pass { Shade, Depth, Id };

class Program {
 public:
  Program() = default;
  /// Compiles and links. `#version`, the pass (SHADE, DEPTH or ID is defined) and the frame's uniform block
  /// are put in front of both sources.
  static Result<Program> create(std::string_view name, std::string_view vertex, std::string_view fragment,
                                Pass pass = Pass::Shade);
  void use() const { glUseProgram(handle_.name()); }
  void set(const char* uniform, float value) const;
  void set(const char* uniform, int value) const;
  void set(const char* uniform, const Eigen::Vector4f& value) const;

 private:
  GLint locationOf(std::string_view uniform) const;

  GlHandle<ProgramTraits> handle_;
  std::vector<std::pair<std::string, GLint>> locations_;  ///< asked for once: the driver looks them up slowly
};

/// One program per pass, by static_cast<std::size_t>(Pass).
using PassPrograms = std::array<Program, 3>;

/// Programs whose Pass::Depth covers all that the triangles cover: `fragment` is for Shade and Id only.
Result<PassPrograms> createPasses(std::string_view name, std::string_view vertex, std::string_view fragment);

/// Tries to make a program; returns false and keeps the first error otherwise. For building several in a row.
bool make(Program& program, Result<Program> made, Result<void>& status);

}  // namespace slipstick::render
