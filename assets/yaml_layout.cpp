#include "assets/yaml_layout.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

namespace slipstick::assets {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::string_view kNameEnd = " \t\r\n,[]{}";  // of anchors, aliases and tags

bool isBlank(char c) {
  return kBlank.find(c) != std::string_view::npos;
}

/// Keeps what the library finds in a text, with the place where each value begins.
class Recorder final : public YAML::EventHandler {
 public:
  explicit Recorder(std::size_t start) : start_(start) {}

  YamlPart root;
  std::vector<std::size_t> begins;  ///< of all values, in their order

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark&, const std::string& name) override { anchorName_ = name; }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(part(YamlPart::Kind::Null, mark, anchor));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(part(YamlPart::Kind::Alias, mark, anchor));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlPart scalar = part(YamlPart::Kind::Scalar, mark, anchor, tag);
    scalar.says = value;
    add(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open_.push_back(part(YamlPart::Kind::List, mark, anchor, tag));
    open_.back().isFlow = style == YAML::EmitterStyle::Flow;
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open_.push_back(part(YamlPart::Kind::Map, mark, anchor, tag));
    open_.back().isFlow = style == YAML::EmitterStyle::Flow;
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  YamlPart part(YamlPart::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor,
                const std::string& tag = {}) {
    YamlPart made;
    made.kind = kind;
    made.tag = tag;
    made.anchor = anchor;
    made.anchorName = std::exchange(anchorName_, {});
    made.order = begins.size();
    made.begin = start_ + static_cast<std::size_t>(std::max(mark.pos, 0));
    begins.push_back(made.begin);
    return made;
  }
  void close() {
    YamlPart done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done));
  }
  /// Of a mapping keys and values come by turns.
  void add(YamlPart&& part) {
    if (open_.empty()) {
      root = std::move(part);
      return;
    }
    YamlPart& into = open_.back();
    const bool isKey = into.kind == YamlPart::Kind::Map && into.keys.size() == into.values.size();
    (isKey ? into.keys : into.values).push_back(std::move(part));
  }

  std::size_t start_;
  std::string anchorName_;
  std::vector<YamlPart> open_;
};

/// Ends the search in a text that is not written as its values say.
struct Lost {};

/// Finds where values end. The library tells only where they begin, and what they say: a word ends where the text has
/// given all of it.
class Measuring {
 public:
  Measuring(const std::string& text, const std::vector<std::size_t>& begins) : text_(text), begins_(begins) {}

  /// @param from  where it can begin first: behind a dash, a colon, a bracket or a comma
  void measure(YamlPart& part, std::size_t from) const {
    const std::size_t properties = skipProperties(part);
    if (isLeftOut(part, from)) {
      const bool hasProperties = properties > part.begin;
      if (!hasProperties) part.begin = from;
      part.at = part.end = hasProperties ? properties : from;
      return;
    }
    if (part.begin < from || part.at >= text_.size()) throw Lost{};
    part.end = endOf(part);
  }

