#include "render/mesh_buffers.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "render/affine_rows.h"
#include "render/palette.h"
#include "render/pick_id.h"
#include "render/selected_bodies.h"
#include "render/shapes.h"

namespace slipstick::render {
namespace {

constexpr std::string_view kVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 vertexColor;
layout(location = 3) in vec4 row0;
layout(location = 4) in vec4 row1;
layout(location = 5) in vec4 row2;
layout(location = 6) in vec4 color;
layout(location = 7) in uvec2 id;
layout(location = 8) in vec2 vertexFinish;
#ifdef TEXTURED
layout(location = 9) in vec2 vertexUv;
out vec2 uv;
#endif
out vec3 p;
out vec3 n;
out vec4 c;
out vec2 finish;
flat out uvec2 what;
void main() {
  mat4 X = transpose(mat4(row0, row1, row2, vec4(0.0, 0.0, 0.0, 1.0)));
  p = (X * vec4(position, 1.0)).xyz;
  n = mat3(X) * normal;
  c = (id.y & 2u) != 0u ? color : color * vertexColor;
  finish = vertexFinish;
#ifdef TEXTURED
  uv = vertexUv;
#endif
  what = id;
  gl_ClipDistance[0] = kept(p);
  vec3 seen = (id.y & 4u) != 0u ? mix(p, eye.xyz, 0.001) : p;
  gl_Position = clipFromWorld * vec4(seen, 1.0);
}
)";

constexpr std::string_view kFragment = R"(
in vec3 p;
in vec3 n;
in vec4 c;
in vec2 finish;
flat in uvec2 what;
#ifdef TEXTURED
in vec2 uv;
layout(binding = 8) uniform sampler2D colorMap;
layout(binding = 9) uniform sampler2D finishMap;
layout(binding = 10) uniform sampler2D normalMap;

// How p changes on the surface with u and with v follows from how all three change between pixels.
vec3 bumped(vec3 n, vec2 tilt) {
  vec3 px = dFdx(p), py = dFdy(p);
  vec2 ux = dFdx(uv), uy = dFdy(uv);
  vec3 a = cross(py, n), b = cross(n, px);
  vec3 along = a * ux.x + b * uy.x, down = a * ux.y + b * uy.y;
  float facing = dot(n, cross(px, py)) < 0.0 ? -1.0 : 1.0;
  float longest = max(dot(along, along), dot(down, down));
  if (longest < 1e-30) return n;
  vec3 across = (along * tilt.x - down * tilt.y) * (facing * inversesqrt(longest));
  return normalize(n * sqrt(max(1.0 - dot(tilt, tilt), 0.01)) + across);
}
#endif
#ifdef SHADE
layout(location = 0) out vec4 pixel;
void main() {
  vec3 albedo = c.rgb;
  vec2 worn = finish;
#ifdef TEXTURED
  vec3 mapped = texture(finishMap, uv).rgb;
  vec2 tilt = texture(normalMap, uv).rg * (255.0 / 127.0) - 128.0 / 127.0;
  if ((what.y & 2u) == 0u) albedo *= texture(colorMap, uv).rgb;
  worn *= mapped.gb;
#endif
  if ((what.y & 1u) != 0u) albedo = mix(albedo, vec3(0.036, 0.468, 0.807), 0.07);
  vec3 normal = normalize(n);
  vec2 seen = visibility(p, normal);
#ifdef TEXTURED
  vec3 relief = bumped(normal, tilt);
  seen.x *= mapped.r;
#endif
  // Where a section opens a body one sees its inner side: drawn as if the body were solid there.
  if (section.xyz != vec3(0.0) && dot(normal, eye.xyz - p) < 0.0) {
    normal = -section.xyz;
    albedo *= 0.55;
    seen = vec2(1.0, 0.35);
  }
#ifdef TEXTURED
  else normal = relief;
#endif
  pixel = vec4(light(albedo, worn, p, normal, seen), c.a);
}
#elif defined(ID)
layout(location = 0) out uint pixel;
void main() {
  pixel = what.x;
  tellFace(p, n);
}
#endif
)";

std::vector<bool> bodiesOfRobots(const Model& model) {
  std::vector<bool> robot(model.tree.bodies.size(), false);
  for (const Robot& r : model.robots)
    for (int b = r.firstBody; b < r.endBody; ++b) robot[static_cast<std::size_t>(b)] = !r.file.empty();
  return robot;
}

