#include "tests/assets/scene_page.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "assets/scene_format.h"

namespace slipstick::testing {
namespace {

using assets::FormatKey;

/// Where a block's keys stand: under which heading, with what before them.
struct Place {
  std::string_view heading, block, prefix;
};

constexpr Place kPlaces[] = {
    {"## Settings", "scene", ""},
    {"## Settings", "time", "time."},
    {"## Settings", "grid", "grid."},
    {"## Settings", "solver", "solver."},
    {"## Settings", "scene_contact", "contact."},
    {"## Settings", "view", "view."},
    {"## `solver.rigid`", "rigid_solver", ""},
    {"## `contact`", "contact", ""},
    {"## `contact`", "rigid_contact", "rigid."},
    {"## `pair_rules`", "pair_rule", ""},
    {"## `deformables`", "deformable", ""},
    {"## `deformables`", "sampling", "sampling."},
    {"## `boundaries`", "boundary", ""},
    {"## `loops`", "loop", ""},
    {"## `task`", "task", ""},
    {"## `task`", "reset", "reset."},
};

/// Blocks have lines of their own keys, unless the page says something of the key itself.
bool hasLine(const FormatKey& key) {
  const auto isOf = [&](std::string_view kind) { return key.type.starts_with(kind); };
  return !key.page.empty() || !(isOf("block ") || isOf("list ") || isOf("names "));
}

std::string code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

/// As a file has it: in code, where it is no number.
std::string fallbackCell(const FormatKey& key) {
  const std::string_view fallback = key.fallback;
  const bool isWord = key.type.find("'" + std::string(fallback) + "'") != std::string_view::npos;
  const bool isName = key.type == "text" && fallback != "required" && fallback.find(' ') == fallback.npos;
  const bool isCode = isWord || isName || fallback.starts_with('[');
  return fallback.empty() || !isCode ? std::string(fallback) : code(fallback);
}

/// The cells of one line, of the keys that share it.
struct Line {
  std::vector<std::string> names, units, fallbacks;
  std::string meaning;

  void add(const FormatKey& key, std::string_view prefix) {
    names.push_back(code(std::string(prefix) + std::string(key.key)));
    addOnce(units, std::string(key.unit));
    addOnce(fallbacks, fallbackCell(key));
    if (meaning.empty()) meaning = key.page.empty() ? key.meaning : key.page;
  }
  std::string text() const {
    return firstCell() + cell(joined(units)) + cell(joined(fallbacks)) + cell(meaning);
  }
  /// By which a line is known on the page.
  std::string firstCell() const { return "|" + cell(joined(names)); }

 private:
  static void addOnce(std::vector<std::string>& all, std::string one) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(std::move(one));
  }
  static std::string joined(const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) all += (all.empty() ? "" : ", ") + part;
    return all;
  }
  static std::string cell(const std::string& text) { return text.empty() ? " |" : " " + text + " |"; }
};

std::vector<Line> linesOf(std::string_view block, std::string_view prefix) {
  std::vector<Line> lines;
  for (const FormatKey& key : assets::formatBlock(block).keys) {
    if (!hasLine(key)) continue;
    if (!key.sharesLine || lines.empty()) lines.emplace_back();
    lines.back().add(key, prefix);
  }
  return lines;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

using Lines = std::vector<std::string>;

/// Replaces the line of a key below a heading, or puts it at the place given. @return the place after it
Lines::iterator put(Lines& page, Lines::iterator heading, const Line& line, Lines::iterator place) {
  const auto end =
      std::find_if(heading + 1, page.end(), [](const std::string& l) { return l.starts_with("## "); });
  const auto known = std::find_if(
      heading, end, [&, first = line.firstCell()](const std::string& l) { return l.starts_with(first); });
  if (known == end) return page.insert(place, line.text()) + 1;
  *known = line.text();
  return known + 1;
}

void putAll(Lines& page, const Place& where) {
  const auto heading = std::find(page.begin(), page.end(), where.heading) - page.begin();
  if (heading == static_cast<std::ptrdiff_t>(page.size())) return;
  auto place = std::find_if(page.begin() + heading, page.end(),
                            [](const std::string& l) { return l.starts_with("|--"); }) -
               page.begin() + 1;
  for (const Line& line : linesOf(where.block, where.prefix))
    place = put(page, page.begin() + heading, line, page.begin() + place) - page.begin();
}

}  // namespace

std::string withPageLines(const std::string& page) {
  Lines lines = split(page);
  for (const Place& place : kPlaces) putAll(lines, place);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace slipstick::testing
