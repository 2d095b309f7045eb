#include "assets/export/npz_writer.h"

#include <array>
#include <utility>

#include "assets/export/exporter.h"
#include "assets/export/zip_writer.h"
#include "engine/facts/force_law.h"

namespace slipstick::assets {

namespace {

template <class List>
std::vector<std::string> namesOf(const List& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

std::span<const double> numbersOf(const Vec3& v) {
  return {v.data(), 3};
}

}  // namespace

template <class T>
void NpzWriter::grow(const std::string& name, std::vector<std::size_t> row) {
  if (!outcome_) return;
  Result<NpyArray> array = NpyArray::create<T>(file_.path(), name, std::move(row));
  if (array)
    arrays_.emplace(name, std::move(*array));
  else
    outcome_ = array.error();
}

void NpzWriter::list(const std::string& name, const std::vector<std::string>& texts) {
  if (!outcome_) return;
  Result<NpyArray> array = NpyArray::of(file_.path(), name, texts);
  if (array)
    arrays_.emplace(name, std::move(*array));
  else
    outcome_ = array.error();
}

template <class T>
void NpzWriter::put(const char* name, std::span<const T> numbers) {
  if (outcome_) outcome_ = arrays_.find(name)->second.add(numbers);
}

Result<std::unique_ptr<NpzWriter>> NpzWriter::create(const std::filesystem::path& file,
                                                     std::shared_ptr<const Model> model,
                                                     ObservableChoice choice) {
  Result<OutputFile> made = OutputFile::create(file);
  if (!made) return made.error();
  std::unique_ptr<NpzWriter> writer(new NpzWriter(std::move(*made), std::move(model), std::move(choice)));
  writer->begin();
  if (!writer->outcome_) return writer->outcome_.error();
  return writer;
}

void NpzWriter::begin() {
  std::vector<std::string> observables, units;
  for (const RunColumns::Name& name : choice_.names()) {
    observables.push_back(name.name);
    units.push_back(name.unit);
  }
  list("observable_names", observables);
  list("observable_units", units);
  list("body_names", namesOf(model_->tree.bodies));
  list("geometry_names", namesOf(model_->geometries));
  list("deformable_names", namesOf(model_->deformables));
  grow<std::uint64_t>("step");
  grow<double>("time");
  grow<double>("observables", {observables.size()});
  grow<double>("body_poses", {model_->tree.bodies.size(), 7});
  grow<std::uint64_t>("contact_offsets");
  putOne("contact_offsets", std::uint64_t{0});
  for (const char* name : {"contact_body", "contact_geometry", "contact_deformable", "contact_particle",
                           "contact_other_body", "contact_other_geometry", "contact_point"})
    grow<std::int32_t>(name);
  for (const char* name : {"contact_position", "contact_normal", "contact_force"}) grow<double>(name, {3});
  for (const char* name :
       {"contact_penetration", "contact_slip_speed", "contact_friction", "contact_friction_bound"})
    grow<double>(name);
  grow<std::uint8_t>("contact_mode");
  if (softContacts_)
    for (const char* name : {"contact_on_deformable", "contact_on_particle"}) grow<std::int32_t>(name);
  if (softContacts_ || forceLaws_) grow<double>("contact_gap");
  if (forceLaws_) {
    for (const char* name : {"contact_law", "contact_indeterminate"}) grow<std::uint8_t>(name);
    grow<double>("contact_law_numbers", {2});
  }
  if (model_->nodeCount() == 0) return;
  grow<std::int32_t>("deformable_ranges", {2});
  for (const Deformable& d : model_->deformables)
    put("deformable_ranges", std::span<const std::int32_t>(std::array{d.begin, d.end}));
  grow<std::uint64_t>("frame_step");
  grow<double>("frame_time");
  grow<float>("particles", {model_->nodeCount(), 3});
}

Result<void> NpzWriter::addStep(const Snapshot& snapshot) {
  putOne("step", snapshot.step);
  putOne("time", snapshot.time);
  put("observables", std::span<const double>(choice_.values(snapshot)));
  std::vector<double> poses;
  for (const Pose& X_WB : snapshot.X_WB) {
    const Quat q(X_WB.R);
    poses.insert(poses.end(), {X_WB.p.x(), X_WB.p.y(), X_WB.p.z(), q.w(), q.x(), q.y(), q.z()});
  }
  put("body_poses", std::span<const double>(poses));
  for (const Contact& contact : snapshot.contacts) add(contact);
  contacts_ += snapshot.contacts.size();
  putOne("contact_offsets", contacts_);
  return outcome_;
}

void NpzWriter::add(const Contact& contact) {
  putOne("contact_body", contact.a.body);
  putOne("contact_geometry", contact.a.geometry);
  putOne("contact_deformable", contact.b.deformable);
  putOne("contact_particle", contact.b.element);
  putOne("contact_other_body", contact.b.body);
  putOne("contact_other_geometry", contact.b.geometry);
  putOne("contact_point", contact.point);
  put("contact_position", numbersOf(contact.p_WC));
  put("contact_normal", numbersOf(contact.normal_W));
  put("contact_force", numbersOf(contact.f_Bc_W));
  putOne("contact_penetration", contact.penetration());
  putOne("contact_slip_speed", contact.slipSpeed);
  putOne("contact_friction", contact.friction);
  putOne("contact_friction_bound", contact.frictionBound);
  putOne("contact_mode", static_cast<std::uint8_t>(contact.mode));
  if (softContacts_) {
    putOne("contact_on_deformable", contact.a.deformable);
    putOne("contact_on_particle", contact.a.element);
  }
  if (softContacts_ || forceLaws_) putOne("contact_gap", contact.gap);
  if (!forceLaws_) return;
  putOne("contact_law", lawCode(contact.law));
  put("contact_law_numbers", std::span<const double>(lawNumbers(contact.law)));
  putOne("contact_indeterminate", std::uint8_t{contact.isIndeterminate});
}

Result<void> NpzWriter::addFrame(const Snapshot& snapshot) {
  if (snapshot.particles.empty()) return outcome_;
  putOne("frame_step", snapshot.step);
  putOne("frame_time", snapshot.time);
  put("particles", std::span<const float>(snapshot.particles.front().data(), 3 * snapshot.particles.size()));
  return outcome_;
}

Result<void> NpzWriter::finish() {
  if (!outcome_) return outcome_;
  ZipWriter zip(file_);
  for (auto& [name, array] : arrays_) {
    const Result<void> added = zip.add(name + ".npy", array.header(), array.numbers());
    if (!added) return added;
  }
  if (const Result<void> finished = zip.finish(); !finished) return finished;
  return file_.commit();
}

namespace {

Result<std::vector<ExportOutput>> openArrays(const ExportSource& source) {
  Result<ObservableChoice> choice = source.observables();
  if (!choice) return choice.error();
  Result<ExportSchedule::Steps> frames = source.schedule.sampled();
  if (!frames) return frames.error();
  Result<std::unique_ptr<NpzWriter>> made = NpzWriter::create(source.file, source.model, std::move(*choice));
  if (!made) return made.error();
  const std::shared_ptr<NpzWriter> npz = std::move(*made);
  std::vector<ExportOutput> outputs;
  if (source.model->nodeCount() > 0)
    outputs.push_back({source.file,
                       std::move(*frames),
                       ExportOutput::Reads::Particles,
                       true,
                       [npz](const Snapshot& s) { return npz->addFrame(s); },
                       {}});
  outputs.push_back({source.file, source.schedule.every(), ExportOutput::Reads::Contacts, false,
                     [npz](const Snapshot& s) { return npz->addStep(s); }, [npz] { return npz->finish(); }});
  return outputs;
}

}  // namespace

Exporter npzExporter() {
  return {{.name = "npz",
           .description = "OUT.npz: NumPy arrays: observables, contacts, poses, particles",
           .moments = ExportKind::Moments::Both,
           .takesObservables = true,
           .label = "NumPy arrays",
           .explanation = "One npz file: observables, poses and contacts of every step, particles at the "
                          "rate below",
           .forms = {{"npz", "NPZ", ".npz"}}},
          openArrays};
}

}  // namespace slipstick::assets
