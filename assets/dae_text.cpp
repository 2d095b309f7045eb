#include "assets/dae_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assets/one_line.h"
#include "assets/xml_text.h"
#include "engine/foundation/number_text.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

using Element = tinyxml2::XMLElement;

constexpr std::array<std::string_view, 5> kLeftOut = {"library_animations", "library_animation_clips",
                                                      "library_controllers", "library_cameras",
                                                      "library_lights"};

class DaeText {
 public:
  explicit DaeText(const fs::path& file) : file_(file) {}

  Result<DaeForAssimp> forAssimp(std::string text) {
    if (Result<void> ok = parseWellFormed(file_, text, xml_); !ok) return ok.error();
    if (Element* root = xml_.RootElement()) collect(*root);
    if (Result<void> ok = limitAccessors(); !ok) return ok.error();
    if (Result<void> ok = leaveOut(); !ok) return ok.error();
    if (!isChanged_) return DaeForAssimp{std::move(text), asset()};
    tinyxml2::XMLPrinter printer(nullptr, true);
    xml_.Print(&printer);
    return DaeForAssimp{printer.CStr(), asset()};
  }

 private:
  /// The unit and the axis, wherever comments put them.
  DaeAsset asset() const {
    DaeAsset said;
    const Element* root = xml_.RootElement();
    const Element* asset = root ? root->FirstChildElement("asset") : nullptr;
    if (!asset) return said;
    if (const Element* unit = asset->FirstChildElement("unit")) {
      said.unit = parseNumber(attributeOr(*unit, "meter", ""));
      said.unitName = oneLine(attributeOr(*unit, "name", ""));
    }
    const Element* axis = asset->FirstChildElement("up_axis");
    const std::string up = axis ? textOf(*axis) : "";
    if (!up.empty() && up.front() >= 'X' && up.front() <= 'Z') said.up = up.front();
    return said;
  }

  void collect(Element& element) {
    const std::string_view name = element.Name();
    if (std::find(kLeftOut.begin(), kLeftOut.end(), name) != kLeftOut.end()) {
      if (!element.NoChildren()) left_.push_back(&element);
      collectControllers(element);
      return;
    }
    if (name.ends_with("_array")) arrays_.push_back(&element);
    if (name == "accessor") accessors_.push_back(&element);
    if (name == "instance_controller") instances_.push_back(&element);
    for (Element* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
      collect(*child);  // TinyXML2 has limited the depth
  }

  void collectControllers(const Element& library) {
    for (const Element* at = library.FirstChildElement("controller"); at;
         at = at->NextSiblingElement("controller"))
      for (const char* kind : {"skin", "morph"})
        if (const Element* deformer = at->FirstChildElement(kind))
          movedBy_[attributeOr(*at, "id", "")] = referenceOf(*deformer, "source");
  }

  /// "x" of "#x"; empty where it is of another form.
  static std::string referenceOf(const Element& element, const char* attribute) {
    const std::string_view text = attributeOr(element, attribute, "");
    return std::string(text.starts_with('#') ? text.substr(1) : "");
  }

  Result<void> limitAccessors() {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      const Result<std::int64_t> count = wholeNumber(*arrays_[i], "count", 0);
      if (!count) return count.error();
      sizes_.push_back(*count);
      indices_[arrays_[i]] = i;
      named_.try_emplace(attributeOr(*arrays_[i], "id", ""), i);
    }
    for (Element* accessor : accessors_)
      if (Result<void> ok = limitAccessor(*accessor); !ok) return ok;
    if (named_.size() == arrays_.size()) return {};
    for (std::size_t i = 0; i < arrays_.size(); ++i)
      arrays_[i]->SetAttribute("id", std::to_string(i).c_str());
    for (const auto& [accessor, array] : arrayOf_)
      accessor->SetAttribute("source", ("#" + std::to_string(array)).c_str());
    isChanged_ = true;
    return {};
  }

