#include "tests/support/soft_world.h"
#include "engine/model/cloth.h"

#include <cmath>
#include <random>

namespace slipstick::testing {
namespace {

constexpr double kSide = 0.3, kWater = 0.009, kDough = 0.010, kSand = 0.008;

std::shared_ptr<const ClothMesh> sheet(int cells, double thickness) {
  auto cloth = std::make_shared<ClothMesh>();
  const int n = cells + 1;
  cloth->vertices = n * n;
  const double edge = kSide / cells;
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = i + n * j;
      cloth->triangles.push_back({a, a + 1, a + n + 1});
      cloth->triangles.push_back({a, a + n + 1, a + n});
    }
  cloth->restInverse.assign(cloth->triangles.size(), Eigen::Matrix2d::Identity() / edge);
  cloth->volume.assign(cloth->triangles.size(), edge * edge / 2 * thickness);
  return cloth;
}

/// A cloth that hangs over the edge x = 0 in folds.
Vec3 draped(double u, double w) {
  const double x = kSide * (u - 0.5), y = kSide * (w - 0.5);
  const double over = std::max(0.0, x) / (kSide / 2), fold = 0.018 * over * std::sin(24 * y / kSide * 0.8);
  const double angle = std::min(std::max(0.0, x) / 0.04, 1.25);
  const double along = std::max(0.0, x - 0.04 * angle);
  const Vec3 bend(0.04 * std::sin(angle) + along * std::cos(angle) + fold, y * (1 - 0.12 * over),
                  -0.04 * (1 - std::cos(angle)) - along * std::sin(angle));
  return Vec3(-0.28, -0.05, 0.2) + (x < 0 ? Vec3(x, y, 0.003 * std::sin(40 * y) * std::cos(30 * x)) : bend);
}

struct Builder {
  Model& model;
  std::mt19937 random{11};

  void add(const Vec3& x, double volume) {
    model.nodes.x.push_back(x);
    model.nodes.volume.push_back(volume);
    model.nodes.mass.push_back(1000 * volume);
    model.nodes.v.push_back(Vec3::Zero());
    model.nodes.velocityGradient.push_back(Mat3::Zero());
  }
  template <class Inside>
  void fill(double spacing, const Vec3& lower, const Vec3& upper, Inside inside) {
    std::uniform_real_distribution<double> shake(-0.18, 0.18);
    for (double z = lower.z() + spacing / 2; z < upper.z(); z += spacing)
      for (double y = lower.y() + spacing / 2; y < upper.y(); y += spacing)
        for (double x = lower.x() + spacing / 2; x < upper.x(); x += spacing)
          if (inside(Vec3(x, y, z)))
            add(Vec3(x, y, z) + spacing * Vec3(shake(random), shake(random), shake(random)),
                spacing * spacing * spacing);
  }
  Deformable& begin(const char* name, MaterialModel material, double spacing, const Color& color) {
    Deformable d;
    d.name = name;
    d.material.model = material;
    d.material.E = 2e4;
    d.spacing = spacing;
    d.color = color;
    d.begin = static_cast<int>(model.nodes.x.size());
    model.deformables.push_back(d);
    return model.deformables.back();
  }
  void end() { model.deformables.back().end = static_cast<int>(model.nodes.x.size()); }
};

void addCloth(Builder& b, int cells) {
  Deformable& d = b.begin("cloth", MaterialModel::Cloth, 0.005, {0.30f, 0.055f, 0.075f, 1});
  d.material.thickness = 2e-3;
  const std::shared_ptr<const ClothMesh> mesh = sheet(cells, d.material.thickness);
  d.surface = surfaceOf(*mesh, d.material.thickness);
  d.discretization = mesh;
  std::vector<Vec3> x;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) x.push_back(draped(i / double(cells), j / double(cells)));
  for (const Vec3& vertex : x) b.add(vertex, 0);
  for (std::size_t t = 0; t < mesh->triangles.size(); ++t) {
    const Eigen::Vector3i& v = mesh->triangles[t];
    b.add((x[static_cast<std::size_t>(v[0])] + x[static_cast<std::size_t>(v[1])] +
           x[static_cast<std::size_t>(v[2])]) /
              3,
          mesh->volume[t]);
  }
  b.end();
}

void addWater(Builder& b) {
  Deformable& d = b.begin("water", MaterialModel::Liquid, kWater, {0.045f, 0.19f, 0.30f, 1});
  d.material.bulkModulus = 5e4;
  d.material.viscosity = 1e-3;
  d.draw = DrawStyle::Surface;
  const Vec3 center(0.06, -0.14, 0);
  b.fill(kWater, center - Vec3(0.12, 0.12, 0), center + Vec3(0.12, 0.12, 0.14), [&](const Vec3& x) {
    const double r = (x - center).head<2>().norm();
    return r < 0.11 && x.z() < 0.028 + 0.075 * std::exp(-r * r / 0.0012);
  });
  for (int i = 0; i < 14; ++i)  // a splash
    b.add(center + Vec3(0.07 * std::cos(i), 0.07 * std::sin(i), 0.06 + 0.004 * ((i * 5) % 14)),
          kWater * kWater * kWater);
  b.end();
}

