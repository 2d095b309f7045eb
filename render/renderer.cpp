#include "render/renderer.h"

#include <algorithm>
#include <cstring>

#include "render/depth_slices.h"
#include "render/driver.h"
#include "render/layers.h"
#include "render/palette.h"
#include "render/pick_buffer.h"
#include "render/scene_target.h"
#include "render/selected_bodies.h"
#include "render/selection_outline.h"
#include "render/shadows.h"
#include "render/visibility.h"

namespace slipstick::render {
namespace {

/// A software driver pays for every texel that it clears and fills.
int shadowSize() {
  return drawsInSoftware() ? 1024 : 2048;
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
  view.mode = {0.5f * static_cast<float>(options.backdrop()), pixel, static_cast<float>(target.pixelRatio),
               options.transparentBackground ? 1.f : 0.f};
  return view;
}

/// What is drawn for a target that shows it enlarged.
Target smaller(Target target, int divisor) {
  target.width = (target.width + divisor - 1) / divisor;
  target.height = (target.height + divisor - 1) / divisor;
  target.pixelRatio /= divisor;
  return target;
}

/// Around the particles at the start; empty without any.
Eigen::AlignedBox3f softBox(const Model& model) {
  Eigen::AlignedBox3f box;
  for (const Vec3& x : model.nodes.x) box.extend(x.cast<float>());
  return box;
}

/// Which half of what the plane cuts is kept, see ViewBlock::section: the one behind it, seen from the
/// camera.
Eigen::Vector4f sectionPlane(const Eigen::AlignedBox3f& box, const Camera& camera,
                             const ViewOptions& options) {
  if (options.section == Section::None || box.isEmpty()) return Eigen::Vector4f::UnitW();
  const Eigen::Vector3f eye = camera.eye().cast<float>();
  Eigen::Vector3f normal = (camera.target.cast<float>() - eye).normalized(),
                  through = camera.target.cast<float>();
  if (options.section != Section::Facing) {
    normal = Eigen::Vector3f::Unit(static_cast<int>(options.section) - static_cast<int>(Section::X));
    through = box.center();
  }
  through += static_cast<float>(options.sectionOffset) * 0.5f * normal.cwiseAbs().dot(box.sizes()) * normal;
  if (normal.dot(eye - through) > 0) normal = -normal;
  return append(normal, -normal.dot(through));
}

template <class T>
bool sameBytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool samePoses(const std::vector<Pose>& a, const std::vector<Pose>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Pose& x, const Pose& y) { return x.R == y.R && x.p == y.p; });
}

bool sameSurfaces(const std::vector<BoundarySurface>& a, const std::vector<BoundarySurface>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.boundary == y.boundary && x.kind == y.kind && x.selected == y.selected && x.pitch == y.pitch &&
           x.color == y.color && sameBytes(x.triangles, y.triangles);
  });
}

bool sameGhosts(const std::vector<Ghost>& a, const std::vector<Ghost>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Ghost& x, const Ghost& y) {
    return x.color == y.color && x.radius == y.radius && samePoses(x.X_WB, y.X_WB) &&
           sameBytes(x.particles, y.particles);
  });
}

bool sameLooks(const std::shared_ptr<const Looks>& a, const std::shared_ptr<const Looks>& b) {
  return a == b || (a && b && *a == *b);
}

bool sameView(const ViewBlock& a, const ViewBlock& b) {
  return a.clipFromWorld == b.clipFromWorld && a.eye == b.eye && a.viewport == b.viewport &&
         a.mode == b.mode && a.target == b.target;
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

void blend() {
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

}  // namespace

struct Renderer::Impl {
  std::shared_ptr<const Model> model;
  Eigen::AlignedBox3f atRest;  ///< softBox()
  std::vector<std::unique_ptr<Layer>> layers;
  SceneTarget target;
  Visibility visibility;
  SelectionOutline outline;
  ShadowMap shadowMap{shadowSize()};
  PickBuffer pickBuffer;
  VertexArray empty = makeVertexArray();
  Buffer viewBuffer = makeBuffer(), lightBuffer = makeBuffer();
  Quality quality;

  // Of the last picture: what the next one need not do again, and for picking.
  bool drawn = false, shadowsDrawn = false;
  ViewBlock view;
  Frame frame;
  ViewOptions options;
  Selection selection;

  Result<void> build();
  Inputs changesOf(const Picture& picture, const ViewBlock& next) const;
  void update(const Picture& picture, const ViewBlock& next);
  Eigen::AlignedBox3f casters() const;
  void lightFor(const Eigen::AlignedBox3f& casters);
  void drawStage(Stage stage, Pass pass) const;
  void drawShadows();
  void drawVisibility() const;
  void drawScene();
  void drawTransparent();
  void drawOver() const;
  void drawOutline() const;
  void drawIds(std::initializer_list<Stage> stages) const;
  /// Until it is false: only for stages whose shaders write gl_ClipDistance[0].
  void cutOpen(bool on) const {
    (on && options.section != Section::None ? glEnable : glDisable)(GL_CLIP_DISTANCE0);
  }
  void useView(const Buffer& buffer) const { glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer.name()); }
  Selection selectionOf(const PickId& id) const;
  bool shaded() const { return options.shadows && quality.shadows; }
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
  take(layers, makeLayers());
  take(target, SceneTarget::create());
  take(visibility, Visibility::create());
  take(outline, SelectionOutline::create());
  return status;
}

