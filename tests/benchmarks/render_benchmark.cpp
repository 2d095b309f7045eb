// What a picture costs, as Markdown tables: our own calls (no glFinish; a software driver does some of its
// work inside them), and whole pictures, finished.
//
//   benchmark_render [--width N] [--height N] [--pictures N] [--to SECONDS] [--level N]
//
// Rows: the same frame again, the camera turned (what orbiting a paused scene costs), a new frame (what
// playing costs).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/scene_run.h"
#include "render/egl_context.h"
#include "render/gl_handles.h"
#include "render/renderer.h"

using namespace slipstick;
using namespace slipstick::render;

namespace {

struct Size {
  int width = 1600, height = 960;
};

/// One renderer in a context of its own, drawing into a texture.
class Canvas {
 public:
  explicit Canvas(Size size) : size_(size) {
    context_ = EglContext::create().value();
    color_ = makeTexture(GL_RGBA8, size.width, size.height);
    framebuffer_ = makeFramebuffer();
    glNamedFramebufferTexture(framebuffer_.name(), GL_COLOR_ATTACHMENT0, color_.name(), 0);
    renderer_ = Renderer::create().value();
  }
  Renderer& renderer() { return *renderer_; }
  void draw(const Frame& frame, const Camera& camera) {
    renderer_->draw(frame, camera, {}, {}, {framebuffer_.name(), size_.width, size_.height, 1});
  }

 private:
  Size size_;
  std::unique_ptr<EglContext> context_;
  Texture color_;
  Framebuffer framebuffer_;
  std::unique_ptr<Renderer> renderer_;
};

struct Subject {
  std::string name;
  std::shared_ptr<const Model> model;
  Frame frame;
  Camera camera;
};

Subject loadedScene(const std::string& name, double to) {
  app::SceneOptions options;
  options.scene = name;
  options.quiet = true;
  auto run = app::openRun(options, Detail::Particles).value();
  while (run->snapshot().step < run->stepsTo(to))
    if (!run->step().ok()) break;
  FrameInput input;
  input.model = run->model();
  input.snapshot = std::make_shared<const Snapshot>(run->snapshot());
  Subject subject{name, input.model, buildFrame(input), {}};
  if (!input.model->cameras.empty()) subject.camera = Camera::from(input.model->cameras.front());
  return subject;
}

/// The scene's bodies around a block of particles on a lattice, coloured by a value.
Subject withSpheres(Subject subject, int along) {
  auto soft = std::make_shared<SoftParts>();
  const float spacing = 0.4f / static_cast<float>(along);
  for (int i = 0; i < along * along * along; ++i) {
    const Eigen::Vector3i cell(i % along, i / along % along, i / along / along);
    soft->particles.push_back(spacing *
                              (cell.cast<float>() + Eigen::Vector3f(-0.5f * along, -0.5f * along, 1)));
    soft->values.push_back(static_cast<float>(cell.x()));
    soft->box.extend(soft->particles.back());
  }
  soft->scale = {0, 1.f / static_cast<float>(along), false};
  soft->spheres = {{0, along * along * along, 0.54f * spacing, Eigen::Vector3f::Ones(), true}};
  subject.frame.soft = soft;
  subject.name = std::to_string(soft->particles.size()) + " spheres";
  return subject;
}

/// A frame with other arrays, which hold the same.
Frame copyOf(const Frame& frame) {
  Frame copy = frame;
  copy.soft = std::make_shared<const SoftParts>(*frame.soft);
  copy.contact = std::make_shared<const ContactParts>(*frame.contact);
  return copy;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

struct Cost {
  double calls = 0, picture = 0, work = 0;  ///< medians; work: of all threads [ms]
};

Cost measure(int pictures, const std::function<void()>& prepare, const std::function<void()>& draw) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point from) {
    return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
  };
  std::vector<double> calls, whole, work;
  for (int i = 0; i < pictures; ++i) {
    prepare();
    glFinish();
    const auto from = Clock::now();
    const std::clock_t workFrom = std::clock();
    draw();
    calls.push_back(since(from));
    glFinish();
    whole.push_back(since(from));
    work.push_back(1e3 * static_cast<double>(std::clock() - workFrom) / CLOCKS_PER_SEC);
  }
  return {median(calls), median(whole), median(work)};
}

void report(Canvas& canvas, const Subject& subject, int pictures) {
  canvas.renderer().setModel(subject.model);
  Frame frame = subject.frame;
  Camera camera = subject.camera;
  const auto draw = [&] { canvas.draw(frame, camera); };
  draw();
  const auto row = [&](const char* what, const std::function<void()>& prepare) {
    const Cost cost = measure(pictures, prepare, draw);
    std::printf("| %s | %s | %.2f | %.1f | %.1f | %.1f |\n", subject.name.c_str(), what, cost.calls,
                cost.picture, cost.work, 1000 / cost.picture);
  };
  row("same again", [] {});
  row("camera turned", [&] { camera.yaw += 0.01; });
  row("new frame", [&] { frame = copyOf(subject.frame); });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("What a picture costs");
  Size size;
  int pictures = 15;
  double to = 1;
  std::size_t level = 0;
  program.add_option("--width", size.width, "of the picture [px]");
  program.add_option("--height", size.height, "of the picture [px]");
  program.add_option("--pictures", pictures, "per row")->check(CLI::PositiveNumber);
  program.add_option("--to", to, "when dough_rolling is drawn [s]");
  program.add_option("--level", level, "of quality, 0 the full one")
      ->check(CLI::Range(std::size_t{0}, qualityLevels().size() - 1));
  CLI11_PARSE(program, argc, argv);
  Canvas canvas(size);
  canvas.renderer().setQuality(qualityLevels()[level].quality);
  std::printf("%s, %d x %d px, medians of %d\n\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)),
              size.width, size.height, pictures);
  std::printf(
      "| what | picture | our calls [ms] | whole picture [ms] | CPU time of all threads [ms] | pictures/s "
      "|\n|---|---|---|---|---|---|\n");
  const Subject dough = loadedScene("dough_rolling", to);
  report(canvas, dough, pictures);
  report(canvas, withSpheres(dough, 59), pictures);
  return 0;
}
