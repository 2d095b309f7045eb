#include "assets/scene_mirror.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/foundation/number_text.h"

namespace slipstick::assets {
namespace {

constexpr int kDigits = 15;  // of sums, so that 0.3 stays 0.3

/// How the numbers of a key change.
enum class Turns {
  Point,
  Vector,
  Axial,  ///< angles about axes, angular velocities
  Matrix,
  Quaternion,
  Scale,
};

constexpr std::array<std::pair<std::string_view, Turns>, 10> kTurning = {{
    {"position", Turns::Point},
    {"velocity", Turns::Vector},
    {"displacement", Turns::Vector},
    {"offset", Turns::Vector},
    {"rpy_deg", Turns::Axial},
    {"rotation_deg", Turns::Axial},
    {"angular_velocity", Turns::Axial},
    {"rotation", Turns::Matrix},
    {"quaternion", Turns::Quaternion},
    {"scale", Turns::Scale},
}};

/// Signs only, so that what is exact stays so.
YamlTree negated(const YamlTree& number) {
  const std::string& text = number->scalar;
  if (!number->isScalar() || text.empty() || parseNumber(text).value_or(0) == 0) return number;
  return scalarLike(*number,
                    text[0] == '-' ? text.substr(1) : "-" + (text[0] == '+' ? text.substr(1) : text));
}

/// x on the other side of c.
YamlTree reflected(const YamlTree& number, double c) {
  const std::optional<double> x = number->isScalar() ? parseNumber(number->scalar) : std::nullopt;
  if (c == 0 || !x) return negated(number);
  return scalarLike(*number, significant(2 * c - *x + 0.0, kDigits));
}

class Mirroring {
 public:
  explicit Mirroring(const MirrorPlane& plane) : plane_(plane) {}

  enum class Holds { Pose, NoPose };
  YamlTree block(const YamlTree& block, Holds holds) const {
    if (!block->isMap()) return block;
    std::vector<YamlNode::Entry> entries = block->entries;
    for (YamlNode::Entry& entry : entries) entry.value = value(entry.key, entry.value);
    YamlTree turned = withEntries(block, std::move(entries));
    if (holds == Holds::NoPose) return turned;
    return withShapeTurned(withPosition(turned));
  }

 private:
  YamlTree value(const std::string& key, const YamlTree& value) const {
    if (key == "start") return block(value, Holds::Pose);
    if (key == "replicate") return block(value, Holds::NoPose);
    if (key == "keys") return each(value, Holds::Pose);
    if (key == "moves") return each(value, Holds::NoPose);
    if (key == "shapes") return Mirroring({plane_.axis, Vec3::Zero()}).each(value, Holds::Pose);
    const auto found =
        std::find_if(kTurning.begin(), kTurning.end(), [&](const auto& k) { return k.first == key; });
    return found == kTurning.end() ? value : numbers(value, found->second);
  }
  YamlTree each(const YamlTree& list, Holds holds) const {
    if (!list->isList()) return list;
    std::vector<YamlNode::Entry> items = list->entries;
    for (YamlNode::Entry& item : items) item.value = block(item.value, holds);
    return withEntries(list, std::move(items));
  }

  /// A list of a count that does not fit stays as it is, for the reader to refuse.
  YamlTree numbers(const YamlTree& list, Turns turns) const {
    if (turns == Turns::Scale && list->isScalar()) return numbers(listLike(*list, {list, list, list}), turns);
    const std::size_t count = turns == Turns::Matrix ? 9 : turns == Turns::Quaternion ? 4 : 3;
    if (!list->isList() || list->entries.size() != count) return list;
    std::vector<YamlNode::Entry> items = list->entries;
    for (std::size_t i = 0; i < count; ++i) {
      if (turns == Turns::Point && isAxis(i))
        items[i].value = reflected(items[i].value, plane_.point[plane_.axis]);
      else if (turns != Turns::Point && changesSign(i, turns))
        items[i].value = negated(items[i].value);
    }
    return withEntries(list, std::move(items));
  }
  bool isAxis(std::size_t i) const { return i == static_cast<std::size_t>(plane_.axis); }
  bool changesSign(std::size_t i, Turns turns) const {
    if (turns == Turns::Axial) return !isAxis(i);
    if (turns == Turns::Matrix) return isAxis(i / 3) != isAxis(i % 3);
    if (turns == Turns::Quaternion) return i > 0 && !isAxis(i - 1);
    return isAxis(i);
  }

  /// What is not written lies at the origin, which has an image, too.
  YamlTree withPosition(const YamlTree& block) const {
    if (plane_.point[plane_.axis] == 0 || hasKey(block, "position")) return block;
    const YamlTree zero = scalarLike(*block, "0");
    return withKey(block, "position", numbers(listLike(*block, {zero, zero, zero}), Turns::Point));
  }
  /// The half-space below a plane is all above it when it is mirrored at the plane: then its frame turns over. A mesh
  /// turns inside by its scale.
  YamlTree withShapeTurned(const YamlTree& block) const {
    const YamlTree shape = valueAt(block, "shape");
    const YamlTree one = scalarLike(*block, "1");
    if (shape && shape->scalar == "mesh" && !hasKey(block, "scale"))
      return withKey(block, "scale", numbers(listLike(*block, {one, one, one}), Turns::Scale));
    if (!shape || shape->scalar != "plane" || plane_.axis != 2) return block;
    if (const YamlTree rotation = valueAt(block, "rotation")) {
      std::vector<YamlNode::Entry> columns = rotation->entries;
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (i % 3 > 0) columns[i].value = negated(columns[i].value);
      return withKey(block, "rotation", withEntries(rotation, std::move(columns)));
    }
    const YamlTree zero = scalarLike(*block, "0"), rpy = valueAt(block, "rpy_deg");
    std::vector<YamlTree> angles = {zero, zero, zero};
    for (std::size_t i = 0; rpy && i < 3 && i < rpy->entries.size(); ++i) angles[i] = rpy->entries[i].value;
    const double roll = parseNumber(angles[0]->scalar).value_or(0);
    angles[0] = scalarLike(*angles[0], significant(roll > 0 ? roll - 180 : roll + 180, kDigits));
    return withKey(block, "rpy_deg", listLike(*block, std::move(angles)));
  }

  MirrorPlane plane_;
};

}  // namespace

YamlTree mirrored(const YamlTree& entry, const MirrorPlane& plane, bool isPath) {
  const auto holds = isPath ? Mirroring::Holds::NoPose : Mirroring::Holds::Pose;
  return Mirroring(plane).block(entry, holds);
}

}  // namespace slipstick::assets