/// The frame's parts were kept, so that no address of theirs is one of others now.
Inputs Renderer::Impl::changesOf(const Picture& picture, const ViewBlock& next) const {
  Inputs changed;
  changed.poses = !samePoses(frame.X_WB, picture.frame.X_WB);
  changed.soft = frame.soft != picture.frame.soft;
  changed.contact = frame.contact != picture.frame.contact;
  changed.boundaries = !sameSurfaces(frame.boundaries, picture.frame.boundaries);
  changed.ghosts = !sameGhosts(frame.ghosts, picture.frame.ghosts) || frame.goals != picture.frame.goals;
  changed.trails = frame.trails != picture.frame.trails;
  changed.camera = !sameView(view, next);
  changed.options = !(options == picture.options) || !sameLooks(frame.looks, picture.frame.looks);
  changed.selection = !(selection == picture.selection);
  return changed;
}

void Renderer::Impl::update(const Picture& picture, const ViewBlock& next) {
  const Inputs changed = changesOf(picture, next);
  for (const auto& layer : layers)
    if (!drawn || layer->reads().meets(changed)) layer->update(picture);
  const bool sectionMoves = changed.camera && picture.options.section != Section::None;
  shadowsDrawn =
      shadowsDrawn && drawn && !changed.poses && !changed.soft && !changed.options && !sectionMoves;
  view = next;
  options = picture.options;
  selection = picture.selection;
  if (!drawn || changed.poses) frame.X_WB = picture.frame.X_WB;
  if (!drawn || changed.boundaries) frame.boundaries = picture.frame.boundaries;
  if (!drawn || changed.ghosts) {
    frame.ghosts = picture.frame.ghosts;
    frame.goals = picture.frame.goals;
  }
  if (!drawn || changed.trails) frame.trails = picture.frame.trails;
  frame.looks = picture.frame.looks;
  frame.soft = picture.frame.soft;
  frame.contact = picture.frame.contact;
}

Eigen::AlignedBox3f Renderer::Impl::casters() const {
  Eigen::AlignedBox3f box;
  for (const auto& layer : layers) {
    const Eigen::AlignedBox3f part = layer->casters();
    if (!part.isEmpty()) box.extend(part);
  }
  if (box.isEmpty()) box.extend(Eigen::Vector3f::Zero());
  return box;
}

/// Fits the shadow map; the radii of occlusion follow from the size of what deforms, or else of everything.
void Renderer::Impl::lightFor(const Eigen::AlignedBox3f& box) {
  ViewBlock light = shadowMap.fit(box, view.key.head<3>(), view);
  view.shadow.z() = std::max(1.35f, kSoftness / view.shadow.y());
  const float soft = atRest.isEmpty() ? 0 : atRest.diagonal().norm();
  const float size = std::max(soft, 0.25f * box.diagonal().norm());
  view.occlusion = {0.2f * size, 0.06f * size, quality.occlusion ? 1.f : 0.f,
                    quality.softShadows ? 1.f : 0.f};
  light.section = view.section;
  glNamedBufferData(lightBuffer.name(), sizeof(ViewBlock), &light, GL_STREAM_DRAW);
  glNamedBufferData(viewBuffer.name(), sizeof(ViewBlock), &view, GL_STREAM_DRAW);
}

void Renderer::Impl::drawStage(Stage stage, Pass pass) const {
  for (const auto& layer : layers) layer->draw(stage, pass);
}

void Renderer::Impl::drawShadows() {
  useView(lightBuffer);
  shadowMap.begin();
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(2.f, 2.f);
  drawStage(Stage::Shadow, Pass::Depth);
  glDisable(GL_POLYGON_OFFSET_FILL);
  shadowsDrawn = true;
}

void Renderer::Impl::drawVisibility() const {
  visibility.begin();
  drawStage(Stage::Opaque, Pass::Depth);
  shadowMap.bindTexture(1);
  visibility.compute(empty);
}

void Renderer::Impl::drawScene() {
  target.begin();
  if (shaded())
    visibility.bindTexture(0);
  else
    visibility.bindFull(0);
  drawStage(Stage::Opaque, Pass::Shade);
  if (options.transparentBackground) target.coverDrawn(empty);
}

/// Depth first, then colour: of a transparent robot or a liquid only the nearest surface shows, not its inner
/// parts.
void Renderer::Impl::drawTransparent() {
  if (std::any_of(layers.begin(), layers.end(), [](const auto& layer) { return layer->refracts(); }))
    target.resolveBehind();
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  drawStage(Stage::Transparent, Pass::Depth);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthFunc(GL_LEQUAL);
  blend();
  drawStage(Stage::Transparent, Pass::Shade);
}

