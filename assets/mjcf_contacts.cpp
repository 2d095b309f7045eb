#include "assets/mjcf_contacts.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "assets/limits.h"
#include "assets/xml_text.h"

namespace slipstick::assets {
namespace {

using Element = MjcfDocument::Element;

struct Masks {
  std::uint32_t contype = 0, conaffinity = 0;
  auto operator<=>(const Masks&) const = default;
  bool meets(const Masks& other) const {
    return (contype & other.conaffinity) != 0 || (other.contype & conaffinity) != 0;
  }
};

class ContactReader {
 public:
  ContactReader(MjcfDocument& document, MjcfTree& tree) : document_(document), tree_(tree) {}

  Result<void> read() {
    if (Result<void> ok = readPairs(); !ok) return ok;
    if (Result<void> ok = readExcludes(); !ok) return ok;
    excludeNeighbours();
    if (Result<void> ok = excludeByMasks(); !ok) return ok;
    for (const auto& [a, b] : excluded_)
      if (!paired_.contains({a, b}))
        tree_.robot.excludedLinks.emplace_back(tree_.bodies[static_cast<std::size_t>(a)].name,
                                               tree_.bodies[static_cast<std::size_t>(b)].name);
    return {};
  }

 private:
  void exclude(int a, int b) {
    if (a != b) excluded_.insert(std::minmax(a, b));
  }

  Result<int> body(const Element& element, const std::string& name) const {
    const int index = tree_.findBody(name);
    if (index < 0) return document_.unknown(element, "body", name, tree_.bodyNames());
    return index;
  }

  /// Two names of an element, each with its replicas: these are taken together where there are equally many.
  std::vector<std::pair<std::string, std::string>> namesOf(const Element& element, const char* first,
                                                           const char* second) const {
    const auto a = tree_.namesOf(attributeOr(element, first, "")),
               b = tree_.namesOf(attributeOr(element, second, ""));
    std::vector<std::pair<std::string, std::string>> pairs;
    const std::size_t count = std::max(a.size(), b.size());
    for (std::size_t i = 0; i < count; ++i)
      pairs.emplace_back(a[std::min(i, a.size() - 1)], b[std::min(i, b.size() - 1)]);
    return pairs;
  }

  Result<void> readPairs() {
    std::map<std::string, int> bodyOf;
    std::vector<std::string> names;
    for (const MjcfGeom& geom : tree_.geoms) {
      bodyOf[geom.name] = geom.body;
      names.push_back(geom.name);
    }
    for (const Element* pair : document_.inSections("contact")) {
      if (std::string_view(pair->Name()) != "pair") continue;
      for (const auto& [first, second] : namesOf(*pair, "geom1", "geom2")) {
        for (const std::string& name : {first, second})
          if (!bodyOf.contains(name)) return document_.unknown(*pair, "geom", name, names);
        paired_.insert(std::minmax(bodyOf.at(first), bodyOf.at(second)));
      }
    }
    return {};
  }

  Result<void> readExcludes() {
    for (const Element* element : document_.inSections("contact")) {
      if (std::string_view(element->Name()) != "exclude") continue;
      for (const auto& [first, second] : namesOf(*element, "body1", "body2")) {
        const Result<int> a = body(*element, first), b = body(*element, second);
        if (!a) return a.error();
        if (!b) return b.error();
        exclude(*a, *b);
      }
    }
    return {};
  }

  /// Links that one joint connects do not meet anyway; with more of them links without mass stand in between. What hangs
  /// from the world meets it.
  void excludeNeighbours() {
    std::map<int, std::vector<int>> welded;  // by the body that they move with
    for (std::size_t b = 0; b < tree_.bodies.size(); ++b)
      welded[tree_.bodies[b].weldRoot].push_back(static_cast<int>(b));
    for (const auto& [root, members] : welded) {
      const MjcfBody& body = tree_.bodies[static_cast<std::size_t>(root)];
      const int parent = tree_.bodies[static_cast<std::size_t>(body.parent)].weldRoot;
      if (body.joints < 2 || parent == 0) continue;
      for (const int a : members)
        for (const int b : welded[parent]) exclude(a, b);
    }
  }

  /// Links with the same masks are treated together.
  Result<void> excludeByMasks() {
    std::map<int, std::set<Masks>> masksOf;
    for (const MjcfGeom& geom : tree_.geoms)
      if (geom.collides) masksOf[geom.body].insert({geom.contype, geom.conaffinity});
    std::map<std::set<Masks>, std::vector<int>> groups;
    for (const auto& [body, masks] : masksOf) groups[masks].push_back(body);
    for (auto a = groups.begin(); a != groups.end(); ++a)
      for (auto b = a; b != groups.end(); ++b) {
        const auto meeting = count(a->first, b->first);
        if (meeting > 0 && meeting < a->first.size() * b->first.size()) noteMixed(a->second, b->second);
        if (meeting > 0) continue;
        if (a->second.size() * b->second.size() + excluded_.size() > limits::kRobotPairs)
          return Error{ErrorCode::Unsupported, "the masks keep more than a million pairs of links apart",
                       document_.file().string(), "join links that move together, or split the model"};
        for (const int x : a->second)
          for (const int y : b->second) exclude(x, y);
      }
    return {};
  }

