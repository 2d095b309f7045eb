#include "render/contact_arrows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <map>
#include <optional>
#include <tuple>

#include "engine/multibody/kinematics.h"
#include "render/contact_facts.h"
#include "render/palette.h"
#include "render/shapes.h"

namespace slipstick::render {
namespace {

using Cell = std::array<int, 3>;
using Members = std::vector<int>;

/// Contacts between two rigid geometries whose normals lie closer than this share an arrow: cos 25°.
constexpr double kSameDirection = 0.906;

bool isSelected(const Contact& c, const Selection& selection) {
  return selection.contact && *selection.contact == c.key();
}

/// The body whose force an arrow shows.
int shownBody(const Model& model, const Contact& c, const Selection& selection) {
  if (c.isRigid() && selection.body && (*selection.body == c.body || *selection.body == c.otherBody))
    return *selection.body;
  return pairOf(model, c).body;
}

/// Sums contacts of one snapshot into patches.
class Gathering {
 public:
  Gathering(const Model& model, const std::vector<Contact>& contacts, const Selection& selection)
      : model_(model), contacts_(contacts), selection_(selection) {}

  const Contact& at(int i) const { return contacts_[static_cast<std::size_t>(i)]; }

  ForcePatch sum(const Members& members) const {
    ForcePatch patch;
    double weights = 0;
    for (const int i : members) {
      add(i, patch);
      weights += std::max(at(i).f_Bc_W.norm(), 1e-12);
    }
    patch.point = members.size() == 1 ? at(members.front()).p_WC : Vec3(patch.point / weights);
    return patch;
  }

 private:
  void add(int i, ForcePatch& patch) const {
    const Contact& c = at(i);
    const double size = c.f_Bc_W.norm();
    patch.body = shownBody(model_, c, selection_);
    const double sign = signOn(patch.body, c);
    const Vec3 friction = sign * c.frictionForce();
    patch.point += std::max(size, 1e-12) * c.p_WC;
    patch.normal += sign * c.f_Bc_W - friction;
    patch.friction += friction;
    (c.mode == ContactMode::Slip ? patch.slipping : patch.sticking) += friction.norm();
    if (size > patch.strongest) {
      patch.strongest = size;
      patch.contact = i;
    }
    ++patch.members;
  }

  const Model& model_;
  const std::vector<Contact>& contacts_;
  const Selection& selection_;
};

std::map<Cell, Members> cellsOf(const Gathering& gathering, const Members& members, double size) {
  std::map<Cell, Members> cells;
  for (const int i : members) {
    Cell cell;
    for (int k = 0; k < 3; ++k)
      cell[static_cast<std::size_t>(k)] = static_cast<int>(std::floor(gathering.at(i).p_WC[k] / size));
    cells[cell].push_back(i);
  }
  return cells;
}

/// The finest cubes that are worth an arrow each.
double finestCell(const Model& model, const Gathering& gathering, const Members& members) {
  const Contact& first = gathering.at(members.front());
  double size = 0;
  if (first.isRigid()) {
    Eigen::AlignedBox3d box;
    for (const int i : members) box.extend(gathering.at(i).p_WC);
    size = box.diagonal().norm() / kMostArrowsPerPair;
  } else {
    size = 2 * model.deformables[static_cast<std::size_t>(first.deformable)].particleSpacing;
  }
  return size > 0 ? size : 0.01;
}

/// Neighbouring contacts fall into cubes; the cubes grow until few enough arrows are left to read.
void thin(const Model& model, const Gathering& gathering, const Members& members,
          std::vector<ForcePatch>& patches) {
  double size = finestCell(model, gathering, members);
  std::map<Cell, Members> cells = cellsOf(gathering, members, size);
  while (cells.size() > kMostArrowsPerPair / 2) cells = cellsOf(gathering, members, size *= 1.3);
  for (const auto& [cell, inside] : cells) patches.push_back(gathering.sum(inside));
}

/// Contacts that stay apart until they become too many.
void addSingles(const Model& model, const Gathering& gathering, const Members& members,
                std::vector<ForcePatch>& patches) {
  if (members.size() > kMostArrowsPerPair)
    thin(model, gathering, members, patches);
  else
    for (const int i : members) patches.push_back(gathering.sum({i}));
}

/// One arrow per direction: the corners of a face push as one, the sides of a groove do not.
void addByDirection(const Gathering& gathering, const Members& members, std::vector<ForcePatch>& patches) {
  std::vector<Members> groups;
  for (const int i : members) {
    const auto fits = std::find_if(groups.begin(), groups.end(), [&](const Members& group) {
      return gathering.at(group.front()).normal_W.dot(gathering.at(i).normal_W) > kSameDirection;
    });
    if (fits == groups.end())
      groups.push_back({i});
    else
      fits->push_back(i);
  }
  for (const Members& group : groups) patches.push_back(gathering.sum(group));
}

/// Between the size of the largest movable body and that of all of them at the start, nearer to the first: an
/// arrow belongs to a body, and a tall stack is looked at from afar.
double bodyLength(const Model& model) {
  std::map<int, Eigen::AlignedBox3d> boxes;
  Eigen::AlignedBox3d all;
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, model.initialQ, X_WB);
  for (const Geometry& geometry : model.geometries) {
    const Eigen::AlignedBox3d local = roughBounds(geometry.shape);
    if (!canMove(model, geometry.body) || local.isEmpty()) continue;
    const Pose& X_WBody = X_WB[static_cast<std::size_t>(geometry.body)];
    for (int k = 0; k < 8; ++k) {
      const Vec3 corner = geometry.X_BG * local.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k));
      boxes[geometry.body].extend(corner);
      all.extend(X_WBody * corner);
    }
  }
  double largest = 0;
  for (const auto& [body, box] : boxes) largest = std::max(largest, box.diagonal().norm());
  return all.isEmpty() ? 0 : std::cbrt(largest * largest * all.diagonal().norm());
}

