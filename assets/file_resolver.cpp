#include "assets/file_resolver.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/shipped.h"
#include "assets/xml_text.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr int kLevelsUp = 12;
constexpr int kCrawlDepth = 5;              // below an entry of ROS_PACKAGE_PATH
constexpr std::size_t kMaxCrawled = 20000;  // folders
constexpr std::size_t kShown = 300;         // bytes of a name, in messages

bool isFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool isFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// The package name that a folder's package.xml declares, or nothing.
std::string declaredPackage(const fs::path& folder) {
  const fs::path manifest = folder / "package.xml";
  if (!isFile(manifest)) return {};
  const Result<std::string> text = readTextFile(manifest, limits::kXmlBytes);
  tinyxml2::XMLDocument document;
  if (!text || !parseXml(manifest, *text, document)) return {};
  const tinyxml2::XMLElement* root = document.FirstChildElement("package");
  const tinyxml2::XMLElement* name = root ? root->FirstChildElement("name") : nullptr;
  return name ? textOf(*name) : "";
}

bool declares(const fs::path& folder, const std::string& package) {
  if (declaredPackage(folder) != package) return false;
  FileLog::note(folder / "package.xml");
  return true;
}

bool isCalledOrDeclares(const fs::path& folder, const std::string& package) {
  return folder.filename() == package || declares(folder, package);
}

std::vector<fs::path> pathsIn(const char* variable) {
  std::vector<fs::path> paths;
  const char* value = std::getenv(variable);
  std::stringstream list(value ? value : "");
  for (std::string entry; std::getline(list, entry, ':');)
    if (!entry.empty()) paths.emplace_back(entry);
  return paths;
}

/// The package below a folder, as ROS finds it: a package holds no others. Hidden folders are left out, and what links lead to
/// is not searched.
std::optional<fs::path> crawl(const fs::path& root, const std::string& package) {
  struct Folder {
    fs::path path;
    int depth;
  };
  std::vector<Folder> waiting = {{root, 0}};
  std::size_t seen = 0;
  while (!waiting.empty()) {
    const Folder folder = std::move(waiting.back());
    waiting.pop_back();
    const Result<std::vector<fs::path>> entries = entriesOf(folder.path);
    if (!entries) continue;  // others may be read
    for (const fs::path& entry : *entries) {
      if (!isFolder(entry)) continue;
      if (++seen > kMaxCrawled) return std::nullopt;
      if (entry.filename().string().starts_with('.')) continue;
      const bool isPackage = isFile(entry / "package.xml");
      if (isPackage && declares(entry, package)) return entry;
      std::error_code ignored;
      if (!isPackage && folder.depth < kCrawlDepth && !fs::is_symlink(entry, ignored))
        waiting.push_back({entry, folder.depth + 1});
    }
  }
  return std::nullopt;
}

struct Candidate {
  fs::path file;
  std::string remark = {};
};

/// Where "package://name/rest" or "model://name/rest" may lie, best first.
class PackagePlaces {
 public:
  PackagePlaces(std::string name, fs::path rest) : name_(std::move(name)), rest_(std::move(rest)) {}

  std::vector<Candidate> find(const fs::path& folder, const std::vector<fs::path>& packagePaths,
                              bool isModel) {
    for (const fs::path& root : packagePaths) addRoot(root);
    for (const fs::path& root : pathsIn("ROS_PACKAGE_PATH")) {
      addRoot(root);
      if (isFile(candidates_.back().file)) break;  // what is found needs no crawl
      if (const auto package = crawl(root, name_)) add(*package);
    }
    for (const fs::path& root : pathsIn("AMENT_PREFIX_PATH")) add(root / "share" / name_);
    if (isModel)
      for (const char* variable : {"GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH"})
        for (const fs::path& root : pathsIn(variable)) add(root / name_);
    addUpwards(folder);
    if (!rest_.empty()) {
      candidates_.push_back(
          {folder / rest_, "was found beside the file that names it, not in a package of this name"});
      candidates_.push_back(
          {folder / rest_.filename(),
           "was found by its mere name beside the file that names it, not in a package of this name"});
    }
    return std::move(candidates_);
  }

 private:
  void add(const fs::path& package) { candidates_.push_back({package / rest_}); }
  void addRoot(const fs::path& root) {
    if (isCalledOrDeclares(root, name_)) add(root);
    add(root / name_);
  }
  void addUpwards(const fs::path& folder) {
    fs::path up = absoluteFolder(folder);
    for (int level = 0; level < kLevelsUp; ++level) {
      addRoot(up);
      if (up == up.parent_path()) break;
      up = up.parent_path();
    }
  }

  std::string name_;
  fs::path rest_;
  std::vector<Candidate> candidates_;
};

/// Whether a relative path climbs above where it begins.
bool climbsOut(const fs::path& rest) {
  const fs::path normal = rest.lexically_normal();
  return normal.is_absolute() || (!normal.empty() && *normal.begin() == "..");
}

/// The package or model that a folder belongs to, or nothing.
std::optional<fs::path> packageOf(const fs::path& folder) {
  std::error_code ignored;
  fs::path up = fs::weakly_canonical(absoluteFolder(folder), ignored);
  for (int level = 0; level < kLevelsUp && up != up.parent_path(); ++level, up = up.parent_path())
    if (isFile(up / "package.xml") || isFile(up / "model.config")) return up;
  return std::nullopt;
}

std::string remarkOn(const fs::path& named, const fs::path& found, const fs::path& folder) {
  const auto package = packageOf(folder);
  if (package) {
    std::error_code ignored;
    if (climbsOut(fs::weakly_canonical(found, ignored).lexically_relative(*package)))
      return "lies outside of the package " + package->string() + ", which does not bring it along";
  }
  return named.is_absolute() ? "has an absolute path, which other machines do not have" : "";
}

