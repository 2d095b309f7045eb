#include "render/contact_layers.h"

namespace slipstick::render {

Result<ContactArrows> ContactArrows::create() {
  ContactArrows layer;
  Result<Arrows> arrows = Arrows::create();
  if (!arrows) return arrows.error();
  layer.arrows_ = std::move(arrows).value();
  Result<Strokes> outlines = Strokes::create();
  if (!outlines) return outlines.error();
  layer.outlines_ = std::move(outlines).value();
  return layer;
}

void ContactArrows::update(const Picture& picture) {
  stage_ = picture.options.forcesOnTop ? Stage::OnTop : Stage::Over;
  if (contact_ == picture.frame.contact) return;
  contact_ = picture.frame.contact;
  arrows_.update(contact_->arrows, contact_->marks);
  outlines_.update(contact_->outlines);
}

void ContactArrows::draw(Stage stage, Pass pass) const {
  if (stage != stage_) return;
  if (pass == Pass::Shade) {
    outlines_.draw();
    arrows_.drawMarks();
  }
  arrows_.draw(pass);
}

std::optional<Selection> ContactArrows::selectionOf(const PickId& id) const {
  if (id.kind != PickKind::Arrow || id.index >= contact_->arrows.size()) return std::nullopt;
  return contact_->arrows[id.index].selects;
}

Result<ContactPatches> ContactPatches::create() {
  ContactPatches layer;
  Result<Patches> patches = Patches::create();
  if (!patches) return patches.error();
  layer.patches_ = std::move(patches).value();
  Result<Strokes> strokes = Strokes::create();
  if (!strokes) return strokes.error();
  layer.strokes_ = std::move(strokes).value();
  return layer;
}

void ContactPatches::update(const Picture& picture) {
  const auto& patches = picture.frame.contact->patches;
  if (any_ || !patches.empty())
    patches_.update(patches, picture.camera.eye().cast<float>(), picture.options.tokens());
  any_ = !patches.empty();
  if (contact_ == picture.frame.contact) return;
  contact_ = picture.frame.contact;
  strokes_.update(contact_->strokes);
}

void ContactPatches::draw(Stage stage, Pass pass) const {
  if (stage != Stage::Over || pass != Pass::Shade) return;
  patches_.draw();
  strokes_.draw();
}

}  // namespace slipstick::render
