#include "engine/geometry/collision.h"

namespace slipstick {

struct ContactShape::Data {
  SurfaceProperties properties;
};
ContactShape::ContactShape() = default;
ContactShape::~ContactShape() = default;
Result<std::shared_ptr<const ContactShape>> ContactShape::build(const Shape&, const SurfaceProperties& p) {
  std::shared_ptr<ContactShape> shape(new ContactShape);
  shape->data_ = std::make_unique<Data>(Data{p});
  return std::shared_ptr<const ContactShape>(shape);
}
const SurfaceProperties& ContactShape::properties() const { return data_->properties; }
Aabb ContactShape::bounds(const Pose& X_WG) const { return {X_WG.p, X_WG.p}; }

struct Collision::Workspace {};
Collision::Collision(std::vector<Entry>, Filter) : work_(std::make_unique<Workspace>()) {}
Collision::~Collision() = default;
Collision::Collision(Collision&&) noexcept = default;
void Collision::find(const std::vector<Pose>&, RigidContactSet& contacts) { contacts.clear(); }

}  // namespace slipstick
