#include "assets/drake_tags.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/xml_text.h"
#include "engine/foundation/nearest_name.h"

namespace slipstick::assets {
namespace {

constexpr std::size_t kMaxGroups = 10'000;
constexpr std::size_t kMaxComparisons = 20'000'000;
constexpr int kMaxUnknownNames = 10;  // that are said, per group

Result<double> numberOf(const std::string& tag, const std::string& text, bool mayBeZero,
                        const std::string& where) {
  const std::optional<std::vector<double>> values = numbersIn(text);
  if (!values || values->size() != 1 || !std::isfinite(values->front()) || values->front() < 0 ||
      (values->front() == 0 && !mayBeZero))
    return Error{ErrorCode::InvalidValue, oneLine("<" + tag + "> is '" + text.substr(0, 60) + "'"), where,
                 mayBeZero ? "write a number of at least 0" : "write a number greater than 0"};
  return values->front();
}

/// The members of a group and of the groups inside it.
std::set<std::string> membersOf(const std::map<std::string, const FilterGroup*>& groups,
                                const std::string& name) {
  std::set<std::string> visited, links;
  for (std::vector<std::string> open = {name}; !open.empty();) {
    const auto found = groups.find(open.back());
    open.pop_back();
    if (found == groups.end() || !visited.insert(found->first).second) continue;
    links.insert(found->second->links.begin(), found->second->links.end());
    open.insert(open.end(), found->second->groups.begin(), found->second->groups.end());
  }
  return links;
}

void noteUnknown(const FilterGroup& group, const std::string& kind, const std::vector<std::string>& names,
                 const std::vector<std::string>& known, std::vector<Notice>& notices) {
  int said = 0;
  for (const std::string& name : names)
    if (said < kMaxUnknownNames && std::find(known.begin(), known.end(), name) == known.end() && ++said)
      notices.push_back(
          {Notice::Level::Warning, group.where,
           oneLine("there is no " + kind + " '" + name + "' (" + suggestName(name, known) + ")")});
}

}  // namespace

void noteOnce(std::vector<Notice>& notices, Notice notice) {
  const bool known = std::any_of(notices.begin(), notices.end(),
                                 [&](const Notice& other) { return other.what == notice.what; });
  if (!known) notices.push_back(std::move(notice));
}

Result<ContactSpec> contactOf(const DrakeTags& tags, const std::string& where, std::vector<Notice>& notices) {
  ContactSpec contact;
  std::map<std::string, double> value;
  const auto info = [&](const std::string& what) { noteOnce(notices, {Notice::Level::Info, where, what}); };
  for (const auto& [tag, text] : tags) {
    if (tag == "drake:rigid_hydroelastic") {
      contact.rigid.representation = ContactRepresentation::Rigid;
    } else if (tag == "drake:compliant_hydroelastic" || tag == "drake:soft_hydroelastic") {
      contact.rigid.representation = ContactRepresentation::Compliant;
    } else if (tag == "drake:mesh_resolution_hint") {
      info("<drake:mesh_resolution_hint> is not needed: shapes are not meshed for contact");
    } else if (tag == "drake:relaxation_time") {
      info("<drake:relaxation_time> is not used: contact dissipates by <drake:hunt_crossley_dissipation>");
    } else if (tag == "drake:mu_static" || tag == "drake:mu_dynamic" || tag == "drake:hydroelastic_modulus" ||
               tag == "drake:hunt_crossley_dissipation" || tag == "drake:point_contact_stiffness") {
      const bool mayBeZero = tag != "drake:hydroelastic_modulus" && tag != "drake:point_contact_stiffness";
      const Result<double> number = numberOf(tag, text, mayBeZero, where);
      if (!number) return number.error();
      value[tag] = *number;
    } else {
      info("<" + tag + "> is not used");
    }
  }
  const auto given = [&](const char* tag) -> std::optional<double> {
    const auto found = value.find(tag);
    return found == value.end() ? std::nullopt : std::optional<double>(found->second);
  };
  const std::optional<double> still = given("drake:mu_static"), sliding = given("drake:mu_dynamic");
  contact.friction = sliding ? sliding : still;
  if (still && sliding && *still != *sliding)
    noteOnce(notices,
             {Notice::Level::Warning, where,
              "mu_static differs from mu_dynamic: mu_dynamic is used for both sticking and sliding"});
  contact.rigid.modulus = given("drake:hydroelastic_modulus");
  contact.rigid.dissipation = given("drake:hunt_crossley_dissipation");
  contact.rigid.stiffness = given("drake:point_contact_stiffness");
  if (contact.rigid.stiffness && !contact.rigid.representation)
    contact.rigid.representation = ContactRepresentation::Point;
  return contact;
}

Result<std::vector<std::pair<std::string, std::string>>> excludedLinks(const std::vector<FilterGroup>& groups,
                                                                       const std::vector<LinkSpec>& links,
                                                                       std::vector<Notice>& notices) {
  std::vector<std::string> linkNames, groupNames;
  for (const LinkSpec& link : links) linkNames.push_back(link.name);
  const std::set<std::string> known(linkNames.begin(), linkNames.end());
  std::map<std::string, const FilterGroup*> byName;
  for (const FilterGroup& group : groups) {
    byName[group.name] = &group;
    groupNames.push_back(group.name);
  }
  const auto tooMany = [](const FilterGroup& group) {
    return Error{ErrorCode::InvalidValue, "the collision filter groups are too many or too large",
                 group.where, "use fewer and smaller groups"};
  };
  if (groups.size() > kMaxGroups) return tooMany(groups.back());
  std::set<std::pair<std::string, std::string>> pairs;
  std::size_t comparisons = 0;
  for (const FilterGroup& group : groups) {
    noteUnknown(group, "link", group.links, linkNames, notices);
    noteUnknown(group, "collision filter group", group.groups, groupNames, notices);
    noteUnknown(group, "collision filter group", group.ignored, groupNames, notices);
    const std::set<std::string> mine = membersOf(byName, group.name);
    for (const std::string& other : group.ignored) {
      const std::set<std::string> theirs = membersOf(byName, other);
      comparisons += (1 + mine.size()) * (1 + theirs.size());
      if (comparisons > kMaxComparisons) return tooMany(group);
      for (const std::string& a : mine)
        for (const std::string& b : theirs)
          if (a != b && known.contains(a) && known.contains(b)) pairs.insert(std::minmax(a, b));
      if (pairs.size() > limits::kRobotPairs) return tooMany(group);
    }
  }
  return std::vector<std::pair<std::string, std::string>>(pairs.begin(), pairs.end());
}

}  // namespace slipstick::assets