  static std::size_t count(const std::set<Masks>& a, const std::set<Masks>& b) {
    std::size_t meeting = 0;
    for (const Masks& x : a)
      for (const Masks& y : b) meeting += x.meets(y) ? 1 : 0;
    return meeting;
  }

  /// Once for the file, with an example.
  void noteMixed(const std::vector<int>& a, const std::vector<int>& b) {
    const auto [first, second] = std::minmax(a.front(), b.back());
    if (first == second || std::exchange(mixedIsNoted_, true)) return;
    document_.note(Notice::Level::Warning, *document_.sections("worldbody").front(),
                   "masks (contype, conaffinity) keep single geoms apart, as between '" +
                       tree_.bodies[static_cast<std::size_t>(first)].name + "' and '" +
                       tree_.bodies[static_cast<std::size_t>(second)].name +
                       "': here all shapes of two links meet, or none");
  }

  MjcfDocument& document_;
  MjcfTree& tree_;
  std::set<std::pair<int, int>> excluded_, paired_;  ///< bodies, the smaller index first
  bool mixedIsNoted_ = false;
};

/// One end of an equality.
struct End {
  int body = 0;
  Pose X_BE;
};

class EqualityReader {
 public:
  EqualityReader(MjcfDocument& document, MjcfTree& tree) : document_(document), tree_(tree) {}

  Result<void> read() {
    for (const Element* element : document_.inSections("equality"))
      if (Result<void> ok = readOne(*element); !ok) return ok;
    return {};
  }

 private:
  Result<void> readOne(const Element& element) {
    const std::string tag = element.Name();
    if (tag != "connect" && tag != "weld" && tag != "joint") return {};
    const MjcfItem item = document_.item(element);
    if (!tree_.flags.equalities) return {};
    if (!item.flag("active", true)) {
      document_.note(Notice::Level::Info, element, "this equality is switched off in the file: left out");
      return {};
    }
    if (tag == "joint") return readJoint(item);
    const std::size_t replicas =
        std::max(tree_.namesOf(item.text("body1")).size(), tree_.namesOf(item.text("site1")).size());
    for (std::size_t i = 0; i < replicas; ++i)
      if (Result<void> ok = addLoop(item, tag == "weld", i); !ok) return ok;
    return {};
  }

  std::string replica(const MjcfItem& item, const char* attribute, std::size_t i) const {
    const std::vector<std::string> names = tree_.namesOf(item.text(attribute));
    return names[std::min(i, names.size() - 1)];
  }

  Result<void> addLoop(const MjcfItem& item, bool isWeld, std::size_t i) {
    End a, b;
    const bool bySites = item.has("site1") || item.has("site2");
    const Result<void> ends = bySites ? siteEnds(item, i, a, b) : bodyEnds(item, i, isWeld, a, b);
    if (!ends) return ends;
    if (a.body == b.body)
      return document_.invalid(item.element(), "it joins a body to itself", "name two bodies");
    LoopSpec loop;
    loop.kind = isWeld && item.number("torquescale", 1) > 0 ? LoopKind::Weld : LoopKind::Ball;
    const std::string given = item.text("name");
    loop.name =
        given.empty() ? (isWeld ? "weld" : "connect") + std::to_string(tree_.robot.loops.size()) : given;
    if (i > 0) loop.name += "_" + std::to_string(i);
    if (!names_.insert(loop.name).second)
      return document_.invalid(item.element(), "there is an equality '" + loop.name + "' already",
                               "rename one of them");
    loop.linkA = tree_.bodies[static_cast<std::size_t>(a.body)].name;
    loop.X_LaA = a.X_BE;
    loop.linkB = tree_.bodies[static_cast<std::size_t>(b.body)].name;
    loop.X_LbB = b.X_BE;
    tree_.robot.loops.push_back(std::move(loop));
    return {};
  }

  Result<void> siteEnds(const MjcfItem& item, std::size_t i, End& a, End& b) const {
    for (const auto& [attribute, end] : {std::pair{"site1", &a}, std::pair{"site2", &b}}) {
      const std::string name = replica(item, attribute, i);
      const auto site = tree_.sites.find(name);
      if (site == tree_.sites.end())
        return document_.unknown(item.element(), "site", name, tree_.siteNames());
      *end = {site->second.body, site->second.X_BP};
    }
    return {};
  }

