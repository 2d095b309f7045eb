#include "assets/srdf_io.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "assets/drake_tags.h"
#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/utf8.h"
#include "assets/xacro.h"
#include "assets/xml_text.h"
#include "engine/foundation/nearest_name.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxUnknownLinks = 10;  // that are said one by one

using Element = tinyxml2::XMLElement;
using Pair = std::pair<std::string, std::string>;  // of links, ascending

class SrdfReader {
 public:
  SrdfReader(const fs::path& file, const RobotDescription& robot, std::vector<Notice>& notices)
      : file_(file), robot_(robot), notices_(notices) {
    for (const LinkSpec& link : robot.links) linkNames_.push_back(link.name);
    links_.insert(linkNames_.begin(), linkNames_.end());
  }

  /// The pairs that do not meet.
  Result<std::set<Pair>> read(const Element& root) {
    noteOtherRobot(root);
    std::set<Pair> apart, together;
    for (const auto* e = root.FirstChildElement("enable_collisions"); e;
         e = e->NextSiblingElement("enable_collisions"))
      if (Result<void> ok = readPair(*e, together); !ok) return ok.error();
    for (const auto* e = root.FirstChildElement("disable_default_collisions"); e;
         e = e->NextSiblingElement("disable_default_collisions"))
      if (Result<void> ok = readLink(*e, together, apart); !ok) return ok.error();
    // After the exceptions from the defaults: what is said of a pair itself counts, as planners have it.
    for (const auto* e = root.FirstChildElement("disable_collisions"); e;
         e = e->NextSiblingElement("disable_collisions"))
      if (Result<void> ok = readPair(*e, apart); !ok) return ok.error();
    noteUnknownLinks();
    noteUnused(root);
    return apart;
  }

 private:
  std::string where(const Element& element) const {
    return placeInFile(file_, element.GetLineNum(), "<" + oneLine(element.Name()) + ">");
  }

  Result<std::string> linkIn(const Element& element, const char* attribute) const {
    const std::string name = attributeOr(element, attribute, "");
    if (!name.empty()) return name;
    return Error{ErrorCode::SyntaxError, "it names no link in '" + std::string(attribute) + "'",
                 where(element), "add " + std::string(attribute) + "=\"…\""};
  }

  bool isKnown(const std::string& link, const Element& element) {
    if (links_.contains(link)) return true;
    unknown_.try_emplace(link, element.GetLineNum());
    return false;
  }

  Result<void> readPair(const Element& element, std::set<Pair>& pairs) {
    const Result<std::string> a = linkIn(element, "link1"), b = linkIn(element, "link2");
    if (!a) return a.error();
    if (!b) return b.error();
    const bool knowsA = isKnown(*a, element), knowsB = isKnown(*b, element);
    if (knowsA && knowsB && *a != *b) pairs.insert(std::minmax(*a, *b));
    return checkCount(element, pairs);
  }

  /// A link that meets no other, but for those that it is said to meet.
  Result<void> readLink(const Element& element, const std::set<Pair>& together, std::set<Pair>& apart) {
    const Result<std::string> link = linkIn(element, "link");
    if (!link) return link.error();
    if (!isKnown(*link, element) || !done_.insert(*link).second) return {};
    for (const std::string& other : linkNames_)
      if (const Pair pair = std::minmax(*link, other); other != *link && !together.contains(pair))
        apart.insert(pair);
    return checkCount(element, apart);
  }

  Result<void> checkCount(const Element& element, const std::set<Pair>& pairs) const {
    if (pairs.size() <= limits::kRobotPairs) return {};
    return Error{ErrorCode::Unsupported,
                 "more than " + std::to_string(limits::kRobotPairs) + " pairs of links do not meet",
                 where(element), "name fewer of them"};
  }

  void noteOtherRobot(const Element& root) {
    const std::string name = attributeOr(root, "name", "");
    if (name.empty() || name == robot_.name) return;
    notices_.push_back({Notice::Level::Warning, oneLine(where(root)),
                        oneLine("it is of a robot '" + name + "', and this one is called '" + robot_.name +
                                "': check that it is the right file")});
  }

