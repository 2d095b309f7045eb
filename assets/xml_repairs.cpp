#include "assets/xml_repairs.h"

#include <algorithm>
#include <map>

#include "assets/one_line.h"
#include "assets/xml_text.h"
#include "engine/foundation/number_text.h"

namespace slipstick::assets {

std::optional<MendedNumbers> mendedNumbers(const std::string& text,
                                           const std::function<bool(std::size_t)>& fits) {
  const std::optional<std::vector<double>> written = numbersIn(text);
  if (written && fits(written->size())) return MendedNumbers{*written, ""};
  const auto with = [&](char instead) {
    std::string other = text;
    std::replace(other.begin(), other.end(), ',', instead);
    const std::optional<std::vector<double>> values = numbersIn(other);
    return values && fits(values->size()) ? values : std::nullopt;
  };
  if (text.find(',') != std::string::npos) {
    if (const auto values = with(' ')) return MendedNumbers{*values, "its commas are taken as spaces"};
    if (const auto values = with('.'))
      return MendedNumbers{*values, "its commas are taken as decimal points"};
  }
  if (!text.empty() && (text.back() == '"' || text.back() == '\''))
    if (const auto values = numbersIn(text.substr(0, text.size() - 1)); values && fits(values->size()))
      return MendedNumbers{*values, "the quotation mark after the number is ignored"};
  if (!written) return std::nullopt;
  return MendedNumbers{*written, ""};
}

std::string textOf(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + shortest(value);
  return text;
}

std::vector<Repeated> dropRepeated(tinyxml2::XMLElement& parent, const std::set<std::string>& once) {
  std::map<std::string, const tinyxml2::XMLElement*> first;
  std::vector<Repeated> repeated;
  const bool isOneOfAll = once.contains("*");
  for (tinyxml2::XMLElement* child = parent.FirstChildElement(); child;) {
    tinyxml2::XMLElement* next = child->NextSiblingElement();
    const std::string tag = child->Name();
    if (isOneOfAll || once.contains(tag)) {
      const auto [known, isFirst] = first.try_emplace(isOneOfAll ? "*" : tag, child);
      if (!isFirst) {
        const std::string kind = isOneOfAll
                                     ? "second shape in <" + std::string(parent.Name()) + ">, <" + tag + ">,"
                                     : "second <" + tag + "> in <" + parent.Name() + ">";
        repeated.push_back({oneLine("a " + kind + " is not used: the first, of line " +
                                    std::to_string(known->second->GetLineNum()) + ", counts"),
                            child->GetLineNum()});
        parent.DeleteChild(child);
      }
    }
    child = next;
  }
  return repeated;
}

std::string notUsed(const std::string& what, int places) {
  const std::string more = " (" + std::to_string(places) + " places, this is the first)";
  return oneLine(what + " is not used" + (places > 1 ? more : ""));
}

std::string noExtent(const std::string& tag, const std::string& shape) {
  return "a <" + tag + "> whose <" + shape + "> has a size of 0 was dropped";
}

}  // namespace slipstick::assets
