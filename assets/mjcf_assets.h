// <asset> of an MJCF file: meshes in their geoms' frames, how they weigh, and what materials look like.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assets/mjcf_document.h"
#include "assets/robot_checks.h"
#include "engine/compile/shape_mass.h"

namespace slipstick::assets {

/// How a geom is drawn.
struct MjcfLook {
  Color color;
  Finish finish;
  GivenLooks given;
};

class MjcfAssets {
 public:
  /// @param progress  null: nobody watches
  MjcfAssets(MjcfDocument& document, std::vector<std::filesystem::path> packagePaths, LoadProgress* progress);
  /// Says in the document's notices what was made of the units and axes of its meshes.
  void noteConventions() const { files_.noteConventions(document_.notices); }

  /// Names of all assets. Errors: one that is taken, or missing.
  Result<void> index();

  /// Whether a mesh is scaled to nothing.
  bool hasNoExtent(const std::string& name) const;
  /// As it is drawn; the same for all geoms that show it.
  Result<std::shared_ptr<const TriangleMesh>> mesh(const std::string& name,
                                                   const MjcfDocument::Element& user);
  /// As it touches others: its convex hull, as in MuJoCo.
  Result<std::shared_ptr<const TriangleMesh>> hull(const std::string& name,
                                                   const MjcfDocument::Element& user);
  /// At 1 kg/m³ (a shell at 1 kg/m²), in the way that the mesh asks for.
  Result<MassProperties> mass(const std::string& name, const MjcfDocument::Element& user);

  /// Of a geom: its own colour, else its material's, else that of its mesh's material.
  Result<MjcfLook> look(const MjcfItem& geom, const std::string& mesh);

 private:
  using Element = MjcfDocument::Element;
  struct Mesh {
    const Element* element = nullptr;
    std::optional<Result<std::shared_ptr<const TriangleMesh>>> drawn, hull;
  };
  Result<void> indexOne(const Element& element);
  Result<Mesh*> find(const std::string& name, const Element& user);
  Result<std::shared_ptr<const TriangleMesh>> load(const Element& element);
  Result<std::shared_ptr<const TriangleMesh>> loadFile(const MjcfItem& item, const std::string& file);
  Result<std::shared_ptr<const TriangleMesh>> writtenMesh(const MjcfItem& item,
                                                          const std::string& name) const;
  std::string pathOf(const Element& element, const std::string& file, const std::string& folder) const;
  void applyMaterial(const Element& material, MjcfLook& look);
  void applyTexture(const Element& user, const std::string& name, MjcfLook& look);

  MjcfDocument& document_;
  RobotMeshes files_;
  std::vector<std::filesystem::path> packagePaths_;
  std::map<std::string, Mesh> meshes_;
  std::map<std::string, const Element*> materials_, textures_;
};

}  // namespace slipstick::assets
