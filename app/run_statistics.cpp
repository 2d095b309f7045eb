#include "app/run_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <thread>

#include "app/progress.h"
#include "engine/facts/health_note.h"
#include "engine/foundation/number_text.h"
#include "engine/model/method_rows.h"
#include "engine/mpm/backend.h"
#include "engine/mpm/transfer_bytes.h"
#include "gpu/device.h"

namespace slipstick::app {

using nlohmann::ordered_json;

namespace {

double mean(double sum, std::size_t count) {
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

ordered_json triple(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

std::string hexadecimal(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string_view solverName(ContactSolverName name) {
  switch (name) {
    case ContactSolverName::QuasiNewton:
      return "quasi_newton";
    case ContactSolverName::MajorizedAnderson:
      return "majorized_anderson";
    case ContactSolverName::ContactNewton:
      return "contact_newton";
  }
  return "";
}

ordered_json deformableFacts(const Model& model, const Snapshot& snapshot) {
  ordered_json all = ordered_json::array();
  for (std::size_t i = 0; i < model.deformables.size(); ++i) {
    const DeformableFacts& facts = snapshot.deformables[i];
    all.push_back({{"name", model.deformables[i].name},
                   {"particles", model.deformables[i].end - model.deformables[i].begin},
                   {"center_m", triple(facts.center)},
                   {"velocity_m_per_s", triple(facts.velocity)},
                   {"lower_m", triple(facts.lower)},
                   {"upper_m", triple(facts.upper)},
                   {"volume_m3", facts.volume}});
  }
  return all;
}

}  // namespace

void RunStatistics::add(const Snapshot& snapshot, double wall, double dt) {
  const StepReport& report = snapshot.report;
  stepWalls_.push_back(wall);
  for (std::size_t i = 0; i < phases_.size(); ++i) phases_[i] += report.phases[i];
  for (std::size_t i = 0; i < health_.size(); ++i)
    if (has(report.health, flagAt(i))) health_[i].add(snapshot.time);
  addNotes(snapshot);
  activeNodes_ += report.activeNodes;
  substeps_ += report.substeps;
  activeNodeSubsteps_ += static_cast<double>(report.activeNodes) * report.substeps;
  contacts_ += static_cast<double>(snapshot.contacts.size());
  maxContacts_ = std::max(maxContacts_, static_cast<int>(snapshot.contacts.size()));
  const auto ofParticles = [](const Contact& contact) { return !contact.isRigid(); };
  const auto particleContacts =
      std::count_if(snapshot.contacts.begin(), snapshot.contacts.end(), ofParticles);
  particleContacts_ += static_cast<double>(particleContacts);
  maxParticleContacts_ = std::max(maxParticleContacts_, static_cast<int>(particleContacts));
  if (particleContacts > 0) {
    ++stepsWithContacts_;
    iterations_ += report.contactIterationsMean;
  }
  maxIterations_ = std::max(maxIterations_, report.contactIterationsMax);
  notConverged_ += report.notConvergedSolves;
  momentum_.add(snapshot, dt);
}

double RunStatistics::meanStep_ms() const {
  double total = 0;
  for (const double wall : stepWalls_) total += wall;
  return 1e3 * mean(total, steps());
}

double RunStatistics::percentileStep_ms(double percent) const {
  if (stepWalls_.empty()) return 0;
  std::vector<double> sorted = stepWalls_;
  std::sort(sorted.begin(), sorted.end());
  const double rank = std::ceil(percent / 100 * static_cast<double>(sorted.size()));
  return 1e3 * sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

double RunStatistics::particleSubstep_ns(std::size_t particles) const {
  const double work = static_cast<double>(particles) * substeps_;
  const auto phase = [this](Phase p) { return phases_[static_cast<std::size_t>(p)]; };
  return work > 0 ? 1e9 *
                        (phase(Phase::Sort) + phase(Phase::Transfer) + phase(Phase::Contact) +
                         phase(Phase::Device)) /
                        work
                  : 0;
}

double RunStatistics::transferBytesPerStep(const Model& model) const {
  if (substeps_ == 0) return 0;
  return meanSubsteps() * mpm::transferBytes(model, activeNodeSubsteps_ / substeps_);
}
double RunStatistics::meanTransfer_s() const {
  return mean(phases_[static_cast<std::size_t>(Phase::Transfer)], steps());
}
double RunStatistics::meanContacts() const {
  return mean(contacts_, steps());
}
double RunStatistics::meanSubsteps() const {
  return mean(substeps_, steps());
}
double RunStatistics::meanIterations() const {
  return mean(iterations_, static_cast<std::size_t>(stepsWithContacts_));
}

void RunStatistics::addNotes(const Snapshot& snapshot) {
  for (const HealthNote& note : snapshot.healthNotes) {
    auto known = std::find_if(notes_.begin(), notes_.end(),
                              [&](const NoteSighting& n) { return isSamePair(n.worst, note); });
    if (known == notes_.end()) known = notes_.insert(known, {note, {}});
    if (note.value * known->worst.limit > known->worst.value * note.limit) known->worst = note;
    known->seen.add(snapshot.time);
  }
}

std::string RunStatistics::healthLine(const HealthInfo& info, const Sighting& seen,
                                      const std::string& what) const {
  return std::string(info.name) + " first at " + fixed(seen.first, 3) + " s, in " +
         std::to_string(seen.steps) + " of " + std::to_string(steps()) + " steps: " + what + "; " +
         std::string(info.remedy);
}

std::vector<std::string> RunStatistics::healthLines(const Model& model) const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < health_.size(); ++i) {
    const HealthInfo& info = infoAt(i, model.own.get());
    if (health_[i].steps == 0) continue;
    const std::size_t before = lines.size();
    for (const NoteSighting& note : notes_)
      if (note.worst.flag == info.flag)
        lines.push_back(healthLine(info, note.seen, noteText(model, note.worst)));
    if (lines.size() == before) lines.push_back(healthLine(info, health_[i], std::string(info.what)));
  }
  return lines;
}

void RunStatistics::sayHealth(const Model& model) const {
  for (const std::string& line : healthLines(model))
    std::cerr << "slipstick: " << model.name << ": " << line << '\n';
}

/// All flags that a run with the method can raise, and those that it raised all the same.
bool RunStatistics::isListed(std::size_t place, const MethodRows* own) const {
  return place < kHealthCount + (own != nullptr ? own->flags.size() : 0) || health_[place].steps > 0;
}

/// Every pair that raised a flag, as where it was worst.
ordered_json RunStatistics::noteFacts(const Model& model) const {
  ordered_json all = ordered_json::array();
  for (const auto& [note, seen] : notes_) {
    const auto [name, other] = namesOf(model, note);
    all.push_back({{"flag", infoOf(note.flag, model.own.get()).name},
                   {"body", name},
                   {"other", other},
                   {"value", note.value},
                   {"limit", note.limit},
                   {"first_at_s", seen.first},
                   {"steps", seen.steps},
                   {"text", noteText(model, note)}});
  }
  return all;
}

ordered_json RunStatistics::report(const HeadlessRun& run, const StepperOptions& options, double wall) const {
  const Model& model = *run.model();
  const double simulated = static_cast<double>(steps()) * model.time.dt;
  ordered_json phases;
  const MethodRows* const rows = model.own.get();
  for (std::size_t i = 0; i < phaseCount(rows); ++i)
    phases[std::string(infoOf(static_cast<Phase>(i), rows).name)] = 1e3 * mean(phases_[i], steps());
  ordered_json health, firstTimes = ordered_json::object();
  for (std::size_t i = 0; i < health_.size(); ++i) {
    if (!isListed(i, rows)) continue;
    const std::string name(infoAt(i, rows).name);
    health[name] = health_[i].steps;
    if (health_[i].steps > 0) firstTimes[name] = health_[i].first;
  }

  ordered_json json;
  json["scene"] = model.name;
  json["method"] = run.stepper().method();
  json["backend"] = run.stepper().backendName();
  json["runs_on"] = run.stepper().runsOn();
  json["reproducible"] = run.stepper().reproduces() ? "run_to_run" : "not_guaranteed";
  json["threads"] = resolvedThreads(options);
  json["machine"] = {{"cpu", cpuName()},
                     {"isa", mpm::cpuInstructionSet()},
                     {"hardware_threads", std::thread::hardware_concurrency()}};
  json["steps"] = steps();
  json["simulated_s"] = simulated;
  json["wall_s"] = wall;
  json["realtime_rate"] = wall > 0 ? simulated / wall : 0;
  json["ms_per_step"] = {{"mean", meanStep_ms()},
                         {"p50", percentileStep_ms(50)},
                         {"p99", percentileStep_ms(99)},
                         {"max", percentileStep_ms(100)}};
  json["phases_ms"] = phases;
  json["particles"] = model.nodeCount();
  json["active_nodes_mean"] = mean(activeNodes_, steps());
  json["substeps_per_step"] = meanSubsteps();
  json["contacts"] = {{"mean", meanContacts()}, {"max", maxContacts_}};
  // Pairs of a particle and a shape that touched during a step: what papers on MPM report.
  json["particle_contacts"] = {{"mean", mean(particleContacts_, steps())}, {"max", maxParticleContacts_}};
  const std::string_view own = run.stepper().contactSolver();
  json["solver"] = {{"name", own.empty() ? solverName(model.solver.contactSolver) : own},
                    {"iterations_mean", meanIterations()},
                    {"iterations_max", maxIterations_},
                    {"not_converged", notConverged_}};
  json["health"] = health;
  json["health_first_at_s"] = firstTimes;
  json["health_notes"] = noteFacts(model);
  json["momentum_error"] = momentum_.error();
  json["deformables"] = deformableFacts(model, run.snapshot());
  json["state_hash"] = hexadecimal(run.snapshot().stateHash);
  return json;
}

void addStop(ordered_json& report, bool stopped, double time) {
  report["stopped_early"] = stopped;
  if (!stopped) return;
  report["stopped_at_s"] = time;
  report["stopped_by"] = InterruptWatch::requested() ? InterruptWatch::name() : "failure";
}

std::string cpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
}

std::string deviceLine(const StepperOptions& options) {
  std::string line = "CPU " + std::to_string(resolvedThreads(options)) + " threads, " +
                     std::string(mpm::cpuInstructionSet()) + "; CUDA: ";
  const std::vector<gpu::DeviceInfo> devices = gpu::cudaDevices();
  if (devices.empty()) return line + "none (" + gpu::noDeviceReason() + ")";
  for (std::size_t i = 0; i < devices.size(); ++i) line += (i > 0 ? ", " : "") + devices[i].name;
  return line;
}

}  // namespace slipstick::app
