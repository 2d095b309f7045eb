// How long a large robot takes to open, and whether the window answers meanwhile: a humanoid of 40 links with a mesh of
// 5,000 triangles to see and one of 1,000 to touch each, opened by a shown window.
// `tests/support/with_display build/release/bin/benchmark_loading [TIMES]`
#include <QApplication>
#include <QTest>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "app/mesh_child.h"
#include "app/studio_services.h"
#include "tests/benchmarks/loop_watch.h"
#include "ui/main_window.h"
#include "ui/theme.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kLinks = 40, kLimbs = 4;
constexpr double kLength = 0.12, kRadius = 0.05;  // of a link [m]

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A point of a barrel with ripples, no two links' alike.
std::array<float, 3> pointAt(int link, double u, double v) {
  const double angle = 2 * std::numbers::pi * u;
  const double radius = kRadius * std::sin(std::numbers::pi * v) *
                        (1 + 0.1 * std::sin((3 + link % 7) * angle)) * (1 + 0.002 * link);
  return {static_cast<float>(radius * std::cos(angle)), static_cast<float>(radius * std::sin(angle)),
          static_cast<float>(kLength * v)};
}

/// A closed binary STL with about so many triangles.
void writeBarrel(const fs::path& file, int link, int triangles) {
  const int around = static_cast<int>(std::sqrt(triangles)), along = triangles / (2 * around) + 1;
  std::vector<std::array<std::array<float, 3>, 3>> list;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < along; ++j) {
      const auto at = [&](int a, int b) {
        return pointAt(link, static_cast<double>(a % around) / around, static_cast<double>(b) / along);
      };
      if (j + 1 < along) list.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      if (j > 0) list.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
    }
  std::ofstream out(file, std::ios::binary);
  const std::string head(80, ' ');
  const auto count = static_cast<std::uint32_t>(list.size());
  out << head;
  out.write(reinterpret_cast<const char*>(&count), sizeof count);
  for (const auto& triangle : list) {
    const std::array<float, 3> normal{};
    const std::uint16_t none = 0;
    out.write(reinterpret_cast<const char*>(normal.data()), sizeof normal);
    out.write(reinterpret_cast<const char*>(triangle.data()), sizeof triangle);
    out.write(reinterpret_cast<const char*>(&none), sizeof none);
  }
}

/// Four limbs of ten links each on a trunk.
fs::path writeHumanoid(const fs::path& folder, int seed) {
  fs::create_directories(folder);
  std::ofstream urdf(folder / "humanoid.urdf");
  urdf << "<robot name='humanoid'>\n<link name='trunk'/>\n";
  for (int i = 0; i < kLinks; ++i) {
    const std::string name = "link" + std::to_string(i), seen = name + ".stl", touched = name + "_hull.stl";
    writeBarrel(folder / seen, i + seed, 5000);
    writeBarrel(folder / touched, i + seed, 1000);
    const bool first = i % (kLinks / kLimbs) == 0;
    const double turn = 2 * std::numbers::pi * i / kLinks;
    urdf << "<link name='" << name << "'><inertial><origin xyz='0 0 0.06'/><mass value='1'/>"
         << "<inertia ixx='2e-3' ixy='0' ixz='0' iyy='2e-3' iyz='0' izz='1e-3'/></inertial>"
         << "<visual><geometry><mesh filename='" << seen << "'/></geometry></visual>"
         << "<collision><geometry><mesh filename='" << touched << "'/></geometry></collision></link>\n"
         << "<joint name='joint" << i << "' type='revolute'><parent link='"
         << (first ? "trunk" : "link" + std::to_string(i - 1)) << "'/><child link='" << name
         << "'/><origin xyz='"
         << (first ? std::to_string(0.2 * std::cos(turn)) + " " + std::to_string(0.2 * std::sin(turn)) + " 1"
                   : "0 0 0.14")
         << "'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='50' velocity='5'/></joint>\n";
  }
  urdf << "</robot>\n";
  return folder / "humanoid.urdf";
}

struct Opened {
  double shown = 0;              ///< from the wish to the first picture of it [s]
  double median = 0, worst = 0;  ///< gaps of the event loop meanwhile [ms]
};

Opened open(ui::MainWindow& window, const fs::path& file) {
  bool isFailed = false, isPainted = false;
  QObject::connect(&window.session().messages(), &ui::Messages::failed, &window, [&](const Error& error) {
    std::fprintf(stderr, "%s\n", error.message().c_str());
    isFailed = true;
  });
  const auto before = window.session().isOpen() ? window.session().model() : nullptr;
  const auto painted = QObject::connect(&window.viewport(), &ui::Viewport::painted, &window, [&] {
    isPainted |= window.session().isOpen() && window.session().model() != before;
  });
  LoopWatch loop;
  const Clock::time_point begin = Clock::now();
  window.session().opener().open(QString::fromStdString(file.string()));
  while (!isPainted && !isFailed) QTest::qWait(5);
  const Opened opened{secondsSince(begin), loop.gap(0.5), loop.gap(1)};
  QObject::disconnect(painted);
  return opened;
}

}  // namespace
}  // namespace slipstick

int main(int argc, char** argv) {
  using namespace slipstick;
  // Meshes are read by children of the program that asks: of this one.
  if (argc > 1 && std::string_view(argv[1]) == "read-meshes") return app::readMeshes();
  app::readMeshesInChildren();
  ui::Viewport::requestOpenGl();
  QApplication qt(argc, argv);
  ui::applyTheme(ui::Appearance::Dark);
  const int times = argc > 1 ? std::atoi(argv[1]) : 3;
  const fs::path folder = fs::temp_directory_path() / "slipstick_humanoid";
  std::printf("%d links, 5,000 + 1,000 triangles each\n%-26s %9s %9s %12s\n", kLinks, "", "shown [s]",
              "gap p50", "largest [ms]");
  for (int i = 0; i < times; ++i) {
    const fs::path file = writeHumanoid(folder, 100 * i);
    ui::MainWindow window(app::studioServices({}), QSize(1600, 960), false);
    window.show();
    if (!QTest::qWaitForWindowExposed(&window)) return 1;
    QTest::qWait(500);
    for (const char* how : {"for the first time", "again, its meshes known"}) {
      const Opened opened = open(window, file);
      std::printf("%-26s %9.2f %9.1f %12.1f\n", how, opened.shown, opened.median, opened.worst);
      std::fflush(stdout);
    }
  }
  fs::remove_all(folder);
}
