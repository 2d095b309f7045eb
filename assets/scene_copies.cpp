#include "assets/scene_copies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "assets/degree.h"
#include "assets/scene_format.h"
#include "assets/scene_merge.h"
#include "assets/scene_mirror.h"
#include "assets/yaml_reader.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"

namespace slipstick::assets {
namespace {

constexpr std::size_t kMaxReflections = 16;
constexpr int kDigits = 15;  // of sums and turned vectors, so that 0.15 + 3 · 0.2 is 0.75

const std::vector<std::string> kReplicated = {"bodies", "robots", "deformables", "boundaries"};
const std::vector<std::string> kMirrored = {"bodies",     "robots", "deformables",
                                            "boundaries", "paths",  "frames"};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// How many copies there are and where.
struct Replication {
  std::array<int, 3> count = {1, 1, 1};
  bool isGrid = false;  ///< counted along x, y and z; otherwise each from the one before
  Vec3 offset = Vec3::Zero();
  Vec3 rpy_deg = Vec3::Zero();
  int first = 0;

  int total() const { return count[0] * count[1] * count[2]; }
  /// Of each copy from the first one on, in the axes of its pose.
  std::vector<Pose> motions() const {
    std::vector<Pose> motions;
    const Pose step = Pose::fromRpy(rpy_deg * kDegree, offset);
    for (int i = 0; i < total(); ++i) {
      const Vec3 place(i % count[0], i / count[0] % count[1], i / (count[0] * count[1]));
      if (isGrid || rpy_deg.isZero(0))
        motions.push_back(Pose::translation(isGrid ? Vec3(place.cwiseProduct(offset)) : Vec3(i * offset)));
      else
        motions.push_back(motions.empty() ? Pose{} : step * motions.back());
    }
    return motions;
  }
};

void readCount(const YamlValue& count, Replication& replication) {
  if (!count.isList()) {
    replication.count[0] = count.integer(1, kMaxCopies);
    return;
  }
  replication.isGrid = true;
  const std::vector<YamlValue> items = count.list();
  if (items.size() != 3)
    count.fail(ErrorCode::InvalidValue, "one whole number, or three, are expected here",
               "write n or [nx, ny, nz]");
  for (std::size_t i = 0; i < 3 && items.size() == 3; ++i)
    replication.count[i] = items[i].integer(1, kMaxCopies);
  const double total =
      static_cast<double>(replication.count[0]) * replication.count[1] * replication.count[2];
  if (total > kMaxCopies)
    count.fail(ErrorCode::InvalidValue, "these are more than 10,000 copies", "write smaller numbers");
}

Replication readReplication(const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("replicate"));
  Replication replication;
  readCount(map.require("count"), replication);
  replication.offset = map.vec3("offset");
  replication.rpy_deg = map.vec3("rpy_deg");
  replication.first = map.integer("first", 0, 0, 1'000'000);
  if (replication.isGrid && map.has("rpy_deg"))
    map["rpy_deg"].fail(ErrorCode::InvalidValue, "a grid of copies does not turn them",
                        "remove the key, or write one count");
  return replication;
}

YamlTree numbersLike(const YamlNode& place, const VecX& numbers, int digits) {
  std::vector<YamlTree> items;
  for (const double x : numbers) items.push_back(scalarLike(place, significant(x + 0.0, digits)));
  return listLike(place, std::move(items));
}

/// An entry with its pose and velocities moved on.
class Moving {
 public:
  Moving(const YamlTree& entry, const YamlMap& map, const Replication& replication)
      : entry_(entry), map_(map), replication_(replication) {}

  /// @param i  how many copies stand before it
  YamlTree by(const Pose& motion, int i) const {
    if (i == 0) return entry_;
    YamlTree moved =
        withKey(entry_, "position", numbersLike(*entry_, motion * map_.vec3("position"), kDigits));
    if (replication_.rpy_deg.isZero(0)) return moved;
    for (const char* key : {"velocity", "angular_velocity"})
      if (map_.has(key))
        moved = withKey(moved, key, numbersLike(*entry_, motion.R * map_.vec3(key), kDigits));
    return turned(moved, motion.R, i);
  }

