#include "assets/export/ply_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include "assets/export/output_file.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/srgb.h"
#include "engine/model/soft_surface.h"

namespace slipstick::assets {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers go to files as they lie in memory");

template <class T>
void append(std::string& bytes, T number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string headerOf(const Deformable& deformable, const Snapshot& snapshot, const SoftSurface& surface) {
  std::string name = deformable.name;
  std::replace(name.begin(), name.end(), '\n', ' ');
  std::string header = "ply\nformat binary_little_endian 1.0\ncomment slipstick: " + name + ", step " +
                       std::to_string(snapshot.step) + ", time " + shortest(snapshot.time) +
                       " s\ncomment x y z m; speed m/s; stress, pressure Pa\nelement vertex " +
                       std::to_string(surface.vertexCount) + "\n";
  for (const char* property : {"x", "y", "z", "speed", "stress", "pressure", "plastic_strain"})
    header += std::string("property float ") + property + "\n";
  for (const char* property : {"red", "green", "blue"})
    header += std::string("property uchar ") + property + "\n";
  if (!surface.triangles.empty())
    header += "element face " + std::to_string(surface.triangles.size()) +
              "\nproperty list uchar int vertex_indices\n";
  return header + "end_header\n";
}

}  // namespace

Result<void> writePly(const std::filesystem::path& file, const Deformable& deformable, const Color& color,
                      const Snapshot& snapshot) {
  Result<OutputFile> made = OutputFile::create(file);
  if (!made) return made.error();
  const SoftSurface surface = surfaceOf(deformable);
  const auto vertices = surface.of(snapshot.particles);
  const auto speed = surface.of(snapshot.speed), stress = surface.of(snapshot.stress),
             pressure = surface.of(snapshot.pressure), plasticStrain = surface.of(snapshot.plasticStrain);
  std::array<std::uint8_t, 3> rgb;
  for (int i = 0; i < 3; ++i)
    rgb[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(std::lround(255 * srgbFromLinear(std::clamp(color[i], 0.f, 1.f))));
  std::string bytes = headerOf(deformable, snapshot, surface);
  for (std::size_t i = 0; i < surface.vertexCount; ++i) {
    const Eigen::Vector3f& x = vertices[i];
    for (const float number : {x.x(), x.y(), x.z(), speed[i], stress[i], pressure[i], plasticStrain[i]})
      append(bytes, number);
    for (const std::uint8_t part : rgb) append(bytes, part);
  }
  for (const Eigen::Vector3i& triangle : surface.triangles) {
    append(bytes, std::uint8_t{3});
    for (const int vertex : triangle) append(bytes, static_cast<std::int32_t>(vertex));
  }
  if (const Result<void> written = made->write(bytes); !written) return written;
  return made->commit();
}

}  // namespace slipstick::assets