 private:
  char charAt(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  std::size_t endOfName(std::size_t at) const {
    if (text_.compare(at, 2, "!<") == 0) return std::min(text_.find('>', at), text_.size() - 1) + 1;
    return std::min(text_.find_first_of(kNameEnd, at), text_.size());
  }
  std::size_t behind(std::size_t at, char expected) const {
    if (charAt(at) != expected) throw Lost{};
    return at + 1;
  }
  /// Past a comma, too, and what stands on both sides of it.
  std::size_t nextInBrackets(std::size_t at) const {
    at = pastBlanks(text_, at);
    return charAt(at) == ',' ? pastBlanks(text_, at + 1) : at;
  }

  /// Past its own anchor and tag, not those of a mapping's first key. @return where these end
  std::size_t skipProperties(YamlPart& part) const {
    bool hasAnchor = !part.anchorName.empty(), hasTag = !part.tag.empty() && part.tag != "?";
    std::size_t end = part.at = part.begin;
    while ((hasAnchor && charAt(part.at) == '&') || (hasTag && charAt(part.at) == '!')) {
      (charAt(part.at) == '&' ? hasAnchor : hasTag) = false;
      end = endOfName(part.at);
      part.at = pastBlanks(text_, end);
    }
    return end;
  }

  /// Whether nothing is written for a value that says nothing. The library then gives the place of what comes next, or
  /// of what came before.
  bool isLeftOut(const YamlPart& part, std::size_t from) const {
    if (part.isCollection() || part.kind == YamlPart::Kind::Alias || !part.says.empty()) return false;
    const bool isNext = part.order + 1 < begins_.size() && begins_[part.order + 1] == part.at;
    return part.at < from || isNext ||
           !(part.kind == YamlPart::Kind::Null ? isNull(part.at) : isEmpty(part.at));
  }
  bool isNull(std::size_t at) const {
    static constexpr std::array<std::string_view, 4> kWords = {"~", "null", "Null", "NULL"};
    return std::any_of(kWords.begin(), kWords.end(),
                       [&](std::string_view word) { return text_.compare(at, word.size(), word) == 0; });
  }
  bool isEmpty(std::size_t at) const {
    return std::string_view("\"'|>").find(charAt(at)) != std::string_view::npos;
  }

  std::size_t endOf(YamlPart& part) const {
    switch (part.kind) {
      case YamlPart::Kind::Null:
        return part.at + (text_[part.at] == '~' ? 1 : 4);
      case YamlPart::Kind::Scalar:
        return endOfScalar(part);
      case YamlPart::Kind::Alias:
        return endOfName(part.at);
      case YamlPart::Kind::List:
        return endOfList(part);
      case YamlPart::Kind::Map:
        return endOfMap(part);
    }
    throw Lost{};
  }

  std::size_t endOfScalar(const YamlPart& part) const {
    const char first = text_[part.at];
    if (first == '"' || first == '\'') return endOfQuotes(part.at);
    return first == '|' || first == '>' ? endOfBlock(part) : endOfWords(part.at, part.says);
  }
  std::size_t endOfQuotes(std::size_t at) const {
    const char quote = text_[at++];
    for (; at < text_.size(); ++at) {
      const bool isDoubled = quote == '\'' && charAt(at) == quote && charAt(at + 1) == quote;
      if (isDoubled || (quote == '"' && text_[at] == '\\'))
        ++at;
      else if (text_[at] == quote)
        return at + 1;
    }
    throw Lost{};
  }
  /// Lines are folded when they are read, so that only what is not blank is the same.
  std::size_t endOfWords(std::size_t at, std::string_view says) const {
    for (const char c : says) {
      if (isBlank(c)) continue;
      while (at < text_.size() && isBlank(text_[at])) ++at;
      at = behind(at, c);
    }
    return at;
  }
  std::size_t endOfLine(std::size_t at) const {
    return std::min(text_.find_first_of("\r\n", at), text_.size());
  }
  std::size_t nextLine(std::size_t at) const { return std::min(text_.find('\n', at), text_.size() - 1) + 1; }
  /// Empty lines at its end are of it where it says so ("|+").
  std::size_t endOfBlock(const YamlPart& part) const {
    const std::size_t last = part.says.find_last_not_of(kBlank);
    const bool hasWords = last != std::string::npos;
    const std::string_view behind = std::string_view(part.says).substr(hasWords ? last : 0);
    auto lines = std::count(behind.begin(), behind.end(), '\n') - (hasWords ? 1 : 0);
    std::size_t end = endOfLine(part.at);
    if (hasWords) end = endOfWords(end, part.says);
    for (; lines > 0 && end < text_.size(); --lines) end = endOfLine(nextLine(end));
    return end;
  }

  std::size_t endOfList(YamlPart& list) const {
    list.hasBrackets = list.isFlow;
    std::size_t from = list.isFlow ? behind(list.at, '[') : list.at;
    for (YamlPart& item : list.values) {
      item.isFlow = item.isFlow || list.isFlow;
      item.entry = list.isFlow ? nextInBrackets(from) : pastBlanks(text_, from);
      measure(item, list.isFlow ? item.entry : behind(item.entry, '-'));
      from = item.end;
    }
    return list.isFlow ? behind(nextInBrackets(from), ']') : from;
  }
  std::size_t endOfMap(YamlPart& map) const {
    const bool isPair = !map.keys.empty() && map.keys.front().begin == map.at;
    map.hasBrackets = map.isFlow && text_[map.at] == '{' && !isPair;
    std::size_t from = map.at + (map.hasBrackets ? 1 : 0);
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const std::size_t entry = map.hasBrackets ? nextInBrackets(from) : pastBlanks(text_, from);
      measureEntry(map.keys[i], map.values[i], entry, map.isFlow);
      from = map.values[i].end;
    }
    return map.hasBrackets ? behind(nextInBrackets(from), '}') : from;
  }
  void measureEntry(YamlPart& key, YamlPart& value, std::size_t entry, bool inFlow) const {
    key.isFlow = key.isFlow || inFlow;
    value.isFlow = value.isFlow || inFlow;
    key.entry = value.entry = entry;
    const bool isMarked = charAt(entry) == '?' && key.begin != entry;  // "? key"
    measure(key, entry + (isMarked ? 1 : 0));
    const std::size_t colon = pastBlanks(text_, key.end);
    measure(value, charAt(colon) == ':' ? colon + 1 : key.end);
  }