 private:
  YamlTree turned(const YamlTree& moved, const Mat3& R, int i) const {
    const Vec3 rpy = map_.vec3("rpy_deg");
    const bool aboutZ = replication_.rpy_deg.head<2>().isZero(0);
    if (aboutZ && !map_.has("rotation")) {  // yaw is the last of the three turns
      const Vec3 angles(rpy.x(), rpy.y(), std::remainder(rpy.z() + i * replication_.rpy_deg.z(), 360));
      return withKey(moved, "rpy_deg", numbersLike(*entry_, angles, kDigits));
    }
    Mat3 own = Pose::fromRpy(rpy * kDegree, Vec3::Zero()).R;
    if (map_.has("rotation"))
      own =
          Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(map_["rotation"].numbers(9).data());
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows = R * own;
    return withKey(withoutKey(moved, "rpy_deg"), "rotation",
                   numbersLike(*entry_, Eigen::Map<const VecX>(rows.data(), 9), 17));
  }

  const YamlTree& entry_;
  const YamlMap& map_;
  const Replication& replication_;
};

/// The copies and mirror images of one block.
class Copying {
 public:
  Copying(std::string name, YamlTree block) : name_(std::move(name)), block_(std::move(block)) {}

  Result<YamlTree> run() {
    if (contains(kMirrored, name_)) reflect();
    if (contains(kReplicated, name_)) replicate();
    if (document_.fault) return *document_.fault;
    return block_;
  }

 private:
  YamlValue valueOf(const std::string& name, const char* key, const YamlTree& node) {
    return YamlValue::of(node, name_ + "." + pathKey(name) + "." + key, document_);
  }

  void reflect() {
    std::vector<YamlNode::Entry> entries = block_->entries;
    for (YamlNode::Entry& entry : entries)
      if (hasKey(entry.value, kMirror)) entry.value = imageOf(entry.key, entry.value);
    block_ = withEntries(block_, std::move(entries));
  }
  YamlTree imageOf(const std::string& name, const YamlTree& entry);
  YamlTree originalOf(const YamlValue& of);
  void refusePath(const YamlTree& original, const YamlTree& own, const YamlValue& value);

  void replicate();
  void addCopies(const YamlNode::Entry& entry, std::vector<YamlNode::Entry>& entries);
  bool isTooMuch(std::size_t values, const YamlValue& value);

