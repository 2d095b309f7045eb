// A square that wears an image, as files of a test.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "render/offscreen.h"

namespace slipstick::testing {

using Texel = std::array<std::uint8_t, 3>;

/// Rows from the top.
inline std::filesystem::path writeImage(const std::filesystem::path& file, int width,
                                        const std::vector<Texel>& texels) {
  render::Image image;
  image.width = width;
  image.height = static_cast<int>(texels.size()) / width;
  for (const Texel& t : texels) image.rgba.insert(image.rgba.end(), {t[0], t[1], t[2], 255});
  std::filesystem::create_directories(file.parent_path());
  const Result<void> written = render::writePng(image, file);
  EXPECT_TRUE(written.ok()) << written.error().message();
  return file;
}

constexpr Texel kRed = {255, 0, 0}, kGreen = {0, 255, 0}, kBlue = {0, 0, 255}, kYellow = {255, 255, 0};

/// Seen from −y with z up: red and green above, blue and yellow below.
inline std::filesystem::path writeFourColours(const std::filesystem::path& file) {
  return writeImage(file, 2, {kRed, kGreen, kBlue, kYellow});
}

/// quad.obj: the square of 2 m in the xz plane, facing −y, whose material names `image` beside other colours.
inline std::filesystem::path writeQuad(const std::filesystem::path& folder, const std::string& image) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "quad.mtl") << "newmtl printed\nKd 0.1 0.2 0.3\nmap_Kd " << image << "\n";
  std::ofstream(folder / "quad.obj")
      << "mtllib quad.mtl\nv -1 0 -1 1 0 0\nv 1 0 -1 1 0 0\nv 1 0 1 1 0 0\nv -1 0 1 1 0 0\n"
         "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl printed\n"
         "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";
  return folder / "quad.obj";
}

}  // namespace slipstick::testing
