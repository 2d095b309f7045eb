#include "render/renderer.h"

#include <algorithm>
#include <cstring>

#include "render/arrows.h"
#include "render/boundaries.h"
#include "render/ground.h"
#include "render/mesh_buffers.h"
#include "render/palette.h"
#include "render/particles.h"
#include "render/patches.h"
#include "render/pick_buffer.h"
#include "render/selection_outline.h"
#include "render/shadows.h"
#include "render/soft_meshes.h"
#include "render/strokes.h"
#include "render/trails.h"
#include "render/visibility.h"

namespace slipstick::render {
namespace {

constexpr int kSamples = 4;
/// Things drawn on top live in the first slice of the depth range: still right among themselves.
constexpr double kOnTop = 0.02;

/// A software driver pays for every texel that it clears and fills.
int shadowSize() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const bool software = name && (std::strstr(name, "llvmpipe") || std::strstr(name, "softpipe"));
  return software ? 1024 : 2048;
}

/// Half width of the shadow's soft edge as a part of the shadow map.
constexpr float kSoftness = 1.6e-3f;

Eigen::Vector3f keyDirection() {
  return Eigen::Vector3f(-0.46f, -0.5f, 0.82f).normalized();
}

ViewBlock viewBlock(const Camera& camera, const ViewOptions& options, const Target& target) {
  ViewBlock view;
  const auto width = static_cast<float>(target.width), height = static_cast<float>(target.height);
  view.viewFromWorld = camera.view();
  view.clipFromView = camera.projection(static_cast<double>(width / height));
  view.clipFromWorld = view.clipFromView * view.viewFromWorld;
  view.eye = append(camera.eye().cast<float>(), 0);
  view.viewport = {width, height, 1 / width, 1 / height};
  view.key = append(keyDirection(), 0);
  const Eigen::Vector3f back = view.viewFromWorld.row(2).head<3>().transpose();
  const Eigen::Vector3f right = view.viewFromWorld.row(0).head<3>().transpose();
  view.fill = append((back + 0.9f * right + 0.35f * Eigen::Vector3f::UnitZ()).normalized(), 0);
  view.rim = append((-back - 0.7f * right + 0.9f * Eigen::Vector3f::UnitZ()).normalized(), 0);
  view.shadow = {0, 0, 0, 0};
  view.target = append(camera.target.cast<float>(), static_cast<float>(camera.distance));
  const float pixel = 2 / (view.clipFromView(1, 1) * height);
  view.mode = {options.whiteBackground ? 1.f : 0.f, pixel, static_cast<float>(target.pixelRatio), 0};
  return view;
}

/// One arrow per movable axis, and a sphere per centre of mass, sized by the view.
struct Markers {
  std::vector<Arrow> axes;
  std::vector<Eigen::Vector3f> centers;
  SphereRange spheres;  ///< all of them
};

Markers markersOf(const Model& model, const Frame& frame, const ViewOptions& options, double distance) {
  Markers markers;
  for (const multibody::Joint& joint : model.tree.joints) {
    if (!options.joints || multibody::velocityCount(joint.type) != 1) continue;
    const Pose X_WJ = frame.X_WB[static_cast<std::size_t>(joint.parent)] * joint.X_PJ;
    Arrow arrow;
    arrow.vector = (0.09 * distance * (X_WJ.R * joint.axis)).cast<float>();
    arrow.from = X_WJ.p.cast<float>() - arrow.vector / 2;
    arrow.color = append(linear(palette::kAxis), 1);
    markers.axes.push_back(arrow);
  }
  for (std::size_t b = 1; options.centersOfMass && b < model.tree.bodies.size(); ++b) {
    if (!(model.tree.bodies[b].mass > 0)) continue;
    markers.centers.push_back((frame.X_WB[b] * model.tree.bodies[b].com).cast<float>());
  }
  markers.spheres.count = static_cast<int>(markers.centers.size());
  markers.spheres.radius = static_cast<float>(0.009 * distance);
  markers.spheres.color = linear(palette::kBookmark);
  return markers;
}

/// Everything that drawing relies on: the caller's toolkit may have left any of it otherwise.
void setOpaqueState() {
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_MULTISAMPLE);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

}  // namespace

