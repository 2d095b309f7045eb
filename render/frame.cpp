#include "render/frame.h"

#include <algorithm>

#include "render/boundary_surfaces.h"
#include "render/contact_arrows.h"
#include "render/footprints.h"
#include "render/ghost_parts.h"
#include "render/goal_parts.h"
#include "render/shown_pairs.h"
#include "render/soft_bodies.h"

namespace slipstick::render {
namespace {

/// Footprints that are larger on screen than this part of its height are looked at from near, and with the
/// first of them those that are not much smaller: twins look alike.
constexpr double kNear = 0.22, kNearToo = 0.15;

/// Of the view's height [-].
double sizeOnScreen(const FrameInput& input, const PairForce& force) {
  return force.extent / (input.viewHeight * metresPerPixel(input, force.centerOfPressure));
}

/// How near each pair is looked at.
void chooseDistances(const FrameInput& input, ContactParts& parts) {
  const ContactView view = input.options.contactView;
  const std::optional<ContactPair> selected = selectedPair(input);
  const bool isContact = std::holds_alternative<ContactKey>(input.selection);
  double largest = 0;
  for (const PairView& pair : parts.pairs) largest = std::max(largest, sizeOnScreen(input, pair.force));
  const double near = largest > kNear ? kNearToo : kNear;
  for (PairView& pair : parts.pairs) {
    pair.selected = pair.force.pair == selected;
    const bool pointed = pair.selected || pair.force.pair == input.hovered;
    const bool automatic = view == ContactView::Automatic;
    pair.footprint =
        view == ContactView::Footprints || (automatic && (pointed || sizeOnScreen(input, pair.force) > near));
    const bool meant = selected ? pair.selected : &pair == &parts.pairs.front();
    if ((view == ContactView::Points && meant) || (automatic && pair.selected && isContact))
      pair.seen = ContactView::Points;
  }
}

/// Those that a person gave, or the scene's.
std::shared_ptr<const Looks> looksIn(const FrameInput& input) {
  return input.looks ? input.looks : std::make_shared<const Looks>(looksOf(*input.model));
}

/// Of a pair whose two sides are hidden nothing is drawn: what its arrows would point at is not there.
bool isSeen(const Looks& looks, const ContactPair& pair) {
  const auto isVisible = [&looks](const PairSide& side) {
    return side.isRigid() ? looks.body(side.body).visible : looks.deformable(side.deformable).visible;
  };
  return isVisible(pair.a) || isVisible(pair.b);
}

/// The largest, and the selected one among them.
void takePairs(const FrameInput& input, const Looks& looks, ContactParts& parts) {
  std::vector<PairForce> forces = shownPairs(input);
  const std::optional<ContactPair> selected = selectedPair(input);
  const auto meant = std::find_if(forces.begin(), forces.end(),
                                  [&](const PairForce& force) { return force.pair == selected; });
  if (meant != forces.end()) std::rotate(forces.begin(), meant, meant + 1);
  for (PairForce& force : forces) {
    if (parts.pairs.size() == kMaxPairs || !isSeen(looks, force.pair)) {
      ++parts.morePairs;
      parts.moreForce += force.force.norm();
      continue;
    }
    parts.pairs.emplace_back();
    parts.pairs.back().force = std::move(force);
  }
}

/// Pairs whose arrows would be too short to be read are named with those that have none.
void countMissing(ContactParts& parts) {
  for (const PairView& pair : parts.pairs) {
    if (pair.arrows > 0 || pair.seen == ContactView::Points || !(pair.force.force.norm() > 0)) continue;
    ++parts.morePairs;
    parts.moreForce += pair.force.force.norm();
  }
}

}  // namespace

const LookSpec& Frame::lookOf(int body) const {
  static const LookSpec usual;
  return looks ? looks->body(body) : usual;
}

std::shared_ptr<const SoftParts> buildSoftParts(const FrameInput& input) {
  const Model& model = *input.model;
  const Snapshot& snapshot = *input.snapshot;
  SIM_REQUIRE(snapshot.particles.size() == model.nodeCount(), snapshot.particles.size(), model.nodeCount());
  auto parts = std::make_shared<SoftParts>();
  parts->particles = snapshot.particles;
  parts->source = snapshot.source;
  const std::shared_ptr<const Looks> looks = looksIn(input);
  const SoftColors colors(model, snapshot, input.options, *looks);
  parts->bar = colors.bar();
  const SoftLooks style{model, input.options, *looks, colors};
  addSpheres(style, *parts);
  addSoftMeshes(style, *parts);
  return parts;
}

std::shared_ptr<const ContactParts> buildContactParts(const FrameInput& input) {
  auto parts = std::make_shared<ContactParts>();
  if (!input.options.forces) return parts;
  takePairs(input, *looksIn(input), *parts);
  chooseDistances(input, *parts);
  addArrows(input, *parts);
  countMissing(*parts);
  FootprintCache own;
  addFootprints(input, input.footprints ? *input.footprints : own, *parts);
  return parts;
}

Frame buildFrame(const FrameInput& input) {
  return buildFrame(input, buildSoftParts(input));
}

Frame buildFrame(const FrameInput& input, std::shared_ptr<const SoftParts> soft) {
  Frame frame;
  frame.time = input.snapshot->time;
  frame.step = input.snapshot->step;
  frame.X_WB = input.snapshot->X_WB;
  frame.soft = std::move(soft);
  frame.contact = buildContactParts(input);
  frame.looks = looksIn(input);
  addGhosts(input, frame);
  addGoals(input, frame);
  if (input.options.trails) frame.trails = input.trails;
  if (input.options.boundaries) addBoundaries(*input.model, input.selection, frame);
  return frame;
}

}  // namespace slipstick::render
