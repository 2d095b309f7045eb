// The whole program with its window, as a person with a decimal comma starts it.
#include <gtest/gtest.h>

#include <QApplication>
#include <QMessageBox>
#include <QTest>
#include <QTimer>
#include <fstream>
#include <functional>
#include <map>

#include "app/command_line.h"
#include "assets/robot_io.h"
#include "assets/scene_io.h"
#include "tests/support/comma_locale.h"
#include "tests/support/test_paths.h"
#include "ui/inspector.h"
#include "ui/main_window.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

constexpr int kPatience_ms = 60000;
constexpr double kGravity = -2.5;  // [m/s²] that is typed

/// What a person does once the window is there; Qt calls it when it has an application.
std::function<void(ui::MainWindow&)> visit;

ui::MainWindow* openedWindow() {
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (auto* window = qobject_cast<ui::MainWindow*>(widget); window && window->session().isOpen())
      return window;
  return nullptr;
}

/// Closes a window whose scene was edited, as a person does who does not want to keep that.
void leave(ui::MainWindow& window) {
  EXPECT_FALSE(window.close()) << "it asks first";
  EXPECT_FALSE(window.close());
  const auto boxes = window.findChildren<QMessageBox*>();
  EXPECT_EQ(boxes.size(), 1) << "once, however often it is told to close";
  if (boxes.empty()) return QApplication::exit(9);
  QTest::mouseClick(boxes.front()->button(QMessageBox::Discard), Qt::LeftButton);
  EXPECT_FALSE(window.isVisible());
}

void startVisit() {
  auto* clock = new QElapsedTimer;
  auto* timer = new QTimer(qApp);
  clock->start();
  QObject::connect(timer, &QTimer::timeout, [=] {
    ui::MainWindow* window = openedWindow();
    if (!window && clock->elapsed() < kPatience_ms) return;
    timer->stop();
    EXPECT_NE(window, nullptr) << "no scene was opened";
    if (!window) return QApplication::exit(9);
    visit(*window);
    leave(*window);
  });
  timer->start(20);
}

/// A scene with all that libraries read: YAML, URDF with a mesh, SDF; and a puck in free fall.
fs::path writeScene(const fs::path& folder) {
  fs::create_directories(folder);
  const std::string source = testing::sourceDir().string();
  const std::string arm = assets::readsSdf()
                              ? "sdf: " + source + "/tests/data/rigid/robots/models/frames_arm.sdf"
                              : std::string("urdf: arm7");
  std::ofstream(folder / "comma.yaml") << R"(title: numbers with a point
time: {dt_ms: 2.5, duration: 10.5}
grid: {spacing: 0.05}
materials:
  gel: {model: fixed_corotated, E: 1.5e4, nu: 0.3, density: 1000}
deformables:
  cube: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [0, 0, 50.5], sampling: {count: [4, 4, 4]}}
robots:
  slider: {urdf: )" << source << R"(/assets/robots/slider.urdf, position: [0.25, 0.5, 0.125]}
  arm: {)" << arm << R"(, position: [1.5, 0, 0]}
bodies:
  puck: {base: free, mass: 0.5, position: [3.5, 0, 50.5], shapes: [{name: ball, shape: sphere, radius: 0.05}]}
)";
  return folder / "comma.yaml";
}

/// Numbers of a model that each reader had a part in.
std::vector<double> numbersOf(const Model& model) {
  std::vector<double> values = {model.time.dt, model.gridSpacing};
  for (const multibody::Body& body : model.tree.bodies) {
    values.push_back(body.mass);
    values.insert(values.end(), {body.com.x(), body.com.y(), body.com.z(), body.inertia(0, 0)});
  }
  for (const Geometry& geometry : model.geometries)
    if (const auto* mesh = std::get_if<shape::Mesh>(&geometry.shape))
      for (const Vec3& v : mesh->mesh->vertices) values.insert(values.end(), {v.x(), v.y(), v.z()});
  return values;
}

ui::NumberField* fieldThatShows(ui::MainWindow& window, double value) {
  for (auto* field : window.panel<ui::Inspector>().findChildren<ui::NumberField*>())
    if (std::abs(field->value() - value) < 1e-9) return field;
  return nullptr;
}

bool eventually(const std::function<bool()>& condition) {
  QElapsedTimer clock;
  clock.start();
  while (!condition()) {
    if (clock.elapsed() > kPatience_ms) return false;
    QTest::qWait(10);
  }
  return true;
}

/// Acceleration of a body between two steps from now on [m/s²].
double acceleration(ui::MainWindow& window, std::size_t body) {
  const auto first = window.session().moment().shown();
  EXPECT_TRUE(eventually([&] { return window.session().moment().shown()->step >= first->step + 3; }));
  const auto second = window.session().moment().shown();
  return (second->V_WB[body].v.z() - first->V_WB[body].v.z()) / (second->time - first->time);
}

TEST(WindowUnderACommaLocale, OpensASceneTakesANumberAndShowsItBack) {
  const fs::path folder = fs::path(::testing::TempDir()) / "slipstick_comma";
  const std::string scene = writeScene(folder).string();
  const Result<assets::LoadedModel> expected = assets::loadModel(scene);
  ASSERT_TRUE(expected) << expected.error().message();

  const testing::CommaLocale comma;
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  bool visited = false;
  visit = [&](ui::MainWindow& window) {
    visited = true;
    const Model& model = *window.session().model();
    EXPECT_EQ(numbersOf(model), numbersOf(*expected->model));
    const auto puck = static_cast<std::size_t>(model.findBody("puck"));
    ui::NumberField* field = fieldThatShows(window, -9.81);
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->text(), "-9.81");
    EXPECT_EQ(window.panel<ui::Inspector>().factText("time step"), "2.50");
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, "-2.5");
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(field->value(), kGravity);
    EXPECT_EQ(field->text(), "-2.5");
    window.session().transport().runUntil(10);
    ASSERT_TRUE(eventually([&] { return window.session().moment().shown()->step >= 2; }));
    EXPECT_NEAR(acceleration(window, puck), kGravity, 1e-9);
    EXPECT_EQ(field->text(), "-2.5");
  };
  qAddPreRoutine(startVisit);
  std::string program = "slipstick", file = scene, set = "--set", override = "time.duration=20.5";
  std::array<char*, 5> words = {program.data(), file.data(), set.data(), override.data(), nullptr};
  EXPECT_EQ(app::runCommandLine(4, words.data()), 0);
  EXPECT_TRUE(visited);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace slipstick

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