struct Renderer::Impl {
  std::shared_ptr<const Model> model;
  MeshBuffers meshes;
  Spheres particles, centersOfMass;
  SoftMeshes softMeshes;
  Boundaries boundaries;
  Arrows arrows, jointAxes;
  Patches patches;
  Strokes frictionStrokes, outlines, trails;
  Ground ground;
  Visibility visibility;
  SelectionOutline outline;
  ShadowMap shadowMap{shadowSize()};
  PickBuffer pickBuffer;
  VertexArray empty = makeVertexArray();
  Buffer viewBuffer = makeBuffer(), lightBuffer = makeBuffer();
  int width = 0, height = 0, samples = kSamples;
  Texture color, depth;
  Framebuffer framebuffer;

  // Of the last frame, for picking.
  bool drawn = false;
  ViewBlock view;
  ViewOptions options;
  std::vector<Selection> arrowSelections;
  std::vector<SphereRange> spheres;
  SphereRange centerSpheres;
  ColorScale scale;

  Result<void> build();
  void resize(int w, int h);
  void update(const Frame& frame, const Camera& camera, const Selection& selection);
  Eigen::AlignedBox3f casters(const Frame& frame) const;
  void updateSpheres(const Frame& frame);
  void drawSpheres(Pass pass) const;
  void drawShadows(const Frame& frame);
  void drawVisibility() const;
  void drawScene() const;
  void drawTransparent() const;
  void drawOverlays() const;
  void drawOutline(const Selection& selection) const;
  void useView(const Buffer& buffer) const { glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer.name()); }
  Selection selectionOf(const PickId& id) const;
  bool floorShown() const { return options.ground && model->showGround; }
  auto floorHeight() const { return static_cast<float>(model->groundHeight); }
};

Result<void> Renderer::Impl::build() {
  Result<void> status;
  const auto take = [&status](auto& part, auto made) {
    if (!status.ok()) return;
    if (made)
      part = std::move(made).value();
    else
      status = made.error();
  };
  take(meshes, MeshBuffers::create());
  take(particles, Spheres::create());
  take(centersOfMass, Spheres::create());
  take(softMeshes, SoftMeshes::create());
  take(boundaries, Boundaries::create());
  take(arrows, Arrows::create());
  take(jointAxes, Arrows::create());
  take(patches, Patches::create());
  take(frictionStrokes, Strokes::create());
  take(outlines, Strokes::create());
  take(trails, Strokes::create());
  take(ground, Ground::create());
  take(visibility, Visibility::create());
  take(outline, SelectionOutline::create());
  GLint most = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  samples = std::min(kSamples, most);
  return status;
}

void Renderer::Impl::resize(int w, int h) {
  visibility.resize(w, h);
  outline.resize(w, h);
  if (w == width && h == height) return;
  width = w;
  height = h;
  color = makeTexture(GL_RGBA8, w, h, GL_NEAREST, samples);
  depth = makeTexture(GL_DEPTH_COMPONENT24, w, h, GL_NEAREST, samples);
  framebuffer = makeFramebuffer();
  glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, color.name(), 0);
  glNamedFramebufferTexture(framebuffer.name(), GL_DEPTH_ATTACHMENT, depth.name(), 0);
}

void Renderer::Impl::update(const Frame& frame, const Camera& camera, const Selection& selection) {
  meshes.update(*model, frame, options, selection);
  updateSpheres(frame);
  softMeshes.update(*model, frame.soft->meshes);
  boundaries.update(frame.boundaries);
  arrows.update(frame.contact->arrows, frame.contact->marks);
  patches.update(frame.contact->patches, camera.eye().cast<float>());
  frictionStrokes.update(frame.contact->strokes);
  outlines.update(frame.contact->outlines);
  trails.update(strokesOf(frame.trails));
  arrowSelections.clear();
  for (const Arrow& arrow : frame.contact->arrows) arrowSelections.push_back(arrow.selects);
  const Markers markers = markersOf(*model, frame, options, camera.distance);
  jointAxes.update(markers.axes, {});
  centersOfMass.update(markers.centers, {});
  centerSpheres = markers.spheres;
}

/// Straight from the device, where the particles are on the one that draws; else what the host has of them.
void Renderer::Impl::updateSpheres(const Frame& frame) {
  const SoftParts& soft = *frame.soft;
  spheres = soft.spheres;
  scale = soft.scale;
  if (spheres.empty()) return;
  if (soft.source && particles.update(*soft.source, soft.particles.size(), soft.column)) return;
  particles.update(soft.particles, soft.values);
}

