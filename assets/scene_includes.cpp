#include "assets/scene_includes.h"

#include <algorithm>
#include <map>
#include <set>

#include "assets/file_log.h"
#include "assets/openable.h"
#include "assets/scene_copies.h"
#include "assets/scene_format.h"
#include "assets/scene_merge.h"
#include "assets/scene_old_keys.h"
#include "assets/scene_parser.h"
#include "assets/shipped.h"
#include "assets/utf8.h"
#include "engine/foundation/nearest_name.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr const char* kInclude = "include";
constexpr const char* kDefaults = "defaults";
constexpr const char* kShapes = "shapes";

Error faultAt(const YamlNode& node, const char* key, ErrorCode code, std::string what, std::string remedy) {
  return {code, std::move(what), placeOf(node) + ", key '" + key + "'", std::move(remedy)};
}

/// Reads the files of one scene.
class Includes {
 public:
  Includes(const std::vector<fs::path>& packagePaths, std::vector<Notice>& notices)
      : packagePaths_(packagePaths), notices_(notices) {}

  Result<YamlTree> whole(const YamlTree& own, const fs::path& file) {
    const Result<std::size_t> last = visit(own, file);
    if (!last) return last.error();
    YamlTree all;
    for (const Part& part : parts_) all = all ? mergedScenes(all, part.tree) : part.tree;
    if (all->size > kMaxYamlValues)
      return Error{ErrorCode::InvalidValue,
                   "the scene and its files have more than " + std::to_string(kMaxYamlValues) + " values",
                   placeOf(*own), "include fewer or smaller files"};
    return all;
  }

 private:
  /// One file, after those that it includes.
  struct Part {
    YamlTree tree;
    std::set<std::size_t> below;  ///< the parts that it includes, and those that they do
  };

  Result<std::size_t> visit(const YamlTree& own, const fs::path& file);
  Result<std::set<std::size_t>> visitAll(const YamlTree& include);
  Result<std::size_t> visitFile(const YamlNode& name);
  Result<YamlTree> read(const YamlNode& name, const fs::path& file);
  Result<YamlTree> withDefaults(const YamlTree& own, const std::set<std::size_t>& below);
  Result<YamlTree> blockWith(const YamlTree& block, const std::string& name, const YamlTree& defaults,
                             const std::set<std::size_t>& below);
  YamlTree filled(const YamlTree& usual, const YamlTree& entry);
  bool isChange(const std::string& block, const std::string& name, const YamlTree& own,
                const std::set<std::size_t>& below) const;

  const std::vector<fs::path>& packagePaths_;
  std::vector<Notice>& notices_;
  std::vector<Part> parts_;
  std::map<fs::path, std::size_t> known_;
  std::vector<fs::path> chain_;  ///< files that are being read, each included by the one before
  std::size_t files_ = 1;
  std::size_t filledIn_ = 0;  ///< keys of defaults, in all entries
};

Result<std::size_t> Includes::visit(const YamlTree& own, const fs::path& file) {
  chain_.push_back(file);
  Result<std::set<std::size_t>> below = visitAll(valueAt(own, kInclude));
  chain_.pop_back();
  if (!below) return below.error();
  Result<YamlTree> tree = withDefaults(withoutKey(own, kInclude), *below);
  if (!tree) return tree.error();
  parts_.push_back({std::move(*tree), std::move(*below)});
  return parts_.size() - 1;
}

/// A text, or a list of them.
Result<std::set<std::size_t>> Includes::visitAll(const YamlTree& include) {
  std::set<std::size_t> below;
  if (!include || include->kind == YamlNode::Kind::Null) return below;
  std::vector<YamlTree> names = {include};
  if (include->isList()) {
    names.clear();
    for (const YamlNode::Entry& entry : include->entries) names.push_back(entry.value);
  }
  for (const YamlTree& name : names) {
    if (!name->isScalar())
      return faultAt(*name, kInclude, ErrorCode::InvalidValue, "the name of a file is expected here",
                     "write 'include: FILE' or a list of files");
    const Result<std::size_t> part = visitFile(*name);
    if (!part) return part.error();
    below.insert(*part);
    below.insert(parts_[*part].below.begin(), parts_[*part].below.end());
  }
  return below;
}

Result<std::size_t> Includes::visitFile(const YamlNode& name) {
  const auto fault = [&](ErrorCode code, std::string what, std::string remedy) {
    return faultAt(name, kInclude, code, std::move(what), std::move(remedy));
  };
  const Result<fs::path> found = resolveFile(name.scalar, name.source->folder, packagePaths_);
  if (!found) return fault(found.error().code, found.error().what, found.error().remedy);
  std::error_code ignored;
  const fs::path file = fs::weakly_canonical(*found, ignored);
  if (std::find(chain_.begin(), chain_.end(), file) != chain_.end())
    return fault(ErrorCode::InvalidValue,
                 "the file '" + name.scalar + "' includes itself, directly or by others",
                 "remove one of the includes");
  if (const auto known = known_.find(file); known != known_.end()) return known->second;
  if (static_cast<int>(chain_.size()) > kDeepestInclude)
    return fault(ErrorCode::InvalidValue, "files include each other more than 8 deep",
                 "include fewer files in a row");
  if (++files_ > kMaxIncludes)
    return fault(ErrorCode::InvalidValue, "the scene includes more than 63 files",
                 "put some of them together");
  const Result<YamlTree> tree = read(name, *found);
  if (!tree) return tree.error();
  const Result<std::size_t> part = visit(*tree, file);
  if (part) known_[file] = *part;
  return part;
}