const TriangleMesh* meshOf(const Shape& shape) {
  const auto* mesh = std::get_if<shape::Mesh>(&shape);
  return mesh ? mesh->mesh.get() : nullptr;
}

bool hasOwnFinish(const Shape& shape) {
  const TriangleMesh* mesh = meshOf(shape);
  return mesh && !mesh->finishes.empty();
}

/// By a box in the frame of a visual.
void extend(Eigen::AlignedBox3f& box, const Pose& X_WV, const Eigen::AlignedBox3f& local) {
  for (int k = 0; !local.isEmpty() && k < 8; ++k)
    box.extend(
        (X_WV * local.corner(static_cast<Eigen::AlignedBox3f::CornerType>(k)).cast<double>()).cast<float>());
}

/// A level plane in the place of the studio's floor that has no colour of its own is that floor; both at once would flicker.
bool isStudioFloor(const Picture& picture, const Visual& visual, const Pose& X_WV) {
  constexpr double kLevel = 1e-6, kSameHeight = 1e-4;  // of the cosine; [m]
  return picture.options.ground && picture.model.showGround &&
         std::holds_alternative<shape::Plane>(visual.shape) && visual.color == Visual().color &&
         X_WV.R(2, 2) > 1 - kLevel && std::abs(X_WV.p.z() - picture.model.groundHeight) < kSameHeight;
}

}  // namespace

Result<MeshBuffers> MeshBuffers::create() {
  MeshBuffers m;
  Result<PassPrograms> programs = createPasses("mesh", kVertex, kFragment);
  if (!programs) return programs.error();
  m.programs_ = std::move(programs).value();
  constexpr std::string_view kTextured = "#define TEXTURED\n";
  Result<Program> textured = Program::create("textured mesh", std::string(kTextured) + std::string(kVertex),
                                             std::string(kTextured) + std::string(kFragment));
  if (!textured) return textured.error();
  m.textured_ = std::move(textured).value();
  m.array_ = makeVertexArray();
  m.texturedArray_ = makeVertexArray();
  m.vertices_ = makeBuffer();
  m.uvs_ = makeBuffer();
  m.indices_ = makeBuffer();
  m.instances_ = makeBuffer();
  m.commands_ = makeBuffer();
  for (const VertexArray* array : {&m.array_, &m.texturedArray_}) {
    bindAttributes(*array, 0, m.vertices_, sizeof(DrawVertex), 0,
                   {{0, 3, offsetof(DrawVertex, position)},
                    {1, 3, offsetof(DrawVertex, normal)},
                    {2, 4, offsetof(DrawVertex, color)},
                    {8, 2, offsetof(DrawVertex, finish)}});
    bindAttributes(*array, 1, m.instances_, sizeof(Instance), 1,
                   {{3, 4, 0},
                    {4, 4, 16},
                    {5, 4, 32},
                    {6, 4, offsetof(Instance, color)},
                    {7, 2, offsetof(Instance, id), true}});
    glVertexArrayElementBuffer(array->name(), m.indices_.name());
  }
  bindAttributes(m.texturedArray_, 2, m.uvs_, sizeof(Eigen::Vector2f), 0, {{9, 2, 0}});
  return m;
}