struct NameParts {
  bool inPackage = false, isModel = false;
  std::string package;
  fs::path path;  ///< in the package, or as named
};

NameParts partsOf(const std::string& name) {
  constexpr std::string_view kFile = "file://";
  NameParts parts;
  if (name.starts_with(kFoundBefore)) {
    parts.path = name.substr(kFoundBefore.size());
    return parts;
  }
  parts.isModel = name.starts_with("model://");
  parts.inPackage = parts.isModel || name.starts_with("package://");
  if (!parts.inPackage) {
    parts.path = name.starts_with(kFile) ? name.substr(kFile.size()) : name;
    return parts;
  }
  std::string inner = name.substr(name.find("//") + 2);
  inner.erase(0, std::min(inner.find_first_not_of('/'), inner.size()));
  const std::size_t slash = inner.find('/');
  parts.package = inner.substr(0, slash);
  const std::size_t begin =
      inner.find_first_not_of('/', std::min(slash, inner.size()));  // empty parts mean nothing
  if (begin != std::string::npos) parts.path = inner.substr(begin);
  return parts;
}

/// Messages are kept for each thing that names the file.
std::string begun(const std::string& name) {
  return name.size() <= kShown ? name : name.substr(0, kShown) + "…";
}

template <class Exists>
Result<FoundFile> findSpelled(const std::string& name, const fs::path& folder,
                              const std::vector<fs::path>& packagePaths, const Exists& exists) {
  const NameParts parts = partsOf(name);
  std::vector<Candidate> candidates;
  if (parts.inPackage) {
    if (climbsOut(parts.path) || parts.package == "..")
      return Error{ErrorCode::InvalidValue, "the name '" + begun(name) + "' leaves its package", "",
                   "name a file inside of the package"};
    candidates = PackagePlaces(parts.package, parts.path).find(folder, packagePaths, parts.isModel);
  } else {
    candidates.push_back({parts.path.is_absolute() ? parts.path : folder / parts.path});
    if (!name.starts_with(kFoundBefore))
      candidates.back().remark = remarkOn(parts.path, candidates.back().file, folder);
    if (parts.path.is_relative()) candidates.push_back({assetsFolder() / parts.path});
  }
  std::string tried;
  for (const Candidate& candidate : candidates) {
    // What ".." leads to is read off the names, as MuJoCo does: the system follows a folder that is a link.
    const fs::path file = candidate.file.lexically_normal();
    if (exists(file)) return FoundFile{file, candidate.remark};
    const std::string place = begun(file.string());
    if (tried.find(place) == std::string::npos) tried += (tried.empty() ? "" : ", ") + place;
  }
  return Error{ErrorCode::FileNotFound, "the file '" + begun(name) + "' does not exist", "",
               "correct the path; tried " + tried};
}

template <class Exists>
Result<FoundFile> find(const std::string& name, const fs::path& folder,
                       const std::vector<fs::path>& packagePaths, const Exists& exists) {
  Result<FoundFile> asWritten = findSpelled(name, folder, packagePaths, exists);
  const std::string decoded = percentDecoded(name);
  if (asWritten || decoded == name) return asWritten;
  Result<FoundFile> asUri = findSpelled(decoded, folder, packagePaths, exists);
  return asUri ? asUri : asWritten;
}

/// What model.config says: <sdf version="1.6">file</sdf>, the newest; model.sdf where it says nothing.
fs::path modelIn(const fs::path& folder) {
  const fs::path config = folder / "model.config";
  fs::path best = "model.sdf";
  const Result<std::string> text =
      isFile(config) ? readTextFile(config, limits::kXmlBytes) : Result<std::string>("");
  tinyxml2::XMLDocument document;
  if (!text || text->empty() || !parseXml(config, *text, document)) return folder / best;
  FileLog::note(config);
  int newest = 0;
  const tinyxml2::XMLElement* root = document.FirstChildElement("model");
  for (const auto* sdf = root ? root->FirstChildElement("sdf") : nullptr; sdf;
       sdf = sdf->NextSiblingElement("sdf")) {
    const int version = versionIn(attributeOr(*sdf, "version", "0.1")).value_or(0);
    if (version <= newest || climbsOut(textOf(*sdf))) continue;
    newest = version;
    best = textOf(*sdf);
  }
  return folder / best;
}

}  // namespace

fs::path absoluteFolder(const fs::path& folder) {
  std::error_code failed;
  fs::path whole = folder.empty() ? fs::current_path(failed) : fs::absolute(folder, failed);
  return failed ? folder : whole;
}

std::string percentDecoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    const bool isByte = text[i] == '%' && digit(i + 1) && digit(i + 2) && text.substr(i + 1, 2) != "00";
    if (isByte) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

Result<FoundFile> findFile(const std::string& name, const fs::path& folder,
                           const std::vector<fs::path>& packagePaths) {
  return find(name, folder, packagePaths, isFile);
}

Result<fs::path> resolveFile(const std::string& name, const fs::path& folder,
                             const std::vector<fs::path>& packagePaths) {
  Result<FoundFile> found = findFile(name, folder, packagePaths);
  if (!found) return found.error();
  return std::move(found->file);
}

Result<fs::path> resolveModel(const std::string& name, const fs::path& folder,
                              const std::vector<fs::path>& packagePaths) {
  if (Result<fs::path> file = resolveFile(name, folder, packagePaths)) return file;
  const Result<FoundFile> found = find(name, folder, packagePaths, [](const fs::path& path) {
    return isFolder(path) && isFile(modelIn(path));
  });
  if (!found) return found.error();
  return modelIn(found->file).lexically_normal();
}

}  // namespace slipstick::assets
