#include "render/shader.h"

#include <gtest/gtest.h>

#include "render/egl_context.h"

namespace slipstick::render {
namespace {

TEST(Program, AFaultyShaderComesBackAsAnErrorThatNamesIt) {
  auto context = EglContext::create();
  ASSERT_TRUE(context.ok()) << context.error().message();
  const char* vertex = "void main() { gl_Position = eye; }";
  const auto good = Program::create("good", vertex, "out vec4 c; void main() { c = vec4(1.0); }");
  EXPECT_TRUE(good.ok()) << good.error().message();
  const auto bad = Program::create("broken", vertex, "out vec4 c; void main() { c = nowhere; }");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, ErrorCode::DeviceFailure);
  EXPECT_NE(bad.error().message().find("broken"), std::string::npos);
  EXPECT_NE(bad.error().message().find("nowhere"), std::string::npos);
  EXPECT_EQ(bad.error().message().find('\n'), std::string::npos);
}

}  // namespace
}  // namespace slipstick::render