Eigen::AlignedBox3f Renderer::Impl::casters(const Frame& frame) const {
  Eigen::AlignedBox3f box;
  for (std::size_t i = 0; i < model->visuals.size(); ++i) {
    const Eigen::AlignedBox3f& local = meshes.bounds()[i];
    if (local.isEmpty()) continue;
    const Visual& visual = model->visuals[i];
    const Pose X_WV = frame.X_WB[static_cast<std::size_t>(visual.body)] * visual.X_BV;
    for (int k = 0; k < 8; ++k)
      box.extend((X_WV * local.corner(static_cast<Eigen::AlignedBox3f::CornerType>(k)).cast<double>())
                     .cast<float>());
  }
  if (!frame.soft->box.isEmpty()) box.extend(frame.soft->box);
  if (box.isEmpty()) box.extend(Eigen::Vector3f::Zero());
  return box;
}

void Renderer::Impl::drawSpheres(Pass pass) const {
  for (const SphereRange& range : spheres) particles.draw(pass, range, scale);
}

void Renderer::Impl::drawShadows(const Frame& frame) {
  const ViewBlock light = shadowMap.fit(casters(frame), view.key.head<3>(), view);
  view.shadow.z() = std::max(1.35f, kSoftness / view.shadow.y());
  glNamedBufferData(lightBuffer.name(), sizeof(ViewBlock), &light, GL_STREAM_DRAW);
  useView(lightBuffer);
  shadowMap.begin();
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(2.f, 2.f);
  meshes.draw(Pass::Depth, MeshSet::Opaque);
  softMeshes.drawOpaque(Pass::Depth);
  softMeshes.drawLiquids(Pass::Depth);
  glDisable(GL_POLYGON_OFFSET_FILL);
  drawSpheres(Pass::Depth);
}

void Renderer::Impl::drawVisibility() const {
  visibility.begin();
  meshes.draw(Pass::Depth, MeshSet::Opaque);
  softMeshes.drawOpaque(Pass::Depth);
  softMeshes.drawLiquids(Pass::Depth);
  drawSpheres(Pass::Depth);
  if (floorShown()) ground.drawFloor(Pass::Depth, floorHeight(), empty);
  shadowMap.bindTexture(1);
  visibility.compute(empty);
}

void Renderer::Impl::drawScene() const {
  if (options.shadows)
    visibility.bindTexture(0);
  else
    visibility.bindFull(0);
  if (options.wireframe) glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  meshes.draw(Pass::Shade, MeshSet::Opaque);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  softMeshes.drawOpaque(Pass::Shade);
  softMeshes.drawEdges();
  drawSpheres(Pass::Shade);
  if (floorShown()) ground.drawFloor(Pass::Shade, floorHeight(), empty);
  glDepthFunc(GL_LEQUAL);
  ground.drawBackground(empty);
}

/// Depth first, then colour: of a transparent robot or a liquid only the nearest surface shows, not its inner
/// parts.
void Renderer::Impl::drawTransparent() const {
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  meshes.draw(Pass::Depth, MeshSet::Transparent);
  softMeshes.drawLiquids(Pass::Depth);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  meshes.draw(Pass::Shade, MeshSet::Transparent);
  softMeshes.drawLiquids(Pass::Shade);
  boundaries.draw(Pass::Shade);
}

void Renderer::Impl::drawOverlays() const {
  patches.draw();
  frictionStrokes.draw();
  trails.draw();
  glDepthRange(0, kOnTop);
  centersOfMass.draw(Pass::Shade, centerSpheres, {});
  jointAxes.draw(Pass::Shade);
  glDepthRange(0, options.forcesOnTop ? kOnTop : 1);
  outlines.draw();
  arrows.drawMarks();
  arrows.draw(Pass::Shade);
  glDepthRange(0, 1);
}

void Renderer::Impl::drawOutline(const Selection& selection) const {
  if (!selection.body && !selection.deformable && !selection.boundary) return;
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  outline.begin();
  meshes.draw(Pass::Depth, MeshSet::Selected);
  const auto count = static_cast<std::int32_t>(model->deformables.size());
  if (selection.deformable && *selection.deformable >= 0 && *selection.deformable < count) {
    const int first = model->deformables[static_cast<std::size_t>(*selection.deformable)].begin;
    for (const SphereRange& range : spheres)
      if (range.first == first) particles.draw(Pass::Depth, range, scale);
    softMeshes.drawDeformable(Pass::Depth, *selection.deformable);
  }
  boundaries.drawSelected(Pass::Depth);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
  glViewport(0, 0, width, height);
  glEnable(GL_BLEND);
  outline.draw(empty);
  glEnable(GL_DEPTH_TEST);
}

