#include "render/shader.h"

#include "render/shader_common.h"

namespace slipstick::render {
namespace {

std::string_view passName(Pass pass) {
  switch (pass) {
    case Pass::Depth:
      return "DEPTH";
    case Pass::Id:
      return "ID";
    case Pass::Shade:
      break;
  }
  return "SHADE";
}

Error deviceFailure(std::string_view name, const char* stage, std::string log) {
  for (char& c : log)
    if (c == '\n') c = ' ';
  return {ErrorCode::DeviceFailure, std::string(stage) + " failed: " + log,
          "shader '" + std::string(name) + "'",
          "update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1 to draw in software"};
}

std::string shaderLog(GLuint shader) {
  GLint length = 0;
  glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(std::max(length, 1)), ' ');
  glGetShaderInfoLog(shader, length, nullptr, log.data());
  return log;
}

Result<GLuint> compileStage(GLenum stage, std::string_view name, std::string_view source, Pass pass) {
  const std::string text =
      "#version 450 core\n#define " + std::string(passName(pass)) + "\n" + std::string(kShaderCommon) +
      (stage == GL_FRAGMENT_SHADER ? std::string(kShaderLighting) : std::string()) + std::string(source);
  const GLuint shader = glCreateShader(stage);
  const char* data = text.c_str();
  glShaderSource(shader, 1, &data, nullptr);
  glCompileShader(shader);
  GLint ok = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok) return shader;
  const std::string log = shaderLog(shader);
  glDeleteShader(shader);
  return deviceFailure(
      name, stage == GL_VERTEX_SHADER ? "compiling the vertex stage" : "compiling the fragment stage", log);
}

/// Of a linked program, by name.
std::vector<std::pair<std::string, GLint>> uniformLocations(GLuint program) {
  std::vector<std::pair<std::string, GLint>> locations;
  GLint count = 0;
  glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
  for (GLint i = 0; i < count; ++i) {
    char name[128] = {};
    GLint size = 0;
    GLenum type = 0;
    glGetActiveUniform(program, static_cast<GLuint>(i), sizeof name, nullptr, &size, &type, name);
    const GLint location = glGetUniformLocation(program, name);
    if (location >= 0) locations.emplace_back(name, location);  // those of blocks have none
  }
  return locations;
}

}  // namespace

Result<Program> Program::create(std::string_view name, std::string_view vertex, std::string_view fragment,
                                Pass pass) {
  Result<GLuint> v = compileStage(GL_VERTEX_SHADER, name, vertex, pass);
  if (!v) return v.error();
  Result<GLuint> f = compileStage(GL_FRAGMENT_SHADER, name, fragment, pass);
  if (!f) {
    glDeleteShader(*v);
    return f.error();
  }
  Program program;
  program.handle_ = GlHandle<ProgramTraits>(glCreateProgram());
  const GLuint id = program.handle_.name();
  glAttachShader(id, *v);
  glAttachShader(id, *f);
  glLinkProgram(id);
  glDeleteShader(*v);
  glDeleteShader(*f);
  GLint ok = GL_FALSE;
  glGetProgramiv(id, GL_LINK_STATUS, &ok);
  if (ok) {
    program.locations_ = uniformLocations(id);
    return program;
  }
  std::string log(1024, ' ');
  glGetProgramInfoLog(id, static_cast<GLsizei>(log.size()), nullptr, log.data());
  return deviceFailure(name, "linking", log);
}

GLint Program::locationOf(std::string_view uniform) const {
  for (const auto& [name, location] : locations_)
    if (name == uniform) return location;
  return -1;  // the compiler has left it out: setting it does nothing
}

void Program::set(const char* uniform, float value) const {
  glProgramUniform1f(handle_.name(), locationOf(uniform), value);
}
void Program::set(const char* uniform, int value) const {
  glProgramUniform1i(handle_.name(), locationOf(uniform), value);
}
void Program::set(const char* uniform, const Eigen::Vector4f& value) const {
  glProgramUniform4fv(handle_.name(), locationOf(uniform), 1, value.data());
}

Result<PassPrograms> createPasses(std::string_view name, std::string_view vertex, std::string_view fragment) {
  constexpr std::string_view kCover = R"(
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(1.0); }
)";
  PassPrograms programs;
  Result<void> status;
  for (const Pass pass : {Pass::Shade, Pass::Depth, Pass::Id})
    make(programs[static_cast<std::size_t>(pass)],
         Program::create(name, vertex, pass == Pass::Depth ? kCover : fragment, pass), status);
  if (!status.ok()) return status.error();
  return programs;
}

bool make(Program& program, Result<Program> made, Result<void>& status) {
  if (!status.ok()) return false;
  if (!made) {
    status = made.error();
    return false;
  }
  program = std::move(made).value();
  return true;
}

}  // namespace slipstick::render
