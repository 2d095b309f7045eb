#include "app/display_shapes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "engine/facts/looks.h"
#include "render/shapes.h"

namespace slipstick::app {

namespace {

using assets::DisplayMesh;
using assets::DisplayShape;
using render::DrawMesh;
using render::DrawVertex;

constexpr std::size_t kMaxParts = 64;

/// Numbers that tell what a thing looks like.
using Signature = std::vector<double>;

template <class Vector>
void append(Signature& signature, const Vector& v) {
  for (Eigen::Index i = 0; i < v.size(); ++i) signature.push_back(static_cast<double>(v[i]));
}

Signature signatureOf(const Shape& shape) {
  Signature signature = {static_cast<double>(shape.index())};
  const auto add = [&signature](const auto& s) {
    using S = std::decay_t<decltype(s)>;
    if constexpr (std::is_same_v<S, shape::Sphere>) signature.push_back(s.radius);
    if constexpr (std::is_same_v<S, shape::Box>) append(signature, s.halfExtents);
    if constexpr (std::is_same_v<S, shape::Ellipsoid>) append(signature, s.radii);
    if constexpr (std::is_same_v<S, shape::Capsule> || std::is_same_v<S, shape::Cylinder>)
      signature.insert(signature.end(), {s.radius, s.length});
  };
  std::visit(add, shape);
  return signature;
}

const TriangleMesh* meshOf(const Shape& shape) {
  const auto* mesh = std::get_if<shape::Mesh>(&shape);
  return mesh ? mesh->mesh.get() : nullptr;
}

/// Vertices that are equal become one.
void weld(const DrawMesh& drawn, DisplayMesh& mesh, std::vector<std::uint32_t>& indexOf) {
  std::map<std::array<float, 6>, std::uint32_t> known;
  for (const DrawVertex& v : drawn.vertices) {
    const std::array<float, 6> key = {v.position.x(), v.position.y(), v.position.z(),
                                      v.normal.x(),   v.normal.y(),   v.normal.z()};
    const auto [place, isNew] = known.try_emplace(key, static_cast<std::uint32_t>(mesh.positions.size()));
    indexOf.push_back(place->second);
    if (!isNew) continue;
    mesh.positions.push_back(v.position);
    const float length = v.normal.norm();
    mesh.normals.push_back(length > 0 ? Eigen::Vector3f(v.normal / length) : Eigen::Vector3f::UnitZ());
  }
}

/// A triangle looks like its first corner.
void addParts(const DrawMesh& drawn, const std::vector<std::uint32_t>& indexOf, DisplayMesh& mesh) {
  std::map<Signature, std::size_t> partOf;
  for (std::size_t t = 0; t + 2 < drawn.indices.size(); t += 3) {
    const DrawVertex& first = drawn.vertices[drawn.indices[t]];
    Signature look = {static_cast<double>(first.finish.roughness),
                      static_cast<double>(first.finish.metallic)};
    append(look, first.color);
    const auto [place, isNew] = partOf.try_emplace(look, mesh.parts.size());
    if (isNew) mesh.parts.push_back({first.color, first.finish, {}});
    for (std::size_t k = 0; k < 3; ++k)
      mesh.parts[place->second].indices.push_back(indexOf[drawn.indices[t + k]]);
  }
}

void makeOnePart(DisplayMesh& mesh) {
  DisplayMesh::Part whole;
  whole.finish = mesh.parts.front().finish;
  Color sum = Color::Zero();
  for (const DisplayMesh::Part& part : mesh.parts) {
    sum += static_cast<float>(part.indices.size()) * part.color;
    whole.indices.insert(whole.indices.end(), part.indices.begin(), part.indices.end());
  }
  whole.color = sum / static_cast<float>(whole.indices.size());
  mesh.parts = {whole};
}

std::shared_ptr<const DisplayMesh> displayMesh(const Visual& visual, const std::optional<Color>& recolored) {
  DrawMesh drawn = render::tessellate(visual.shape);
  const TriangleMesh* given = meshOf(visual.shape);
  const bool hasOwnFinish = given && !given->finishes.empty();
  for (DrawVertex& v : drawn.vertices) {
    v.color = recolored ? *recolored : Color(v.color.cwiseProduct(visual.color));
    if (!hasOwnFinish) v.finish = visual.finish;
  }
  auto mesh = std::make_shared<DisplayMesh>();
  std::vector<std::uint32_t> indexOf;
  weld(drawn, *mesh, indexOf);
  addParts(drawn, indexOf, *mesh);
  if (mesh->parts.size() > kMaxParts) makeOnePart(*mesh);
  return mesh;
}

}  // namespace

std::vector<DisplayShape> displayShapesOf(const Model& model) {
  const Looks looks = looksOf(model);
  std::map<std::pair<const TriangleMesh*, Signature>, std::shared_ptr<const DisplayMesh>> known;
  std::vector<DisplayShape> shapes;
  for (const Visual& visual : model.visuals) {
    const LookSpec& look = looks.body(visual.body);
    if (!look.visible) continue;
    Signature signature = signatureOf(visual.shape);
    append(signature, look.color.value_or(visual.color));
    signature.insert(signature.end(), {static_cast<double>(visual.finish.roughness),
                                       static_cast<double>(visual.finish.metallic), look.color ? 1.0 : 0.0});
    std::shared_ptr<const DisplayMesh>& mesh = known[{meshOf(visual.shape), signature}];
    if (!mesh) mesh = displayMesh(visual, look.color);
    if (!mesh->parts.empty()) shapes.push_back({visual.name, visual.body, visual.X_BV, mesh});
  }
  return shapes;
}

}  // namespace slipstick::app
