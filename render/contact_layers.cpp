#include "render/contact_layers.h"

namespace slipstick::render {

Result<ContactArrows> ContactArrows::create() {
  ContactArrows layer;
  Result<Arrows> arrows = Arrows::create();
  if (!arrows) return arrows.error();
  layer.arrows_ = std::move(arrows).value();
  return layer;
}

void ContactArrows::update(const Picture& picture) {
  stage_ = picture.options.forcesOnTop ? Stage::OnTop : Stage::Over;
  if (contact_ == picture.frame.contact) return;
  contact_ = picture.frame.contact;
  arrows_.update(contact_->arrows, contact_->marks);
}

void ContactArrows::draw(Stage stage, Pass pass) const {
  if (stage != stage_) return;
  if (pass == Pass::Shade) arrows_.drawMarks();
  arrows_.draw(pass);
}

std::optional<Selection> ContactArrows::selectionOf(const PickId& id) const {
  if (id.kind != PickKind::Arrow || id.index >= contact_->arrows.size()) return std::nullopt;
  Selection selection;
  selection.contact = contact_->arrows[id.index].key;
  return selection;
}

Result<ContactPatches> ContactPatches::create() {
  ContactPatches layer;
  Result<Patches> patches = Patches::create();
  if (!patches) return patches.error();
  layer.patches_ = std::move(patches).value();
  return layer;
}

void ContactPatches::update(const Picture& picture) {
  const auto& patches = picture.frame.contact->patches;
  if (any_ || !patches.empty()) patches_.update(patches, picture.camera.eye().cast<float>());
  any_ = !patches.empty();
}

void ContactPatches::draw(Stage stage, Pass pass) const {
  if (stage == Stage::Over && pass == Pass::Shade) patches_.draw();
}

}  // namespace slipstick::render