  void noteUnknownLinks() {
    int said = 0;
    for (const auto& [link, line] : unknown_) {
      if (++said > kMaxUnknownLinks) break;
      notices_.push_back(
          {Notice::Level::Warning, placeInFile(file_, line),
           oneLine("the robot has no link '" + link + "' (" + suggestName(link, linkNames_) + ")")});
    }
    if (unknown_.size() > kMaxUnknownLinks)
      notices_.push_back({Notice::Level::Warning, file_.string(),
                          "and " + std::to_string(unknown_.size() - kMaxUnknownLinks) +
                              " more links that the robot does not have"});
  }

  /// In one line: each planner's file has them.
  void noteUnused(const Element& root) {
    static const std::set<std::string> kUsed = {"enable_collisions", "disable_collisions",
                                                "disable_default_collisions"};
    constexpr std::size_t kMax = 8;
    std::set<std::string> tags;
    for (const Element* e = root.FirstChildElement(); e; e = e->NextSiblingElement())
      if (!kUsed.contains(e->Name())) tags.insert("<" + std::string(e->Name()).substr(0, 40) + ">");
    if (tags.empty()) return;
    std::string names;
    std::size_t listed = 0;
    for (const std::string& tag : tags)
      if (++listed <= kMax) names += (listed == 1 ? "" : ", ") + tag;
    notices_.push_back({Notice::Level::Info, file_.string(),
                        oneLine("only the links that do not meet are read of an SRDF file; not used: " +
                                names + (tags.size() > kMax ? ", …" : ""))});
  }

  const fs::path& file_;
  const RobotDescription& robot_;
  std::vector<Notice>& notices_;
  std::vector<std::string> linkNames_;
  std::set<std::string> links_;
  std::set<std::string> done_;          // links that meet no other
  std::map<std::string, int> unknown_;  // with the line that names it first
};

/// "panda" of panda.urdf and of panda.urdf.xacro.
std::string nameOf(const fs::path& robotFile) {
  const fs::path stem = robotFile.stem();
  return robotFile.extension() == ".xacro" && stem.has_extension() ? stem.stem().string() : stem.string();
}

}  // namespace

Result<void> addSrdf(const fs::path& file, RobotDescription& robot, std::vector<Notice>& notices,
                     LoadProgress* progress) {
  FileLog::note(file);
  Result<std::string> text = readRobotXml(file, progress);
  if (!text) return text.error();
  if (std::optional<Notice> latin1 = turnIntoUtf8(file, *text)) notices.push_back(std::move(*latin1));
  tinyxml2::XMLDocument xml;
  if (Result<void> ok = parseXml(file, *text, xml); !ok) return ok;
  const Element* root = xml.RootElement();
  if (!root || std::string_view(root->Name()) != "robot")
    return Error{ErrorCode::SyntaxError, "an SRDF file begins with <robot>, and this one does not",
                 placeInFile(file, root ? root->GetLineNum() : 0), "name the file with <disable_collisions>"};
  Result<std::set<Pair>> apart = SrdfReader(file, robot, notices).read(*root);
  if (!apart) return apart.error();
  for (const auto& [a, b] : robot.excludedLinks) apart->insert(std::minmax(a, b));
  robot.excludedLinks.assign(apart->begin(), apart->end());
  return {};
}

std::optional<fs::path> srdfBeside(const fs::path& robotFile) {
  const std::string name = nameOf(robotFile);
  for (const char* folder : {".", "../srdf", "../config"})
    for (const char* suffix : {".srdf", ".srdf.xacro"}) {
      const fs::path file = (robotFile.parent_path() / folder / (name + suffix)).lexically_normal();
      std::error_code failed;
      if (fs::is_regular_file(file, failed)) return file;
    }
  return std::nullopt;
}

void noteSrdfBeside(const fs::path& robotFile, std::vector<Notice>& notices) {
  const std::optional<fs::path> srdf = srdfBeside(robotFile);
  if (!srdf) return;
  noteOnce(notices,
           {Notice::Level::Info, robotFile.string(),
            oneLine("there is " + srdf->string() +
                    ", which may say what of it does not collide: a scene takes it by the key 'srdf' "
                    "of the robot, 'check' by --srdf")});
}

}  // namespace slipstick::assets
