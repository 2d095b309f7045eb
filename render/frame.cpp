#include "render/frame.h"

#include "render/boundary_surfaces.h"
#include "render/contact_arrows.h"
#include "render/palette.h"
#include "render/patch_surfaces.h"
#include "render/soft_bodies.h"

namespace slipstick::render {
namespace {

void addMarks(const Snapshot& snapshot, const ViewOptions& options, Frame& frame) {
  for (const Contact& c : snapshot.contacts) {
    const bool rigidPoint = options.pressure && c.isRigid() && c.patch < 0;
    if (!options.contactPoints && !rigidPoint) continue;
    if (c.mode == ContactMode::Open || c.f_Bc_W.norm() <= options.forceThreshold) continue;
    const bool slips = c.mode == ContactMode::Slip;
    ContactMark mark;
    mark.point = c.p_WC.cast<float>();
    mark.normal = c.normal_W.cast<float>();
    mark.color = append(linear(slips ? palette::kSlip : palette::kStick), 1);
    mark.ring = slips;
    frame.marks.push_back(mark);
  }
}

}  // namespace

Frame buildFrame(const Model& model, const Snapshot& snapshot, const ViewOptions& options,
                 const Selection& selection, double previousMetresPerNewton) {
  SIM_REQUIRE(snapshot.particles.size() == model.particleCount(), snapshot.particles.size(),
              model.particleCount());
  Frame frame;
  frame.time = snapshot.time;
  frame.X_WB = snapshot.X_WB;
  frame.particles = snapshot.particles;
  frame.particleSource = snapshot.source;
  const SoftColors colors(model, snapshot, options);
  frame.particleBar = colors.bar();
  addSpheres(model, options, colors, frame);
  addSoftMeshes(model, options, colors, frame);
  if (options.boundaries) addBoundaries(model, selection, frame);
  if (options.forces) addArrows(model, snapshot, options, selection, previousMetresPerNewton, frame);
  if (options.pressure) addPatches(model, snapshot, selection, frame);
  addMarks(snapshot, options, frame);
  return frame;
}

}  // namespace slipstick::render