void addDough(Builder& b) {
  Deformable& d = b.begin("dough", MaterialModel::CorotatedHenckyVonMises, kDough, {0.69f, 0.60f, 0.41f, 1});
  d.draw = DrawStyle::Surface;
  const Vec3 center(0.10, 0.16, 0.045);
  b.fill(kDough, center - Vec3(0.13, 0.08, 0.045), center + Vec3(0.13, 0.08, 0.05), [&](const Vec3& x) {
    const Vec3 r = x - center;
    const double neck = 1 - 0.55 * std::exp(-r.x() * r.x() / 0.0015);
    return r.head<2>().cwiseQuotient(Eigen::Vector2d(0.125, 0.07 * neck)).norm() < 1 &&
           std::abs(r.z()) < 0.042 * neck;
  });
  b.end();
}

void addSand(Builder& b) {
  b.begin("sand", MaterialModel::DruckerPrager, kSand, {0.58f, 0.42f, 0.24f, 1});
  const Vec3 center(-0.22, 0.22, 0);
  b.fill(kSand, center - Vec3(0.11, 0.11, 0), center + Vec3(0.11, 0.11, 0.08),
         [&](const Vec3& x) { return x.z() < 0.07 - 0.66 * (x - center).head<2>().norm(); });
  b.end();
}

void addBoundaries(Model& model) {
  Boundary clamp;
  clamp.name = "clamp";
  clamp.shape = shape::Box{Vec3(0.02, 0.16, 0.016)};
  clamp.X_PS = Pose::translation({-0.43, -0.05, 0.2});
  Boundary floor;
  floor.name = "floor";
  floor.kind = BoundaryKind::Separate;
  Boundary ball;
  ball.name = "ball";
  ball.kind = BoundaryKind::Slip;
  ball.shape = shape::Sphere{0.05};
  ball.path = 0;
  ball.from = 1;
  ball.until = 2;
  Path path;
  path.name = "ball_path";
  path.keys = {{0, Vec3(0.3, -0.1, 0.1), Quat::Identity()}, {2, Vec3(0.3, 0.1, 0.1), Quat::Identity()}};
  model.paths = {path};
  model.boundaries = {clamp, floor, ball};
}

}  // namespace

SoftWorld softWorld(int cells) {
  auto model = std::make_shared<Model>();
  model->name = "soft";
  model->title = "Cloth, water, dough and sand";
  model->gravity = {0, 0, -9.81};
  model->gridSpacing = 0.02;
  multibody::Joint joint;
  joint.name = "table_joint";
  joint.X_PJ = Pose::translation({-0.36, -0.05, 0.095});
  const int table = model->tree.add({.name = "table", .mass = 5}, joint);
  model->visuals.push_back({.name = "top",
                            .body = table,
                            .X_BV = {},
                            .shape = shape::Box{Vec3(0.1, 0.18, 0.095)},
                            .color = {0.35f, 0.36f, 0.39f, 1},
                            .finish = {}});
  model->robots.push_back({"table", "", table, table + 1});
  Builder builder{*model};
  addCloth(builder, cells);
  addWater(builder);
  addDough(builder);
  addSand(builder);
  addBoundaries(*model);
  for (Deformable& d : model->deformables) {
    d.materialIndex = static_cast<int>(model->materials.size());
    model->materials.push_back(d.name);
    model->tuning.materials.push_back(d.material);
    model->tuning.apicDamping.push_back(d.apicDamping);
  }
  for (const Boundary& b : model->boundaries) model->tuning.boundaryFriction.push_back(b.friction);
  model->parameters = parametersOf(*model);
  model->cameras.push_back({"front", {0.62, -0.95, 0.72}, {-0.03, 0.02, 0.06}, 36, {}});
  model->initialQ = model->tree.zeroPosition();
  model->initialV = VecX::Zero(model->tree.nv);
  return {model};
}

std::shared_ptr<const Snapshot> softSnapshot(const SoftWorld& world, double time) {
  const Model& model = *world.model;
  auto s = std::make_shared<Snapshot>();
  s->time = time;
  s->X_WB = {Pose{}, model.tree.joints[0].X_PJ};
  s->V_WB.assign(2, Velocity{});
  s->contactWrench.assign(2, Wrench{});
  s->q = model.initialQ;
  s->v = s->tau = model.initialV;
  for (const Deformable& d : model.deformables) {
    DeformableFacts facts{.lower = Vec3::Constant(1e9), .upper = Vec3::Constant(-1e9), .elasticEnergy = 0.25};
    for (auto i = static_cast<std::size_t>(d.begin); i < static_cast<std::size_t>(d.end); ++i) {
      const Vec3& x = model.nodes.x[i];
      s->particles.push_back(x.cast<float>());
      s->stress.push_back(static_cast<float>(2e3 * (x.x() + 0.5)));
      s->speed.push_back(static_cast<float>(x.z()));
      s->plasticStrain.push_back(0);
      const bool liquid = d.material.model == MaterialModel::Liquid;
      s->pressure.push_back(
          static_cast<float>(liquid ? 9810 * std::max(0.0, 0.1 - x.z()) : 4e4 * (x.x() - 0.1)));
      facts.center += x / (d.end - d.begin);
      facts.lower = facts.lower.cwiseMin(x);
      facts.upper = facts.upper.cwiseMax(x);
      facts.volume += model.nodes.volume[i];
    }
    s->deformables.push_back(facts);
  }
  s->boundaryForce = {Vec3(0, 0, -3), Vec3(0, 0, -40), Vec3(3, 0, 4)};
  return s;
}

}  // namespace slipstick::testing
