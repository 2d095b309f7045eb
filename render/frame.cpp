#include "render/frame.h"

#include "render/boundary_surfaces.h"
#include "render/contact_arrows.h"
#include "render/palette.h"
#include "render/patch_surfaces.h"
#include "render/soft_bodies.h"

namespace slipstick::render {
namespace {

void addMarks(const Snapshot& snapshot, const ViewOptions& options, ContactParts& parts) {
  for (const Contact& c : snapshot.contacts) {
    const bool rigidPoint = c.isRigid() && c.patch < 0;
    if (options.contactView == ContactView::Pairs ||
        (options.contactView != ContactView::Points && !rigidPoint))
      continue;
    if (c.mode == ContactMode::Open || c.f_Bc_W.norm() <= options.forceThreshold) continue;
    const bool slips = c.mode == ContactMode::Slip;
    ContactMark mark;
    mark.point = c.p_WC.cast<float>();
    mark.normal = c.normal_W.cast<float>();
    mark.color = append(linear(slips ? palette::kSlip : palette::kStick), 1);
    mark.ring = slips;
    parts.marks.push_back(mark);
  }
}

}  // namespace

std::shared_ptr<const SoftParts> buildSoftParts(const FrameInput& input) {
  const Model& model = *input.model;
  const Snapshot& snapshot = *input.snapshot;
  SIM_REQUIRE(snapshot.particles.size() == model.particleCount(), snapshot.particles.size(),
              model.particleCount());
  auto parts = std::make_shared<SoftParts>();
  parts->particles = snapshot.particles;
  parts->source = snapshot.source;
  const SoftColors colors(model, snapshot, input.options);
  parts->bar = colors.bar();
  addSpheres(model, input.options, colors, *parts);
  addSoftMeshes(model, input.options, colors, *parts);
  return parts;
}

std::shared_ptr<const ContactParts> buildContactParts(const FrameInput& input) {
  auto parts = std::make_shared<ContactParts>();
  if (input.options.forces) addArrows(input, *parts);
  if (input.options.contactView != ContactView::Pairs)
    addPatches(*input.model, *input.snapshot, input.selection, *parts);
  addMarks(*input.snapshot, input.options, *parts);
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
  if (input.options.boundaries) addBoundaries(*input.model, input.selection, frame);
  return frame;
}

}  // namespace slipstick::render