  /// Without `relpose` the equality holds where the file puts the bodies. The anchor of a connection is in the first
  /// body, that of a weld in the second.
  Result<void> bodyEnds(const MjcfItem& item, std::size_t i, bool isWeld, End& a, End& b) const {
    const std::string first = replica(item, "body1", i),
                      second = item.has("body2") ? replica(item, "body2", i) : "world";
    a.body = tree_.findBody(first);
    b.body = tree_.findBody(second);
    for (const auto& [body, name] : {std::pair{a.body, first}, std::pair{b.body, second}})
      if (body < 0) return document_.unknown(item.element(), "body", name, tree_.bodyNames());
    if (!isWeld && !item.has("anchor"))
      return document_.invalid(item.element(), "it has no anchor",
                               "write anchor=\"x y z\", in the frame of body1");
    const Pose anchor = Pose::translation(item.vec3("anchor", Vec3::Zero()));
    const Pose X_W1 = tree_.bodies[static_cast<std::size_t>(a.body)].X_WB,
               X_W2 = tree_.bodies[static_cast<std::size_t>(b.body)].X_WB;
    (isWeld ? b : a).X_BE = anchor;
    if (isWeld)
      a.X_BE = X_W1.inverse() * X_W2 * anchor;
    else
      b.X_BE = X_W2.inverse() * X_W1 * anchor;
    const std::vector<double> pose = item.numbers("relpose", {0, 1, 0, 0, 0, 0, 0});
    const Quat q(pose[3], pose[4], pose[5], pose[6]);
    if (isWeld && q.norm() > 0) a.X_BE = Pose::fromQuat(q, {pose[0], pose[1], pose[2]});
    return {};
  }

  /// joint1 follows joint2 along a line; along a curve it does not here.
  Result<void> readJoint(const MjcfItem& item) {
    const std::vector<std::string> followers = tree_.namesOf(item.text("joint1"));
    for (std::size_t i = 0; i < followers.size(); ++i)
      if (Result<void> ok = follow(item, followers[i], item.has("joint2") ? replica(item, "joint2", i) : "");
          !ok)
        return ok;
    return {};
  }

  Result<JointSpec*> scalarJoint(const MjcfItem& item, const std::string& name) const {
    const int index = tree_.findJoint(name);
    if (index < 0) return document_.unknown(item.element(), "joint", name, tree_.jointNames());
    const MjcfJoint& joint = tree_.joints[static_cast<std::size_t>(index)];
    if (multibody::positionCount(joint.type) != 1)
      return document_.invalid(item.element(), "'" + name + "' is neither a hinge nor a slide",
                               "name joints with one degree of freedom");
    return &tree_.specOf(joint);
  }

  /// @param leader  empty: the joint is held where it is told to be
  Result<void> follow(const MjcfItem& item, const std::string& follower, const std::string& leader) {
    const Result<JointSpec*> found = scalarJoint(item, follower);
    if (!found) return found.error();
    JointSpec& spec = **found;
    const std::vector<double> c = item.numbers("polycoef", {0, 1, 0, 0, 0});
    if (leader.empty()) {
      spec.lower = spec.upper = c[0];
      if (spec.type == multibody::JointType::Continuous) spec.type = multibody::JointType::Revolute;
      return {};
    }
    if (const Result<JointSpec*> other = scalarJoint(item, leader); !other) return other.error();
    const bool isLine = c[2] == 0 && c[3] == 0 && c[4] == 0;
    if (!isLine || !spec.mimic.empty() || follows(leader, follower)) {
      document_.note(Notice::Level::Warning, item.element(),
                     !isLine ? "a joint that follows another along a curve is not simulated: it moves freely"
                             : "'" + follower + "' follows another joint already: this equality is left out");
      return {};
    }
    spec.mimic = leader;
    spec.mimicRatio = c[1];
    spec.mimicOffset = c[0];
    return {};
  }

  /// Whether a joint follows another, over any number of others.
  bool follows(std::string joint, const std::string& leader) const {
    for (std::size_t steps = 0; steps <= tree_.joints.size() && !joint.empty(); ++steps) {
      if (joint == leader) return true;
      const int index = tree_.findJoint(joint);
      joint = tree_.robot.joints[tree_.joints[static_cast<std::size_t>(index)].spec].mimic;
    }
    return false;
  }

  MjcfDocument& document_;
  MjcfTree& tree_;
  std::set<std::string> names_;
};

}  // namespace

Result<void> readMjcfContacts(MjcfDocument& document, MjcfTree& tree) {
  return ContactReader(document, tree).read();
}

Result<void> readMjcfEqualities(MjcfDocument& document, MjcfTree& tree) {
  return EqualityReader(document, tree).read();
}

}  // namespace slipstick::assets
