#include "assets/export/obj_file.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "assets/export/output_file.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/srgb.h"
#include "engine/model/soft_surface.h"

namespace slipstick::assets {

namespace {

constexpr int kDigits = 7;  // what a float holds

/// Names end at spaces in OBJ files.
std::string groupName(std::string name) {
  for (char& c : name)
    if (std::isspace(static_cast<unsigned char>(c)) || c == '#') c = '_';
  return name;
}

void addVector(std::string& text, const char* keyword, const Vec3& v) {
  text += keyword;
  for (int i = 0; i < 3; ++i) text += ' ' + significant(v[i], kDigits);
  text += '\n';
}

std::string headOf(const Snapshot& snapshot, const std::string& library) {
  return "# slipstick: step " + std::to_string(snapshot.step) + ", time " + shortest(snapshot.time) +
         " s; metres, z is up\nmtllib " + library + '\n';
}

Result<void> writeText(const std::filesystem::path& file, const std::string& text) {
  Result<OutputFile> made = OutputFile::create(file);
  if (!made) return made.error();
  if (const Result<void> written = made->write(text); !written) return written;
  return made->commit();
}

}  // namespace

// ---- colours

ObjMaterials::ObjMaterials(std::span<const DisplayShape> shapes, std::span<const Color> deformables) {
  for (const DisplayShape& shape : shapes)
    for (const DisplayMesh::Part& part : shape.mesh->parts) add(part.color, part.finish);
  for (const Color& color : deformables) add(color, {});
}

void ObjMaterials::add(const Color& color, const Finish& finish) {
  for (const Material& m : materials_)
    if (m.color == color && m.finish.roughness == finish.roughness && m.finish.metallic == finish.metallic)
      return;
  materials_.push_back({"color_" + std::to_string(materials_.size()), color, finish});
}

const std::string& ObjMaterials::find(const Color& color, const Finish& finish) const {
  const auto found = std::find_if(materials_.begin(), materials_.end(), [&](const Material& m) {
    return m.color == color && m.finish.roughness == finish.roughness && m.finish.metallic == finish.metallic;
  });
  SIM_REQUIRE(found != materials_.end(), materials_.size());
  return found->name;
}

Result<void> ObjMaterials::write(const std::filesystem::path& file) const {
  std::string text = "# slipstick\n";
  for (const Material& m : materials_) {
    text += "newmtl " + m.name + "\nKd";
    for (int i = 0; i < 3; ++i)
      text += ' ' + significant(static_cast<double>(srgbFromLinear(std::clamp(m.color[i], 0.f, 1.f))), 5);
    text += "\nd " + significant(static_cast<double>(m.color.w()), 5);
    text += "\nPr " + significant(static_cast<double>(m.finish.roughness), 5);
    text += "\nPm " + significant(static_cast<double>(m.finish.metallic), 5) + "\n\n";
  }
  return writeText(file, text);
}

// ---- things

Result<void> writeBodiesObj(const std::filesystem::path& file, const std::string& library, const Model& model,
                            std::span<const DisplayShape> shapes, const ObjMaterials& materials,
                            const Snapshot& snapshot) {
  std::string text = headOf(snapshot, library);
  std::size_t before = 1;  // OBJ counts from 1, through the whole file
  int group = -1;
  for (const DisplayShape& shape : shapes) {
    if (shape.body != group)
      text += "g " + groupName(model.tree.bodies[static_cast<std::size_t>(shape.body)].name) + '\n';
    group = shape.body;
    const Pose X_WV = snapshot.X_WB[static_cast<std::size_t>(shape.body)] * shape.X_BV;
    for (const Eigen::Vector3f& p : shape.mesh->positions) addVector(text, "v", X_WV * p.cast<double>());
    for (const Eigen::Vector3f& n : shape.mesh->normals) addVector(text, "vn", X_WV.R * n.cast<double>());
    for (const DisplayMesh::Part& part : shape.mesh->parts) {
      text += "usemtl " + materials.of(part) + '\n';
      for (std::size_t t = 0; t + 2 < part.indices.size(); t += 3) {
        text += 'f';
        for (std::size_t k = 0; k < 3; ++k) {
          const std::string vertex = std::to_string(before + part.indices[t + k]);
          text += ' ' + vertex + "//" + vertex;
        }
        text += '\n';
      }
    }
    before += shape.mesh->positions.size();
  }
  return writeText(file, text);
}

Result<void> writeDeformableObj(const std::filesystem::path& file, const std::string& library,
                                const Deformable& deformable, const std::string& material,
                                const Snapshot& snapshot) {
  std::string text =
      headOf(snapshot, library) + "g " + groupName(deformable.name) + "\nusemtl " + material + '\n';
  const SoftSurface surface = surfaceOf(deformable);
  for (const Eigen::Vector3f& x : surface.of(snapshot.particles)) addVector(text, "v", x.cast<double>());
  for (const Eigen::Vector3i& t : surface.triangles)
    text += "f " + std::to_string(t.x() + 1) + ' ' + std::to_string(t.y() + 1) + ' ' +
            std::to_string(t.z() + 1) + '\n';
  if (surface.triangles.empty())
    for (std::size_t i = 1; i <= surface.vertexCount; ++i) text += "p " + std::to_string(i) + '\n';
  return writeText(file, text);
}

}  // namespace slipstick::assets