void Renderer::Impl::drawOver() const {
  blend();
  cutOpen(true);
  drawStage(Stage::SeenThrough, Pass::Shade);
  drawOutline();
  cutOpen(false);
  drawStage(Stage::Over, Pass::Shade);
  const InFront front;
  drawStage(Stage::OnTop, Pass::Shade);
}

void Renderer::Impl::drawOutline() const {
  if (!hasOutline(selection)) return;
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  outline.begin();
  drawStage(Stage::Outline, Pass::Depth);
  target.bindDisplay();
  glEnable(GL_BLEND);
  outline.draw(empty, options.tokens().stick);
  glEnable(GL_DEPTH_TEST);
}

void Renderer::Impl::drawIds(std::initializer_list<Stage> stages) const {
  for (const Stage stage : stages) drawStage(stage, Pass::Id);
}

Selection Renderer::Impl::selectionOf(const PickId& id) const {
  for (const auto& layer : layers)
    if (const std::optional<Selection> selected = layer->selectionOf(id)) return *selected;
  return {};
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
  Impl& r = *impl_;
  r.model = std::move(model);
  r.drawn = false;
  if (!r.model) return;
  r.atRest = softBox(*r.model);
  for (const auto& layer : r.layers) layer->setModel(*r.model);
}

void Renderer::setQuality(const Quality& quality) {
  impl_->shadowsDrawn = impl_->shadowsDrawn && quality.shadows;
  impl_->quality = quality;
}

void Renderer::draw(const Frame& frame, const Camera& camera, const ViewOptions& options,
                    const Selection& selection, const Target& target) {
  Impl& r = *impl_;
  if (!r.model || target.width <= 0 || target.height <= 0) return;
  SIM_REQUIRE(frame.X_WB.size() == r.model->tree.bodies.size(), frame.X_WB.size(),
              r.model->tree.bodies.size());
  setOpaqueState();
  const Target drawn = smaller(target, r.quality.divisor);
  r.target.resize(drawn.width, drawn.height, r.quality.samples);
  r.visibility.resize(drawn.width, drawn.height);
  r.outline.resize(drawn.width, drawn.height);
  r.update({*r.model, frame, camera, options, selection}, viewBlock(camera, options, drawn));
  const Eigen::AlignedBox3f casters = r.casters();
  r.view.section = sectionPlane(frame.soft->box.isEmpty() ? casters : frame.soft->box, camera, options);
  r.lightFor(casters);
  r.cutOpen(true);
  if (r.shaded() && !r.shadowsDrawn) r.drawShadows();
  r.useView(r.viewBuffer);
  if (r.shaded()) r.drawVisibility();
  r.drawScene();
  r.drawTransparent();
  r.cutOpen(false);
  r.target.toDisplay(r.empty);
  r.drawOver();
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(0);
  glUseProgram(0);
  r.target.resolveTo(target.framebuffer, target.width, target.height);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  r.drawn = true;
}

void Renderer::drawSurfaces(const Frame& frame, const Camera& camera, const ViewOptions& options,
                            const SurfaceTarget& target) {
  Impl& r = *impl_;
  if (!r.model || target.width <= 0 || target.height <= 0) return;
  setOpaqueState();
  r.update({*r.model, frame, camera, options, {}},
           viewBlock(camera, options, {target.framebuffer, target.width, target.height, 1}));
  const Eigen::AlignedBox3f casters = r.casters();
  r.view.section = sectionPlane(frame.soft->box.isEmpty() ? casters : frame.soft->box, camera, options);
  r.lightFor(casters);
  r.useView(r.viewBuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glViewport(0, 0, target.width, target.height);
  const GLuint nothing[4] = {0, 0, 0, 0};
  const GLfloat nowhere[4] = {0, 0, 0, 0};
  glClearBufferuiv(GL_COLOR, 0, nothing);
  glClearBufferfv(GL_COLOR, 1, nowhere);
  glClear(GL_DEPTH_BUFFER_BIT);
  r.cutOpen(true);
  r.drawIds({Stage::Opaque, Stage::Transparent, Stage::Unpicked});
  r.cutOpen(false);
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(0);
  glUseProgram(0);
  r.drawn = true;
}

std::optional<Picked> Renderer::pick(double u, double v, Pickable pickable) {
  Impl& r = *impl_;
  if (!r.drawn || u < 0 || u > 1 || v < 0 || v > 1) return std::nullopt;
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  glEnable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glDepthFunc(GL_LESS);
  r.useView(r.viewBuffer);
  auto hit = r.pickBuffer.pick(u, v, r.view, [&r, pickable] {
    r.cutOpen(true);
    r.drawIds({Stage::Opaque, Stage::Transparent});
    r.cutOpen(false);
    if (pickable == Pickable::Surfaces) return;
    r.drawIds({Stage::Over});
    const InFront front;
    r.drawIds({Stage::OnTop});
  });
  // One looks through some things: they are meant only where nothing else is.
  if (!hit) hit = r.pickBuffer.pick(u, v, r.view, [&r] { r.drawIds({Stage::SeenThrough}); });
  glDisable(GL_DEPTH_TEST);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
  if (!hit) return std::nullopt;
  return Picked{r.selectionOf(hit->id), hit->p_W};
}

}  // namespace slipstick::render