  Result<void> limitAccessor(Element& accessor) {
    const Result<std::int64_t> count = wholeNumber(accessor, "count", 0);
    if (!count) return count.error();
    const Result<std::int64_t> stride = wholeNumber(accessor, "stride", 1);
    if (!stride) return stride.error();
    const Result<std::int64_t> offset = wholeNumber(accessor, "offset", 0);
    if (!offset) return offset.error();
    const std::optional<std::size_t> array = arrayFor(accessor);
    if (array) arrayOf_[&accessor] = *array;
    const std::int64_t spare = (array ? sizes_[*array] : 0) - *offset - sizeOfParams(accessor);
    const std::int64_t most = spare < 0 ? 0 : *stride == 0 ? *count : spare / *stride + 1;
    if (*count <= most) return {};
    accessor.SetAttribute("count", most);
    isChanged_ = true;
    return {};
  }

  /// Of its own <source> first: some files have an id once for each geometry.
  std::optional<std::size_t> arrayFor(const Element& accessor) const {
    const std::string id = referenceOf(accessor, "source");
    const tinyxml2::XMLNode* source = accessor.Parent()->Parent();
    const auto* first = source ? source->FirstChildElement() : nullptr;
    for (const Element* child = first; child; child = child->NextSiblingElement())
      if (id == attributeOr(*child, "id", ""))
        if (const auto own = indices_.find(child); own != indices_.end()) return own->second;
    const auto any = named_.find(id);
    return any == named_.end() ? std::nullopt : std::optional(any->second);
  }

  static std::int64_t sizeOfParams(const Element& accessor) {
    constexpr std::int64_t kMatrix = 16;
    std::int64_t size = 0;
    for (const Element* param = accessor.FirstChildElement("param"); param;
         param = param->NextSiblingElement("param"))
      size += std::strcmp(attributeOr(*param, "type", ""), "float4x4") == 0 ? kMatrix : 1;
    return std::max<std::int64_t>(size, 1);
  }

  /// Of 31 bits.
  Result<std::int64_t> wholeNumber(const Element& element, const char* attribute,
                                   std::int64_t fallback) const {
    const char* text = element.Attribute(attribute);
    if (!text) return fallback;
    std::int32_t value = 0;
    const char* end = text + std::strlen(text);
    const auto [rest, failed] = std::from_chars(text, end, value);
    if (failed == std::errc() && rest == end && value >= 0) return value;
    return fault(element, std::string(attribute) + "=\"" + text + "\" is not a whole number of 0 or more");
  }

  Result<void> leaveOut() {
    for (Element* instance : instances_) {
      const std::string controller = referenceOf(*instance, "url");
      const std::string moved =
          movedBy(movedBy(controller));  // a skin may move a morph, which moves a geometry
      if (moved.empty() || moved == controller || movedBy_.contains(moved))
        return fault(*instance, std::string("'") + attributeOr(*instance, "url", "") +
                                    "' is no controller of a geometry of this file");
      instance->SetName("instance_geometry");
      instance->SetAttribute("url", ("#" + moved).c_str());
    }
    isChanged_ = isChanged_ || !left_.empty() || !instances_.empty();
    for (Element* library : left_) library->Parent()->DeleteChild(library);
    return {};
  }

  /// What is no controller stays as it is.
  std::string movedBy(const std::string& id) const {
    const auto at = movedBy_.find(id);
    return at == movedBy_.end() ? id : at->second;
  }

  Error fault(const Element& element, const std::string& what) const {
    return {ErrorCode::InvalidValue, oneLine("the mesh's <" + std::string(element.Name()) + ">: " + what),
            placeInFile(file_, element.GetLineNum()), "export it again"};
  }

  const fs::path& file_;
  tinyxml2::XMLDocument xml_;
  bool isChanged_ = false;
  std::vector<Element*> arrays_, accessors_;
  std::vector<std::int64_t> sizes_;  // of arrays
  std::unordered_map<const Element*, std::size_t> indices_;
  std::unordered_map<std::string, std::size_t> named_;    // the first array of an id
  std::unordered_map<Element*, std::size_t> arrayOf_;     // accessors
  std::vector<Element*> instances_;                       // of controllers
  std::vector<Element*> left_;                            // libraries, to be left out
  std::unordered_map<std::string, std::string> movedBy_;  // what controllers move, by their id
};

}  // namespace

Result<DaeForAssimp> daeForAssimp(const fs::path& file, std::string text) {
  return DaeText(file).forAssimp(std::move(text));
}

}  // namespace slipstick::assets