Selection Renderer::Impl::selectionOf(const PickId& id) const {
  Selection selection;
  const auto index = static_cast<std::int32_t>(id.index);
  if (id.kind == PickKind::Body) selection.body = index;
  if (id.kind == PickKind::Boundary) selection.boundary = index;
  if (id.kind == PickKind::Arrow) selection = arrowSelections[id.index];
  if (id.kind == PickKind::Particle)
    for (std::size_t d = 0; d < model->deformables.size(); ++d)
      if (index >= model->deformables[d].begin && index < model->deformables[d].end)
        selection.deformable = static_cast<std::int32_t>(d);
  return selection;
}

Renderer::Renderer() = default;
Renderer::~Renderer() = default;

Result<std::unique_ptr<Renderer>> Renderer::create() {
  if (epoxy_gl_version() < 45)
    return Error{ErrorCode::DeviceFailure, "OpenGL 4.5 is needed, this context offers less",
                 "graphics driver", "update the driver, or set LIBGL_ALWAYS_SOFTWARE=1 to draw in software"};
  std::unique_ptr<Renderer> renderer(new Renderer);
  renderer->impl_ = std::make_unique<Impl>();
  if (const Result<void> built = renderer->impl_->build(); !built.ok()) return built.error();
  return renderer;
}

void Renderer::setModel(std::shared_ptr<const Model> model) {
  impl_->model = std::move(model);
  impl_->drawn = false;
  if (impl_->model) impl_->meshes.setModel(*impl_->model);
}

void Renderer::draw(const Frame& frame, const Camera& camera, const ViewOptions& options,
                    const Selection& selection, const Target& target) {
  Impl& r = *impl_;
  if (!r.model || target.width <= 0 || target.height <= 0) return;
  SIM_REQUIRE(frame.X_WB.size() == r.model->tree.bodies.size(), frame.X_WB.size(),
              r.model->tree.bodies.size());
  r.options = options;
  r.view = viewBlock(camera, options, target);
  r.resize(target.width, target.height);
  r.update(frame, camera, selection);
  setOpaqueState();
  if (options.shadows) r.drawShadows(frame);
  glNamedBufferData(r.viewBuffer.name(), sizeof(ViewBlock), &r.view, GL_STREAM_DRAW);
  r.useView(r.viewBuffer);
  if (options.shadows) r.drawVisibility();
  glBindFramebuffer(GL_FRAMEBUFFER, r.framebuffer.name());
  glViewport(0, 0, target.width, target.height);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  r.drawScene();
  r.drawTransparent();
  r.drawOutline(selection);
  r.drawOverlays();
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(0);
  glUseProgram(0);
  glBlitNamedFramebuffer(r.framebuffer.name(), target.framebuffer, 0, 0, target.width, target.height, 0, 0,
                         target.width, target.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  r.drawn = true;
}

std::optional<Picked> Renderer::pick(double u, double v) {
  Impl& r = *impl_;
  if (!r.drawn || u < 0 || u > 1 || v < 0 || v > 1) return std::nullopt;
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  glEnable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glDepthFunc(GL_LESS);
  r.useView(r.viewBuffer);
  auto hit = r.pickBuffer.pick(u, v, r.view, [&r] {
    r.meshes.draw(Pass::Id, MeshSet::Opaque);
    r.meshes.draw(Pass::Id, MeshSet::Transparent);
    r.softMeshes.drawOpaque(Pass::Id);
    r.softMeshes.drawLiquids(Pass::Id);
    r.drawSpheres(Pass::Id);
    glDepthRange(0, r.options.forcesOnTop ? kOnTop : 1);
    r.arrows.draw(Pass::Id);
    glDepthRange(0, 1);
  });
  // One looks through boundaries: they are meant only where nothing else is.
  if (!hit) hit = r.pickBuffer.pick(u, v, r.view, [&r] { r.boundaries.draw(Pass::Id); });
  glDisable(GL_DEPTH_TEST);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
  if (!hit) return std::nullopt;
  return Picked{r.selectionOf(hit->id), hit->p_W};
}

}  // namespace slipstick::render