void MeshBuffers::setModel(const Model& model) {
  DrawMesh all;
  ranges_.clear();
  bounds_.clear();
  textures_.beginList();
  const auto append = [&](const Shape& shape, const Finish& finish) {
    DrawMesh mesh = tessellate(shape);
    if (!hasOwnFinish(shape))
      for (DrawVertex& v : mesh.vertices) v.finish = finish;
    addRanges(shape, static_cast<GLuint>(all.indices.size()), static_cast<GLuint>(mesh.indices.size()),
              static_cast<GLuint>(all.vertices.size()));
    if (!mesh.uvs.empty()) {
      all.uvs.resize(all.vertices.size(), Eigen::Vector2f::Zero());
      all.uvs.insert(all.uvs.end(), mesh.uvs.begin(), mesh.uvs.end());
    }
    Eigen::AlignedBox3f box;
    if (!std::holds_alternative<shape::Plane>(shape))
      for (const DrawVertex& v : mesh.vertices) box.extend(v.position);
    bounds_.push_back(box);
    all.vertices.insert(all.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    all.indices.insert(all.indices.end(), mesh.indices.begin(), mesh.indices.end());
  };
  for (const Visual& visual : model.visuals) append(visual.shape, visual.finish);
  for (const Geometry& geometry : model.geometries) append(geometry.shape, {});
  append(shape::Box{Vec3::Ones()}, {});
  textures_.endList();
  upload(uvs_, all.uvs, GL_STATIC_DRAW);
  upload(vertices_, all.vertices, GL_STATIC_DRAW);
  upload(indices_, all.indices, GL_STATIC_DRAW);
}

/// Splits the triangles of a shape into runs of the same images.
void MeshBuffers::addRanges(const Shape& shape, GLuint firstIndex, GLuint indexCount, GLuint firstVertex) {
  std::vector<Range>& ranges = ranges_.emplace_back();
  GLuint done = 0;
  const auto plainUntil = [&](GLuint index) {
    if (index > done) ranges.push_back({firstIndex + done, index - done, firstVertex});
  };
  const TriangleMesh* mesh = meshOf(shape);
  if (mesh && mesh->uvs.size() == mesh->vertices.size())
    for (const TexturedPart& part : mesh->textured) {
      const auto first = static_cast<GLuint>(3 * part.firstTriangle),
                 count = static_cast<GLuint>(3 * part.triangleCount);
      plainUntil(first);
      ranges.push_back({firstIndex + first, count, firstVertex, textures_.add(part.maps)});
      done = first + count;
    }
  plainUntil(indexCount);
}

void MeshBuffers::update(const Picture& picture) {
  instanceData_.clear();
  casters_.setEmpty();
  wireframe_ = picture.options.wireframe;
  for (auto& set : sets_) set.clear();
  const std::vector<bool> selected = selectedBodies(picture.model, picture.selection);
  if (picture.options.collisionShapes != CollisionShapes::Alone) addVisuals(picture, selected);
  if (picture.options.collisionShapes != CollisionShapes::None) addCollisionShapes(picture, selected);
  if (picture.options.inertia) addInertiaBoxes(picture);
  uploadSets();
}

void MeshBuffers::addVisuals(const Picture& picture, const std::vector<bool>& selected) {
  const Model& model = picture.model;
  const std::vector<bool> clear =
      picture.options.transparentRobots ? bodiesOfRobots(model) : std::vector<bool>();
  for (std::size_t i = 0; i < model.visuals.size(); ++i) {
    const Visual& visual = model.visuals[i];
    const auto body = static_cast<std::size_t>(visual.body);
    const LookSpec& look = picture.frame.lookOf(visual.body);
    if (!look.visible) continue;
    const Pose X_WV = picture.frame.X_WB[body] * visual.X_BV;
    if (!look.color && isStudioFloor(picture, visual, X_WV)) continue;
    extend(casters_, X_WV, bounds_[i]);
    Instance instance;
    instance.rows = rowsOf(X_WV);
    instance.color = look.color.value_or(visual.color);
    if (!clear.empty() && clear[body]) instance.color.w() *= 0.28f;
    instance.id = {PickId{PickKind::Body, static_cast<std::uint32_t>(body)}.encode(),
                   (selected[body] ? kSelectedBit : 0) | (look.color ? kRecoloredBit : 0)};
    add(instance, ranges_[i], selected[body]);
  }
}

/// In one colour of their own, and seen through where they lie over the shapes that one sees. A plane has no end
/// that one could see.
void MeshBuffers::addCollisionShapes(const Picture& picture, const std::vector<bool>& selected) {
  const Model& model = picture.model;
  const bool isOver = picture.options.collisionShapes == CollisionShapes::Over;
  for (std::size_t i = 0; i < model.geometries.size(); ++i) {
    const Geometry& geometry = model.geometries[i];
    const auto body = static_cast<std::size_t>(geometry.body);
    if (!picture.frame.lookOf(geometry.body).visible) continue;
    if (isOver && std::holds_alternative<shape::Plane>(geometry.shape)) continue;
    const Pose X_WG = picture.frame.X_WB[body] * geometry.X_BG;
    const std::size_t range = model.visuals.size() + i;
    if (!isOver) extend(casters_, X_WG, bounds_[range]);
    Instance instance;
    instance.rows = rowsOf(X_WG);
    instance.color = append(linear(picture.options.tokens().collision), isOver ? 0.45f : 1.f);
    instance.id = {PickId{PickKind::Body, static_cast<std::uint32_t>(body)}.encode(),
                   (selected[body] ? kSelectedBit : 0) | kRecoloredBit | (isOver ? kOverBit : 0)};
    add(instance, ranges_[range], selected[body]);
  }
}

void MeshBuffers::add(const Instance& instance, const std::vector<Range>& ranges, bool selected) {
  const MeshSet set = instance.color.w() < 0.995f ? MeshSet::Transparent : MeshSet::Opaque;
  for (const Range& range : ranges) {
    const MappedCommand command{range.maps,
                                {range.indexCount, 1, range.firstIndex, range.firstVertex,
                                 static_cast<GLuint>(instanceData_.size())}};
    sets_[static_cast<std::size_t>(set)].push_back(command);
    if (selected) sets_[static_cast<std::size_t>(MeshSet::Selected)].push_back(command);
  }
  instanceData_.push_back(instance);
}

void MeshBuffers::uploadSets() {
  std::vector<Command> commands;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    std::stable_sort(sets_[s].begin(), sets_[s].end(),
                     [](const MappedCommand& a, const MappedCommand& b) { return a.maps < b.maps; });
    slices_[s].clear();
    for (const MappedCommand& drawn : sets_[s]) {
      if (slices_[s].empty() || slices_[s].back().maps != drawn.maps)
        slices_[s].push_back({commands.size(), 0, drawn.maps});
      ++slices_[s].back().count;
      commands.push_back(drawn.command);
    }
  }
  upload(instances_, instanceData_);
  upload(commands_, commands);
}