  std::string name_;
  YamlTree block_;
  YamlDocument document_;
  std::map<std::string, YamlTree> images_;
  std::set<std::string> open_;  ///< images that wait for their originals
  std::size_t made_ = 0;        ///< values of all copies and images
};

bool Copying::isTooMuch(std::size_t values, const YamlValue& value) {
  made_ += values;
  if (made_ > kMaxYamlValues)
    value.fail(ErrorCode::InvalidValue,
               "the copies have more than " + std::to_string(kMaxYamlValues) + " values",
               "make fewer of them");
  return document_.fault.has_value();
}

YamlTree Copying::imageOf(const std::string& name, const YamlTree& entry) {
  if (const auto known = images_.find(name); known != images_.end()) return known->second;
  const YamlValue value = valueOf(name, kMirror, valueAt(entry, kMirror));
  if (!open_.insert(name).second)
    value.fail(ErrorCode::InvalidValue, "the entry is an image of itself", "write one of the entries out");
  if (open_.size() > kMaxReflections)
    value.fail(ErrorCode::InvalidValue, "it is an image of an image, more than 16 times",
               "mirror the first of them");
  const YamlMap map = value.map(keyNamesOf("mirror"));
  MirrorPlane plane;
  plane.axis = static_cast<int>(map.require("normal").choice({"x", "y", "z"}));
  plane.point = map.vec3("point");
  const YamlTree original = document_.fault ? nullptr : originalOf(map.require("of"));
  if (!original || isTooMuch(original->size, value)) return entry;
  const YamlTree own = withoutKey(entry, kMirror);
  refusePath(original, own, value);
  open_.erase(name);
  return images_[name] = merged(mirrored(original, plane, name_ == "paths"), own);
}

YamlTree Copying::originalOf(const YamlValue& of) {
  const std::string name = of.text();
  const YamlTree original = valueAt(block_, name);
  if (!original && !document_.fault) {
    std::vector<std::string> names;
    for (const YamlNode::Entry& entry : block_->entries) names.push_back(entry.key);
    of.fail(ErrorCode::UnknownName, "'" + name_ + "' has no '" + name + "' to be mirrored",
            isCopy(name, block_) ? "mirror all copies at once, by the name that is replicated"
                                 : suggestName(name, names));
  }
  if (document_.fault) return nullptr;
  return hasKey(original, kMirror) ? imageOf(name, original) : original;
}

void Copying::refusePath(const YamlTree& original, const YamlTree& own, const YamlValue& value) {
  if (hasKey(original, "path") && !hasKey(own, "path"))
    value.fail(ErrorCode::InvalidValue, "the original follows a path, on which its image cannot be, too",
               "write 'path: …' beside 'mirror', of a path that is mirrored itself");
}

void Copying::replicate() {
  std::vector<YamlNode::Entry> entries;
  for (const YamlNode::Entry& entry : block_->entries) {
    if (document_.fault) return;
    if (hasKey(entry.value, kReplicate) && valueAt(entry.value, kReplicate)->kind != YamlNode::Kind::Null)
      addCopies(entry, entries);
    else if (!isCopy(entry.key, block_))  // those stand where they are made
      entries.push_back({entry.key, withoutKey(entry.value, kReplicate)});
  }
  block_ = withEntries(block_, std::move(entries));
}

void Copying::addCopies(const YamlNode::Entry& entry, std::vector<YamlNode::Entry>& entries) {
  const YamlValue value = valueOf(entry.key, kReplicate, valueAt(entry.value, kReplicate));
  const Replication replication = readReplication(value);
  if (document_.fault) return;
  const YamlTree one = withoutKey(entry.value, kReplicate);
  if (hasKey(one, "path"))
    value.fail(ErrorCode::InvalidValue, "what follows a path has no place of its own to copy it from",
               "remove 'path' or 'replicate'");
  if (isTooMuch(one->size * static_cast<std::size_t>(replication.total()), value)) return;
  const YamlValue self = YamlValue::of(one, name_ + "." + pathKey(entry.key), document_);
  const YamlMap map(self, self.entries());
  const Moving moving(one, map, replication);
  const std::vector<Pose> motions = replication.motions();
  for (int i = 0; i < replication.total(); ++i) {
    const std::string name = entry.key + "_" + std::to_string(replication.first + i);
    const YamlTree over = valueAt(block_, name);
    if (over && over->kind == YamlNode::Kind::Null) continue;
    entries.push_back({name, merged(moving.by(motions[static_cast<std::size_t>(i)], i), over)});
  }
}

/// A whole number of at least 0; nothing where a text is none.
std::optional<int> wholeNumber(const YamlTree& tree) {
  if (!tree || !tree->isScalar()) return std::nullopt;
  const Result<int> number = wholeNumberIn(tree->scalar, 0, 1'000'000'000);
  return number ? std::optional(*number) : std::nullopt;
}

}  // namespace

bool isCopy(const std::string& name, const YamlTree& block) {
  const std::size_t underscore = name.rfind('_');
  if (underscore == std::string::npos) return false;
  const std::string digits = name.substr(underscore + 1);
  const Result<int> number = wholeNumberIn(digits, 0, 2'000'000);
  if (!number || std::to_string(*number) != digits) return false;
  YamlTree made = valueAt(block, name.substr(0, underscore));
  for (std::size_t i = 0; i < kMaxReflections && hasKey(made, kMirror) && !hasKey(made, kReplicate); ++i) {
    const YamlTree of = valueAt(valueAt(made, kMirror), "of");
    made = of ? valueAt(block, of->scalar) : nullptr;
  }
  const YamlTree replicate = valueAt(made, kReplicate);
  const YamlTree count = valueAt(replicate, "count");
  if (!count || count->entries.size() > 3) return false;
  double total = count->isList() ? 1 : wholeNumber(count).value_or(0);
  for (const YamlNode::Entry& entry : count->entries) total *= wholeNumber(entry.value).value_or(0);
  const int first = wholeNumber(valueAt(replicate, "first")).value_or(0);
  return *number >= first && *number - first < total;
}

Result<YamlTree> withCopies(const YamlTree& scene) {
  std::vector<YamlNode::Entry> blocks = scene->entries;
  for (YamlNode::Entry& block : blocks) {
    const auto isMade = [](const YamlNode::Entry& entry) {
      return hasKey(entry.value, kReplicate) || hasKey(entry.value, kMirror);
    };
    const auto& entries = block.value->entries;
    if (!block.value->isMap() || std::none_of(entries.begin(), entries.end(), isMade)) continue;
    Result<YamlTree> copied = Copying(block.key, block.value).run();
    if (!copied) return copied;
    block.value = std::move(*copied);
  }
  return withEntries(scene, std::move(blocks));
}

}  // namespace slipstick::assets