/// The length that arrows are measured by: the diagonal of the largest deformable at the start, in scenes
/// without any that of the bodies that move.
double sceneLength(const Model& model) {
  double length = 0;
  for (const Deformable& d : model.deformables) {
    Eigen::AlignedBox3d box;
    for (int i = d.begin; i < d.end; ++i) box.extend(model.particles.x[static_cast<std::size_t>(i)]);
    if (!box.isEmpty()) length = std::max(length, box.diagonal().norm());
  }
  if (!(length > 0)) length = bodyLength(model);
  return length > 0 ? length : 0.5;
}

/// The largest arrow is about a third of the object; the force of that length is a round number.
double automaticScale(double largest, double length) {
  const double longest = 0.32 * length;
  return largest > 0 ? longest / roundUp125(largest) : longest;
}

struct Part {
  Vec3 force = Vec3::Zero();
  Hex color = palette::kNormal;
};

std::vector<Part> partsOf(const ForcePatch& patch, bool split) {
  const Hex friction = patch.slipping > patch.sticking ? palette::kSlip : palette::kStick;
  if (split) return {{patch.normal, palette::kNormal}, {patch.friction, friction}};
  return {{patch.normal + patch.friction, friction}};
}

/// Arrows that do not belong to what is selected step back.
float emphasis(const Contact& c, const Selection& selection) {
  if (selection.contact) return isSelected(c, selection) ? 1.f : 0.55f;
  if (selection.body && *selection.body != c.body && *selection.body != c.otherBody) return 0.4f;
  return 1.f;
}

/// Contacts that may share arrows: of a body with a deformable, or of two rigid geometries and one surface.
struct Group {
  ContactPair pair;
  int geometry = -1, otherGeometry = -1, patch = -1;
  friend auto operator<=>(const Group&, const Group&) = default;
};

Group groupOf(const Model& model, const Contact& c) {
  Group group{pairOf(model, c)};
  if (c.isRigid())
    std::tie(group.geometry, group.otherGeometry, group.patch) =
        std::tie(c.geometry, c.otherGeometry, c.patch);
  return group;
}

}  // namespace

std::vector<ForcePatch> forcePatches(const Model& model, const std::vector<Contact>& contacts,
                                     const Selection& selection) {
  const Gathering gathering(model, contacts, selection);
  std::map<Group, Members> groups;
  std::optional<Group> opened;
  std::vector<ForcePatch> patches;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const Group group = groupOf(model, gathering.at(i));
    if (isSelected(gathering.at(i), selection)) {
      opened = group;
      patches.push_back(gathering.sum({i}));
    } else {
      groups[group].push_back(i);
    }
  }
  for (const auto& [group, members] : groups) {
    if (group.patch >= 0 && opened != group)
      patches.push_back(gathering.sum(members));
    else if (group.geometry >= 0 && opened != group)
      addByDirection(gathering, members, patches);
    else
      addSingles(model, gathering, members, patches);
  }
  return patches;
}

void addArrows(const FrameInput& input, ContactParts& parts) {
  const Model& model = *input.model;
  const std::vector<Contact>& contacts = input.snapshot->contacts;
  const ViewOptions& options = input.options;
  std::vector<Vec3> forces;
  for (const ForcePatch& patch : forcePatches(model, contacts, input.selection)) {
    const Contact& c = contacts[static_cast<std::size_t>(patch.contact)];
    for (const Part& part : partsOf(patch, options.splitForces)) {
      if (part.force.norm() <= options.forceThreshold) continue;
      Arrow arrow;
      arrow.from = patch.point.cast<float>();
      arrow.color = append(linear(part.color), emphasis(c, input.selection));
      arrow.contact = patch.members == 1 ? patch.contact : -1;
      arrow.members = patch.members;
      arrow.body = patch.body;
      arrow.key = c.key();
      parts.arrows.push_back(arrow);
      forces.push_back(part.force);
      parts.largestForce = std::max(parts.largestForce, part.force.norm());
    }
  }
  const double largest = std::max(input.largestForce, parts.largestForce);
  parts.metresPerNewton =
      options.forceScale > 0 ? options.forceScale : automaticScale(largest, sceneLength(model));
  for (std::size_t i = 0; i < forces.size(); ++i)
    parts.arrows[i].vector = (parts.metresPerNewton * forces[i]).cast<float>();
}

}  // namespace slipstick::render