/// The box of uniform density with the body's mass and inertia: half extents a² = 3 (I₂ + I₃ − I₁) / (2 m).
void MeshBuffers::addInertiaBoxes(const Picture& picture) {
  const Model& model = picture.model;
  const Frame& frame = picture.frame;
  const std::vector<Range>& box = ranges_.back();
  for (std::size_t b = 1; b < model.tree.bodies.size(); ++b) {
    const multibody::Body& body = model.tree.bodies[b];
    if (!(body.mass > 0) || !frame.lookOf(static_cast<int>(b)).visible) continue;
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(body.inertia);
    const Vec3 I = principal.eigenvalues();
    const Vec3 half = ((Vec3::Constant(I.sum()) - 2 * I) * 1.5 / body.mass).cwiseMax(1e-8).cwiseSqrt();
    const Mat3 A = frame.X_WB[b].R * principal.eigenvectors() * half.asDiagonal();
    const Vec3 center = frame.X_WB[b] * body.com;
    Instance instance;
    instance.rows = rowsOf(A, center);
    instance.color = append(linear(picture.options.tokens().axis), 0.4f);
    instance.id = {PickId{PickKind::Body, static_cast<std::uint32_t>(b)}.encode(), 0};
    add(instance, box, false);
  }
}

void MeshBuffers::draw(Stage stage, Pass pass) const {
  if (stage == Stage::Opaque && pass == Pass::Shade && wireframe_) glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  if (stage == Stage::Shadow || stage == Stage::Opaque) draw(pass, MeshSet::Opaque);
  if (stage == Stage::Transparent) draw(pass, MeshSet::Transparent);
  if (stage == Stage::Outline) draw(pass, MeshSet::Selected);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

std::optional<Selection> MeshBuffers::selectionOf(const PickId& id) const {
  if (id.kind != PickKind::Body) return std::nullopt;
  return SelectedBody{static_cast<std::int32_t>(id.index)};
}

void MeshBuffers::draw(Pass pass, MeshSet set) const {
  const std::vector<Slice>& slices = slices_[static_cast<std::size_t>(set)];
  if (slices.empty()) return;
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, commands_.name());
  const auto drawCommands = [](std::size_t first, std::size_t count) {
    glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT,
                                reinterpret_cast<const void*>(first * sizeof(Command)),
                                static_cast<GLsizei>(count), 0);
  };
  const bool shades = pass == Pass::Shade;
  const Slice &first = slices.front(), &last = slices.back();
  if (!shades || first.maps == kNoMaps) {
    programs_[static_cast<std::size_t>(pass)].use();
    glBindVertexArray(array_.name());
    drawCommands(first.first, (shades ? first.count : last.first + last.count - first.first));
  }
  if (shades && last.maps != kNoMaps) {
    textured_.use();
    glBindVertexArray(texturedArray_.name());
    for (const Slice& slice : slices) {
      if (slice.maps == kNoMaps) continue;
      textures_.bind(slice.maps);
      drawCommands(slice.first, slice.count);
    }
  }
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
}

}  // namespace slipstick::render
