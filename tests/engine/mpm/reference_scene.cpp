#include "tests/engine/mpm/reference_scene.h"

#include "engine/mpm/particle_state.h"
#include "tests/engine/mpm/json_values.h"

namespace slipstick::testing {
namespace {

Shape shapeOf(const nlohmann::json& j) {
  const std::string type = j.at("type");
  if (type == "sphere") return shape::Sphere{j.at("radius")};
  if (type == "box") return shape::Box{vec3(j.at("half_extents"))};
  if (type == "capsule") return shape::Capsule{j.at("radius"), j.at("length")};
  if (type == "cylinder") return shape::Cylinder{j.at("radius"), j.at("length")};
  EXPECT_EQ(type, "plane");
  return shape::Plane{};
}

void addBody(const nlohmann::json& j, ReferenceScene& scene) {
  ReferenceBody body;
  body.X_WB = {mat3(j.at("R")), vec3(j.at("p"))};
  body.V_WB = {vec3(j.at("w")), vec3(j.at("v"))};
  if (!j.at("mass").is_null()) {
    body.mass = j.at("mass").get<double>();
    body.inertia_B = mat3(j.at("inertia"));
  }
  for (const auto& g : j.at("geometries")) {
    Geometry geometry;
    geometry.body = static_cast<int>(scene.bodies.size());
    geometry.X_BG = {mat3(g.at("R_BG")), vec3(g.at("p_BG"))};
    geometry.shape = shapeOf(g.at("shape"));
    scene.model->geometries.push_back(geometry);
    scene.model->contactLaws.push_back({true, g.at("mu"), g.at("stiffness"), g.at("dissipation")});
  }
  scene.bodies.push_back(body);
}

}  // namespace

void ReferenceBody::advance(double step, const Wrench& impulse, const Vec3& gravity) {
  if (mass) {
    const Mat3 inertia = X_WB.R * inertia_B * X_WB.R.transpose();
    V_WB.v += step * gravity + impulse.force / *mass;
    V_WB.w += inertia.inverse() * (impulse.torque - step * V_WB.w.cross(inertia * V_WB.w));
  }
  X_WB.p += step * V_WB.v;
  const double angle = step * V_WB.w.norm();
  if (angle > 0) X_WB.R = Eigen::AngleAxisd(angle, V_WB.w.normalized()).toRotationMatrix() * X_WB.R;
}

ReferenceScene::ReferenceScene(const nlohmann::json& scene, double relativeTolerance)
    : model(std::make_shared<Model>()), dt(scene.at("dt")), substepsPerStep(scene.value("N", 1)) {
  model->gravity = vec3(scene.at("gravity"));
  model->time.dt = dt;
  model->time.substeps = 1;
  model->gridSpacing = scene.at("h");
  model->stictionSpeed = 1e-3;
  model->stictionSoftness = 1e-3;
  model->solver.relativeTolerance = relativeTolerance;
  model->solver.lagIterations = 0;  // the reference programs take the step before for granted
  const std::size_t n = scene.at("x").size();
  const double mass = scene.at("mass_each"), volume = scene.at("V0_each");
  for (std::size_t i = 0; i < n; ++i) {
    model->nodes.x.push_back(vec3(scene.at("x")[i]));
    model->nodes.v.push_back(vec3(scene.at("v")[i]));
    model->nodes.velocityGradient.push_back(mat3(scene.at("C_all")));
  }
  model->nodes.mass.assign(n, mass);
  model->nodes.volume.assign(n, volume);
  Deformable deformable;
  deformable.material = materialParameters(scene.at("material"), scene.at("parameters"), mass / volume);
  deformable.end = static_cast<int>(n);
  deformable.apicDamping = scene.value("damping", 1.0);
  model->deformables.push_back(deformable);
  if (scene.contains("bodies"))
    for (const auto& body : scene.at("bodies")) addBody(body, *this);
  particles = initialParticles(*model);
}

mpm::StepInput ReferenceScene::frozenMotion() const {
  mpm::StepInput motion;
  for (const ReferenceBody& body : bodies) motion.bodies.push_back({body.X_WB, body.V_WB});
  motion.laws = model->contactLaws;
  motion.gravity = model->gravity;
  return motion;
}

mpm::ParticleState initialParticles(const Model& model) {
  return mpm::particlesAtStart(model);
}

double worstDeviation(const std::vector<Vec3>& values, const nlohmann::json& particles,
                      const nlohmann::json& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < particles.size(); ++i)
    worst =
        std::max(worst, (values[particles[i].get<std::size_t>()] - vec3(expected[i])).cwiseAbs().maxCoeff());
  return worst;
}

double worstDeviation(const std::vector<Mat3>& values, const nlohmann::json& particles,
                      const nlohmann::json& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < particles.size(); ++i)
    worst =
        std::max(worst, (values[particles[i].get<std::size_t>()] - mat3(expected[i])).cwiseAbs().maxCoeff());
  return worst;
}

double worstDeviation(const std::vector<Eigen::Vector2d>& values, const nlohmann::json& particles,
                      const nlohmann::json& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < particles.size(); ++i)
    worst = std::max(worst,
                     (values[particles[i].get<std::size_t>()] - internal(expected[i])).cwiseAbs().maxCoeff());
  return worst;
}

Eigen::Matrix<double, 6, 1> asVector(const Wrench& w) {
  Eigen::Matrix<double, 6, 1> v;
  v << w.force, w.torque;
  return v;
}

}  // namespace slipstick::testing
