#include "assets/recording/recorded_patches.h"

#include <algorithm>
#include <cmath>

#include "assets/recording/recorded_numbers.h"
#include "assets/recording/recording_format.h"

namespace slipstick::assets::recording {
namespace {

Error misfit() {
  return {ErrorCode::SyntaxError, "its pressure patches do not fit together", "",
          "record again; this file is damaged"};
}

/// Begin and end of each row, of numbers that rows end at.
std::vector<std::uint64_t> withBegin(const std::vector<std::uint64_t>& ends, bool isFirst) {
  std::vector<std::uint64_t> bounds = ends;
  if (isFirst) bounds.insert(bounds.begin(), 0);
  return bounds;
}

bool isAscending(const std::vector<std::uint64_t>& bounds, std::uint64_t rows) {
  for (std::size_t i = 1; i < bounds.size(); ++i)
    if (bounds[i] < bounds[i - 1]) return false;
  return bounds.back() <= rows;
}

}  // namespace

Result<PatchWriter> PatchWriter::create(hid_t file) {
  PatchWriter writer;
  for (const Result<void>& made :
       {writer.patches_.create(file, patches::kGroup, "surfaces that two rigid bodies press through",
                               patches::fields()),
        writer.vertices_.create(file, patch_vertices::kGroup, "their vertices, polygon by polygon",
                                patch_vertices::fields()),
        writer.polygons_.create(file, patch_polygons::kGroup, "their convex polygons",
                                patch_polygons::fields())})
    if (!made) return made.error();
  return writer;
}

void PatchWriter::put(const std::vector<PressurePatch>& all) {
  // A place lies within 4 µm; pressures have three digits.
  constexpr float kPlaceUnit = 1 << 17;
  constexpr int kBits = 10;
  for (const PressurePatch& patch : all) {
    for (const PressurePatch::Vertex& vertex : patch.vertices) {
      for (const float x : vertex.p_W)
        vertices_.put(patch_vertices::Place, std::round(x * kPlaceUnit) / kPlaceUnit);
      vertices_.put(patch_vertices::Pressure, rounded(vertex.pressure, kBits));
    }
    std::int32_t begin = 0;
    for (const std::int32_t end : patch.polygonEnds)
      polygons_.put(patch_polygons::Vertices, static_cast<std::uint16_t>(end - std::exchange(begin, end)));
    const std::int32_t sides[] = {patch.geometry, patch.otherGeometry};
    patches_.put(patches::Sides, sides, 2);
    patches_.put<std::uint64_t>(patches::VertexEnd, vertices_.rows());
    patches_.put<std::uint64_t>(patches::PolygonEnd, polygons_.rows());
  }
}

Result<PatchReader> PatchReader::open(hid_t file) {
  PatchReader reader;
  for (const Result<void>& opened :
       {reader.patches_.open(file, patches::kGroup, patches::fields()),
        reader.vertices_.open(file, patch_vertices::kGroup, patch_vertices::fields()),
        reader.polygons_.open(file, patch_polygons::kGroup, patch_polygons::fields())})
    if (!opened) return opened.error();
  const auto byVertices = reader.patches_.rowsUpTo(patches::VertexEnd, reader.vertices_.rows());
  const auto byPolygons = reader.patches_.rowsUpTo(patches::PolygonEnd, reader.polygons_.rows());
  if (!byVertices) return byVertices.error();
  if (!byPolygons) return byPolygons.error();
  reader.patches_.keep(std::min(*byVertices, *byPolygons));
  return reader;
}

Result<std::vector<PressurePatch>> PatchReader::read(std::uint64_t from, std::uint64_t to) const {
  if (from > to || to > patches_.rows()) return misfit();
  std::vector<PressurePatch> read(to - from);
  if (read.empty()) return read;
  const std::uint64_t first = from > 0 ? from - 1 : 0;
  const auto sides = patches_.read<std::int32_t>(patches::Sides, from, to);
  const auto vertexEnds = patches_.read<std::uint64_t>(patches::VertexEnd, first, to);
  const auto polygonEnds = patches_.read<std::uint64_t>(patches::PolygonEnd, first, to);
  if (!sides) return sides.error();
  if (!vertexEnds) return vertexEnds.error();
  if (!polygonEnds) return polygonEnds.error();
  const std::vector<std::uint64_t> vertexAt = withBegin(*vertexEnds, from == 0),
                                   polygonAt = withBegin(*polygonEnds, from == 0);
  if (!isAscending(vertexAt, vertices_.rows()) || !isAscending(polygonAt, polygons_.rows())) return misfit();
  const auto places = vertices_.read<float>(patch_vertices::Place, vertexAt.front(), vertexAt.back());
  const auto pressures = vertices_.read<float>(patch_vertices::Pressure, vertexAt.front(), vertexAt.back());
  const auto counts =
      polygons_.read<std::uint16_t>(patch_polygons::Vertices, polygonAt.front(), polygonAt.back());
  if (!places) return places.error();
  if (!pressures) return pressures.error();
  if (!counts) return counts.error();
  for (std::size_t i = 0; i < read.size(); ++i) {
    PressurePatch& patch = read[i];
    patch.geometry = (*sides)[2 * i], patch.otherGeometry = (*sides)[2 * i + 1];
    for (std::uint64_t k = vertexAt[i] - vertexAt.front(); k < vertexAt[i + 1] - vertexAt.front(); ++k)
      patch.vertices.push_back(
          {{(*places)[3 * k], (*places)[3 * k + 1], (*places)[3 * k + 2]}, (*pressures)[k]});
    std::int32_t end = 0;
    for (std::uint64_t k = polygonAt[i] - polygonAt.front(); k < polygonAt[i + 1] - polygonAt.front(); ++k)
      patch.polygonEnds.push_back(end += (*counts)[k]);
    if (static_cast<std::size_t>(end) != patch.vertices.size()) return misfit();
  }
  return read;
}

}  // namespace slipstick::assets::recording