  const std::string& text_;
  const std::vector<std::size_t>& begins_;
};

/// Whether the library reads a text as bytes of UTF-8 to its end: it takes this character for the end of all, and guesses
/// other encodings from zeros.
bool isReadWhole(const std::string& text) {
  constexpr char kEnd = 4;
  const bool isUtf16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  return !isUtf16 && text.find('\0') == std::string::npos && text.find(kEnd) == std::string::npos;
}

/// Of two texts whose anchors may be counted differently.
class Comparing {
 public:
  bool same(const YamlPart& a, const YamlPart& b) {
    if (a.kind != b.kind || a.says != b.says || a.tag != b.tag || a.anchorName != b.anchorName) return false;
    if (a.keys.size() != b.keys.size() || a.values.size() != b.values.size()) return false;
    if (a.kind == YamlPart::Kind::Alias)
      return numbers_.contains(a.anchor) && numbers_.at(a.anchor) == b.anchor;
    if (a.anchor != 0) numbers_[a.anchor] = b.anchor;
    for (std::size_t i = 0; i < a.values.size(); ++i)
      if ((!a.keys.empty() && !same(a.keys[i], b.keys[i])) || !same(a.values[i], b.values[i])) return false;
    return true;
  }

 private:
  std::map<std::size_t, std::size_t> numbers_;
};

}  // namespace

std::size_t pastBlanks(const std::string& text, std::size_t at) {
  while (at < text.size() && (isBlank(text[at]) || text[at] == '#'))
    at = text[at] == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
  return at;
}

std::optional<YamlLayout> layoutOf(const std::string& text) {
  const Result<YamlTree> tree = parseYaml(text, std::make_shared<const YamlSource>(), MergeKeys::AsWritten);
  if (!tree || !isReadWhole(text)) return std::nullopt;
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    Recorder recorder(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    parser.HandleNextDocument(recorder);
    Measuring(text, recorder.begins).measure(recorder.root, recorder.root.begin);
    return YamlLayout{*tree, std::move(recorder.root)};
  } catch (const Lost&) {
    return std::nullopt;
  } catch (const YAML::Exception&) {
    return std::nullopt;
  }
}

bool saysSame(const YamlPart& a, const YamlPart& b) {
  return Comparing().same(a, b);
}

}  // namespace slipstick::assets
