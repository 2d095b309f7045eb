#include "render/contact_arrows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "render/palette.h"

namespace slipstick::render {
namespace {

using Cell = std::array<int, 3>;

bool isSelected(const Contact& c, const Selection& selection) {
  return selection.contact && selection.contact->geometry == c.geometry &&
         selection.contact->particle == c.particle;
}

void add(const Contact& c, int index, ForcePatch& patch) {
  const Vec3 friction = c.frictionForce();
  const double size = c.f_Bc_W.norm();
  patch.point += std::max(size, 1e-12) * c.p_WC;
  patch.normal += c.f_Bc_W - friction;
  patch.friction += friction;
  (c.mode == ContactMode::Slip ? patch.slipping : patch.sticking) += friction.norm();
  if (size > patch.strongest) {
    patch.strongest = size;
    patch.contact = index;
  }
  ++patch.members;
}

std::map<Cell, ForcePatch> gather(const std::vector<Contact>& contacts, const std::vector<int>& members,
                                  double cell) {
  std::map<Cell, ForcePatch> patches;
  std::map<Cell, double> weights;
  for (const int i : members) {
    const Contact& c = contacts[static_cast<std::size_t>(i)];
    Cell key;
    for (int k = 0; k < 3; ++k)
      key[static_cast<std::size_t>(k)] = static_cast<int>(std::floor(c.p_WC[k] / cell));
    add(c, i, patches[key]);
    weights[key] += std::max(c.f_Bc_W.norm(), 1e-12);
  }
  for (auto& [key, patch] : patches) patch.point /= weights[key];
  return patches;
}

/// Neighbouring contacts fall into cubes; the cubes grow until few enough arrows are left to read.
void thin(const Model& model, const std::vector<Contact>& contacts, const std::vector<int>& members,
          std::vector<ForcePatch>& patches) {
  const Contact& first = contacts[static_cast<std::size_t>(members.front())];
  double cell = 2 * model.deformables[static_cast<std::size_t>(first.deformable)].particleSpacing;
  if (!(cell > 0)) cell = 0.01;
  std::map<Cell, ForcePatch> cells = gather(contacts, members, cell);
  while (cells.size() > kMostArrowsPerPair / 2) cells = gather(contacts, members, cell *= 1.3);
  for (const auto& [key, patch] : cells) patches.push_back(patch);
}

/// Diagonal of the largest deformable at the start: the length that arrows are measured by.
double sceneLength(const Model& model) {
  double length = 0;
  for (const Deformable& d : model.deformables) {
    Eigen::AlignedBox3d box;
    for (int i = d.begin; i < d.end; ++i) box.extend(model.particles.x[static_cast<std::size_t>(i)]);
    if (!box.isEmpty()) length = std::max(length, box.diagonal().norm());
  }
  return length > 0 ? length : 0.5;
}

/// The largest arrow is about a third of the object; the force of that length is a round number, and stays
/// while it fits.
double automaticScale(double largest, double length, double previous) {
  const double longest = 0.32 * length;
  if (!(largest > 0)) return previous > 0 ? previous : longest;
  const double fits = largest * previous / longest;
  if (previous > 0 && fits > 0.25 && fits < 1.3) return previous;
  return longest / roundUp125(largest);
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
  if (selection.body && *selection.body != c.body) return 0.4f;
  return 1.f;
}

}  // namespace

std::vector<ForcePatch> forcePatches(const Model& model, const std::vector<Contact>& contacts,
                                     const Selection& selection) {
  std::map<std::pair<int, int>, std::vector<int>> pairs;
  std::vector<ForcePatch> patches;
  const auto single = [&](int i) {
    ForcePatch patch;
    add(contacts[static_cast<std::size_t>(i)], i, patch);
    patch.point = contacts[static_cast<std::size_t>(i)].p_WC;
    patches.push_back(patch);
  };
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const Contact& c = contacts[static_cast<std::size_t>(i)];
    if (isSelected(c, selection))
      single(i);
    else
      pairs[{c.body, c.deformable}].push_back(i);
  }
  for (const auto& [pair, members] : pairs) {
    if (members.size() > kMostArrowsPerPair)
      thin(model, contacts, members, patches);
    else
      std::for_each(members.begin(), members.end(), single);
  }
  return patches;
}

void addArrows(const Model& model, const Snapshot& snapshot, const ViewOptions& options,
               const Selection& selection, double previousMetresPerNewton, Frame& frame) {
  std::vector<Vec3> forces;
  for (const ForcePatch& patch : forcePatches(model, snapshot.contacts, selection)) {
    const Contact& c = snapshot.contacts[static_cast<std::size_t>(patch.contact)];
    for (const Part& part : partsOf(patch, options.splitForces)) {
      if (part.force.norm() <= options.forceThreshold) continue;
      Arrow arrow;
      arrow.from = patch.point.cast<float>();
      arrow.color = append(linear(part.color), emphasis(c, selection));
      arrow.contact = patch.members == 1 ? patch.contact : -1;
      arrow.members = patch.members;
      arrow.key = {c.geometry, c.particle};
      frame.arrows.push_back(arrow);
      forces.push_back(part.force);
      frame.largestForce = std::max(frame.largestForce, part.force.norm());
    }
  }
  frame.metresPerNewton = options.forceScale > 0 ? options.forceScale
                                                 : automaticScale(frame.largestForce, sceneLength(model),
                                                                  previousMetresPerNewton);
  for (std::size_t i = 0; i < forces.size(); ++i)
    frame.arrows[i].vector = (frame.metresPerNewton * forces[i]).cast<float>();
}

}  // namespace slipstick::render
