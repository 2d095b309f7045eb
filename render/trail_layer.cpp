#include "render/trail_layer.h"

#include "render/trails.h"

namespace slipstick::render {

Result<TrailLayer> TrailLayer::create() {
  TrailLayer layer;
  Result<Strokes> strokes = Strokes::create();
  if (!strokes) return strokes.error();
  layer.strokes_ = std::move(strokes).value();
  return layer;
}

void TrailLayer::update(const Picture& picture) {
  strokes_.update(strokesOf(picture.frame.trails, picture.options.tokens().axis));
}

void TrailLayer::draw(Stage stage, Pass pass) const {
  if (stage == Stage::Over && pass == Pass::Shade) strokes_.draw();
}

}  // namespace slipstick::render