Result<YamlTree> Includes::read(const YamlNode& name, const fs::path& file) {
  if (kindOfFile(file) != FileKind::Scene)
    return faultAt(name, kInclude, ErrorCode::InvalidValue, "'" + name.scalar + "' is no scene",
                   "include a file of the suffix .yaml; robots and meshes stand in 'robots' and 'bodies'");
  FileLog::note(file);
  Result<std::string> text = readTextFile(file, limits::kYamlBytes);
  if (!text) return text.error();
  if (std::optional<Notice> latin1 = turnIntoUtf8(file, *text)) notices_.push_back(std::move(*latin1));
  Result<YamlTree> tree =
      parseYaml(*text, std::make_shared<const YamlSource>(YamlSource{file.string(), file.parent_path()}));
  if (!tree) return tree;
  if (!(*tree)->isMap())
    return Error{ErrorCode::SyntaxError, "this is not a scene", placeOf(**tree),
                 "begin with keys such as 'materials:' and 'bodies:'"};
  YamlDocument document;
  if (const YamlTree version = valueAt(*tree, "slipstick"))
    checkVersion(YamlValue::of(version, "slipstick", document));
  if (document.fault) return *document.fault;
  return withTodaysKeys(*tree, notices_);
}

/// Gives the entries of a document what its own 'defaults' say and they do not.
Result<YamlTree> Includes::withDefaults(const YamlTree& own, const std::set<std::size_t>& below) {
  const YamlTree defaults = valueAt(own, kDefaults);
  YamlTree tree = withoutKey(own, kDefaults);
  if (!defaults || defaults->kind == YamlNode::Kind::Null) return tree;
  if (!defaults->isMap())
    return faultAt(*defaults, kDefaults, ErrorCode::InvalidValue,
                   "a block of 'key: value' lines is expected here", "write 'bodies: {…}' and the like");
  const std::vector<std::string> known = keyNamesOf("defaults");
  for (const YamlNode::Entry& entry : defaults->entries) {
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      return faultAt(*entry.value, kDefaults, ErrorCode::UnknownName,
                     "nothing is called '" + entry.key + "' here", suggestName(entry.key, known));
    if (!entry.value->isMap() && entry.value->kind != YamlNode::Kind::Null)
      return faultAt(*entry.value, kDefaults, ErrorCode::InvalidValue,
                     "a block of 'key: value' lines is expected here", "write the keys of one entry");
  }
  for (const std::string& name : known) {
    const YamlTree block = valueAt(tree, name);
    if (!block) continue;
    Result<YamlTree> full = blockWith(block, name, defaults, below);
    if (!full) return full;
    tree = withKey(tree, name, std::move(*full));
  }
  return tree;
}

/// The entry, with what it does not say itself.
YamlTree Includes::filled(const YamlTree& usual, const YamlTree& entry) {
  if (!usual || !usual->isMap() || filledIn_ > kMaxYamlValues) return entry;
  filledIn_ += usual->size;
  return merged(usual, entry);
}

Result<YamlTree> Includes::blockWith(const YamlTree& block, const std::string& name, const YamlTree& defaults,
                                     const std::set<std::size_t>& below) {
  const YamlTree usual = valueAt(defaults, name);
  const YamlTree ofShapes = name == "bodies" ? valueAt(defaults, kShapes) : nullptr;
  std::vector<YamlNode::Entry> entries = block->entries;
  for (YamlNode::Entry& entry : entries) {
    if (!entry.value->isMap() || (block->isMap() && isChange(name, entry.key, block, below))) continue;
    entry.value = filled(usual, entry.value);
    const YamlTree shapes = valueAt(entry.value, kShapes);
    if (!ofShapes || !shapes || !shapes->isList()) continue;
    std::vector<YamlNode::Entry> full = shapes->entries;
    for (YamlNode::Entry& shape : full) shape.value = filled(ofShapes, shape.value);
    entry.value = withKey(entry.value, kShapes, withEntries(shapes, std::move(full)));
  }
  if (filledIn_ > kMaxYamlValues)
    return faultAt(*defaults, kDefaults, ErrorCode::InvalidValue,
                   "the defaults of all entries are more than " + std::to_string(kMaxYamlValues) + " values",
                   "write fewer of them");
  return withEntries(block, std::move(entries));
}

/// Whether an entry only changes one that stands elsewhere: in an included file, as a copy, or as a mirror image.
bool Includes::isChange(const std::string& block, const std::string& name, const YamlTree& own,
                        const std::set<std::size_t>& below) const {
  if (hasKey(valueAt(own, name), kMirror) || isCopy(name, own)) return true;
  return std::any_of(below.begin(), below.end(), [&](std::size_t part) {
    const YamlTree included = valueAt(parts_[part].tree, block);
    return hasKey(included, name) || isCopy(name, included);
  });
}

}  // namespace

Result<YamlTree> withIncludes(const YamlTree& own, const fs::path& file,
                              const std::vector<fs::path>& packagePaths, std::vector<Notice>& notices) {
  std::error_code ignored;
  return Includes(packagePaths, notices)
      .whole(own, file.empty() ? file : fs::weakly_canonical(file, ignored));
}

}  // namespace slipstick::assets
