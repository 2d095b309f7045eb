#include "tests/benchmarks/contact_recording.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "app/bench_window.h"
#include "engine/mpm/backends/reference_backend.h"
#include "tests/support/async_on.h"

namespace slipstick {

using namespace mpm;

namespace {

V3<float> rounded(const V3<double>& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

ContactPoint<float> rounded(const ContactPoint<double>& from) {
  ContactPoint<float> point{};
  point.normal = rounded(from.normal);
  point.vBody = rounded(from.vBody);
  point.f0 = static_cast<float>(from.f0);
  point.stiffness = static_cast<float>(from.stiffness);
  point.dissipation = static_cast<float>(from.dissipation);
  point.friction = static_cast<float>(from.friction);
  point.n0 = static_cast<float>(from.n0);
  point.bound = from.bound;
  point.node = from.node;
  for (std::size_t n = 0; n < point.weight.size(); ++n) point.weight[n] = static_cast<float>(from.weight[n]);
  return point;
}

RecordedProblem<float> rounded(const ContactProblem<double>& from,
                               const std::vector<DetectedContact>& detected) {
  RecordedProblem<float> to;
  to.problem.dt = static_cast<float>(from.dt);
  to.problem.stictionSpeed = static_cast<float>(from.stictionSpeed);
  to.problem.stictionSoftness = static_cast<float>(from.stictionSoftness);
  // Nodes at the very end of a spline may have masses that float does not know.
  for (const double mass : from.mass)
    to.problem.mass.push_back(std::max(static_cast<float>(mass), std::numeric_limits<float>::min()));
  for (const V3<double>& v : from.vStar) to.problem.vStar.push_back(rounded(v));
  for (const ContactPoint<double>& point : from.contacts) to.problem.contacts.push_back(rounded(point));
  for (const NodeBounds& bounds : from.bounds) to.bounds.emplace_back(bounds.begin(), bounds.end());
  for (const auto& ofNode : to.bounds) to.problem.bounds.emplace_back(ofNode);
  to.detected = detected;
  return to;
}

}  // namespace

Result<std::vector<RecordedProblem<float>>> recordContacts(const std::string& scene, double from,
                                                           std::size_t substeps) {
  const Result<app::BenchWindow> window = app::BenchWindow::open(scene, from, {});
  if (!window) return window.error();
  std::vector<RecordedProblem<float>> record;
  const auto observe = [&](const ContactProblem<double>& problem,
                           const std::vector<DetectedContact>& detected) {
    if (record.size() < substeps) record.push_back(rounded(problem, detected));
  };
  const std::shared_ptr<const Model>& model = window->run().model();
  const std::unique_ptr<Stepper> stepper =
      testing::asyncOn(model, makeObservedReferenceBackend(model, observe));
  State state;
  window->run().stepper().save(state);
  stepper->restore(state);
  Snapshot snapshot;
  for (std::size_t step = 0; step < substeps && record.size() < substeps; ++step)
    if (refused(stepper->step({}, snapshot, Detail::Facts).health)) break;
  if (record.size() < substeps)
    return Error{ErrorCode::SimulationFailed, "too few substeps with contacts", scene,
                 "choose a busier moment"};
  return record;
}

}  // namespace slipstick
