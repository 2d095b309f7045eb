#include "assets/sdf_inertial.h"

#include <sdf/Collision.hh>
#include <sdf/Element.hh>

#include "assets/drake_tags.h"
#include "assets/xml_text.h"
#include "engine/compile/shape_mass.h"

namespace slipstick::assets {
namespace {

constexpr double kUsualDensity = 1000;                                       // [kg/m³], SDF's default
const std::string kAuto = "slipstick:auto", kDensity = "slipstick:density";  // as SdfDocument writes them

/// A number that SdfDocument has checked, or the fallback.
double numberIn(const sdf::ElementPtr& parent, const std::string& tag, double fallback) {
  if (!parent || !parent->HasElement(tag)) return fallback;
  const auto numbers = numbersIn(parent->FindElement(tag)->GetValue()->GetAsString());
  return numbers && numbers->size() == 1 ? numbers->front() : fallback;
}

/// About a point r away from the centre of mass (Steiner).
Mat3 movedInertia(double mass, const Vec3& r) {
  return mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
}

struct Part {
  double mass = 0;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  ///< about com
};

void putTogether(const std::vector<Part>& parts, LinkSpec& spec) {
  spec.mass = 0;
  spec.com.setZero();
  spec.inertia.setZero();
  for (const Part& part : parts) spec.mass += part.mass;
  for (const Part& part : parts) spec.com += part.mass / spec.mass * part.com;
  for (const Part& part : parts) spec.inertia += part.inertia + movedInertia(part.mass, part.com - spec.com);
}

/// Densities count for their ratios alone where the whole mass is written.
void scaleTo(double mass, LinkSpec& spec) {
  if (spec.mass > 0) spec.inertia *= mass / spec.mass;
  spec.mass = mass;
}

void computeInertial(const sdf::Link& link, const sdf::ElementPtr& inertial, const std::string& where,
                     LinkSpec& spec, std::vector<Notice>& notices) {
  const double usual = numberIn(inertial, kDensity, kUsualDensity);
  std::vector<Part> parts;
  for (const LinkGeometry& shape : spec.collisions) {
    const sdf::Collision* collision = link.CollisionByName(shape.name);
    const double density = numberIn(collision ? collision->Element() : nullptr, kDensity, usual);
    const Result<MassProperties> unit = massProperties(std::vector<LinkGeometry>{shape});
    if (!unit) {
      noteOnce(notices,
               {Notice::Level::Warning, where,
                "its collision '" + shape.name + "' does not count for its mass: " + unit.error().what});
      continue;
    }
    parts.push_back({density * unit->volume, unit->com, density * unit->inertiaPerDensity});
  }
  const double written = numberIn(inertial, "mass", 0);
  for (const char* tag : {"mass", "inertia", "pose"})
    if (inertial->HasElement(tag) && !(std::string_view(tag) == "mass" && written > 0))
      noteOnce(notices,
               {Notice::Level::Warning, where,
                "<" + std::string(tag) + "> of its <inertial> is not used: auto=\"true\" computes it"});
  putTogether(parts, spec);
  if (written > 0) scaleTo(written, spec);
  if (parts.empty())
    noteOnce(notices,
             {Notice::Level::Warning, where,
              std::string("its inertia is to be that of its collision shapes, of which none has a volume: ") +
                  (written > 0 ? "its mass is a point" : "it has no mass")});
}

void readWritten(const sdf::Link& link, LinkSpec& spec) {
  const auto& inertial = link.Inertial();
  const auto& matrix = inertial.MassMatrix();
  const auto& X = inertial.Pose();
  const Mat3 R = Quat(X.Rot().W(), X.Rot().X(), X.Rot().Y(), X.Rot().Z()).normalized().toRotationMatrix();
  Mat3 I;
  I << matrix.Ixx(), matrix.Ixy(), matrix.Ixz(), matrix.Ixy(), matrix.Iyy(), matrix.Iyz(), matrix.Ixz(),
      matrix.Iyz(), matrix.Izz();
  spec.mass = matrix.Mass();
  spec.com = Vec3(X.Pos().X(), X.Pos().Y(), X.Pos().Z());
  spec.inertia = R * I * R.transpose();
}

}  // namespace

void readInertial(const sdf::Link& link, const std::string& where, bool isStatic, LinkSpec& spec,
                  std::vector<Notice>& notices) {
  const bool isWritten = link.Element()->HasElement("inertial");
  const sdf::ElementPtr inertial = isWritten ? link.Element()->FindElement("inertial") : nullptr;
  if (inertial && inertial->HasElement(kAuto)) return computeInertial(link, inertial, where, spec, notices);
  readWritten(link, spec);
  if (!isWritten && !isStatic)
    notices.push_back(
        {Notice::Level::Warning, where, "it has no <inertial>: taken as SDF's default of 1 kg and 1 kg m²"});
}

}  // namespace slipstick::assets
