#include "assets/export/bodies_csv.h"

#include "assets/export/exporter.h"
#include "engine/foundation/csv_text.h"

namespace slipstick::assets {

namespace {

constexpr const char* kHeads[] = {"step",
                                  "time [s]",
                                  "body",
                                  "x [m]",
                                  "y [m]",
                                  "z [m]",
                                  "qw",
                                  "qx",
                                  "qy",
                                  "qz",
                                  "vx [m/s]",
                                  "vy [m/s]",
                                  "vz [m/s]",
                                  "wx [rad/s]",
                                  "wy [rad/s]",
                                  "wz [rad/s]",
                                  "contact.fx [N]",
                                  "contact.fy [N]",
                                  "contact.fz [N]",
                                  "contact.mx [N m]",
                                  "contact.my [N m]",
                                  "contact.mz [N m]"};

}  // namespace

Result<BodiesCsv> BodiesCsv::create(const std::filesystem::path& file, std::shared_ptr<const Model> model) {
  Result<OutputFile> made = OutputFile::create(file);
  if (!made) return made.error();
  BodiesCsv csv(std::move(*made), std::move(model));
  CsvRow header;
  for (const char* head : kHeads) header.add(head);
  if (const Result<void> written = csv.file_.write(header.line()); !written) return written.error();
  if (const Result<void> flushed = csv.file_.flush(); !flushed) return flushed.error();
  return csv;
}

Result<void> BodiesCsv::add(const Snapshot& snapshot) {
  for (std::size_t body = 0; body < model_->tree.bodies.size(); ++body) {
    CsvRow row;
    row.addWhole(static_cast<std::int64_t>(snapshot.step)).add(snapshot.time);
    row.add(model_->tree.bodies[body].name);
    const Quat q(snapshot.X_WB[body].R);
    const auto addVector = [&row](const Vec3& v) { row.add(v.x()).add(v.y()).add(v.z()); };
    addVector(snapshot.X_WB[body].p);
    row.add(q.w()).add(q.x()).add(q.y()).add(q.z());
    addVector(snapshot.V_WB[body].v);
    addVector(snapshot.V_WB[body].w);
    addVector(snapshot.contactWrench[body].force);
    addVector(snapshot.contactWrench[body].torque);
    if (const Result<void> written = file_.write(row.line()); !written) return written;
  }
  return {};
}

Exporter bodiesExporter() {
  return {{.name = "bodies",
           .description = "OUT.csv: a row per body and step: pose, velocity, sum of its contacts",
           .label = "Bodies",
           .explanation = "CSV: pose, velocity and contact force of each body",
           .forms = {{"csv", "CSV", "_bodies.csv"}}},
          [](const ExportSource& source) {
            return tableOutput(source, BodiesCsv::create(source.file, source.model),
                               ExportOutput::Reads::Facts);
          }};
}

}  // namespace slipstick::assets
