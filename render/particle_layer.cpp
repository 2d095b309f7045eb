#include "render/particle_layer.h"

#include <algorithm>

namespace slipstick::render {

Result<ParticleLayer> ParticleLayer::create() {
  ParticleLayer layer;
  Result<Spheres> spheres = Spheres::create();
  if (!spheres) return spheres.error();
  layer.spheres_ = std::move(spheres).value();
  return layer;
}

void ParticleLayer::setModel(const Model& model) {
  soft_ = nullptr;
  ends_.clear();
  for (const Deformable& d : model.deformables) ends_.push_back(d.end);
}

void ParticleLayer::update(const Picture& picture) {
  const std::optional<std::int32_t> selected = indexOf<SelectedDeformable>(picture.selection);
  const auto count = static_cast<std::int32_t>(ends_.size());
  selectedFirst_ = !selected || *selected < 0 || *selected >= count
                       ? -1
                       : picture.model.deformables[static_cast<std::size_t>(*selected)].begin;
  cut_ = picture.options.section != Section::None;
  if (soft_ == picture.frame.soft) return;
  soft_ = picture.frame.soft;
  if (soft_->spheres.empty()) return;
  // Straight from the device, where the particles are on the one that draws; else what the host has of them.
  if (soft_->source && spheres_.update(*soft_->source, soft_->particles.size(), soft_->column)) return;
  spheres_.update(soft_->particles, soft_->values);
}

void ParticleLayer::draw(Stage stage, Pass pass) const {
  if (stage != Stage::Shadow && stage != Stage::Opaque && stage != Stage::Outline) return;
  for (const SphereRange& range : soft_->spheres) {
    if (stage == Stage::Outline && range.first != selectedFirst_) continue;
    if (range.onlyCut && (stage == Stage::Shadow || !cut_)) continue;
    spheres_.draw(pass, range, soft_->scale, cut_);
  }
}

/// Meshes of deformables carry the id of their first particle.
std::optional<Selection> ParticleLayer::selectionOf(const PickId& id) const {
  if (id.kind != PickKind::Particle) return std::nullopt;
  const auto deformable = std::upper_bound(ends_.begin(), ends_.end(), static_cast<int>(id.index));
  if (deformable == ends_.end()) return NothingSelected{};
  return SelectedDeformable{static_cast<std::int32_t>(deformable - ends_.begin())};
}

}  // namespace slipstick::render
