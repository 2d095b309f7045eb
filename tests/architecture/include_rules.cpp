#include "tests/architecture/include_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>

namespace slipstick::architecture {
namespace {

namespace fs = std::filesystem;
using Folders = std::set<std::string>;

/// The diagram: engine ◄── gpu, engine ◄── assets, engine ◄── render ◄── ui, app ──► all of them.
const std::map<std::string, Folders> kMayInclude = {
    {"engine", {"engine"}},
    {"gpu", {"gpu", "engine"}},
    {"assets", {"assets", "engine"}},
    {"render", {"render", "engine"}},
    {"ui", {"ui", "render", "engine"}},
    {"app", {"app", "engine", "gpu", "assets", "render", "ui"}},
};

/// The floors of engine/, from the ground up: a folder may include itself and every floor below its own, so
/// that no cycle can be. Folders of one floor do not know each other.
const std::vector<Folders> kFloorsOfEngine = {
    {"foundation"},
    {"lanes"},
    {"numerics"},
    {"geometry", "multibody"},
    {"contact"},
    {"model"},
    {"facts"},
    {"compile"},
    {"rigid", "mpm"},
    {"step"},
    {"methods", "runtime"},
    {"teleop"},
};

/// Index into kFloorsOfEngine; its size for a folder that is on none.
std::size_t floorOf(const std::string& folder) {
  const auto floor = std::find_if(kFloorsOfEngine.begin(), kFloorsOfEngine.end(),
                                  [&](const Folders& folders) { return folders.count(folder) > 0; });
  return static_cast<std::size_t>(floor - kFloorsOfEngine.begin());
}

struct LibraryRule {
  const char* library;
  std::regex header;
  Folders allowed;
};

const std::vector<LibraryRule>& libraryRules() {
  static const std::vector<LibraryRule> rules = {
      {"Qt", std::regex("^(Qt[A-Z]|Q[A-Z]).*"), {"ui", "app"}},
      {"OpenGL",
       std::regex("^(GL|GLES[0-9]?|OpenGL|EGL|KHR|epoxy)/.*|^(backends/)?imgui.*"),
       {"render", "ui"}},
      {"CUDA",
       std::regex("^(cuda|nvrtc|curand|cublas|nvtx|device_launch_parameters).*|^(cub|thrust)/.*"),
       {"gpu"}},
      {"device libraries", std::regex("^(SDL2/)?SDL.*|^zmq.*|^spnav.*"), {"app"}},
  };
  return rules;
}

std::vector<fs::path> sourceFiles(const fs::path& root) {
  static const std::set<std::string> extensions = {".h", ".hpp", ".cpp", ".cc", ".c", ".inl", ".cu", ".cuh"};
  std::vector<fs::path> files;
  for (const auto& [folder, mayInclude] : kMayInclude) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.is_regular_file() && extensions.count(entry.path().extension().string()))
        files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The first part of a path, and the second.
std::string firstPart(const std::string& path) {
  return path.substr(0, path.find('/'));
}
std::string secondPart(const std::string& path) {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? "" : firstPart(path.substr(slash + 1));
}

/// Why a file within engine/ must not include a header of engine/; empty if it may.
std::string objectionWithinEngine(const std::string& file, const std::string& header) {
  const std::string from = secondPart(file), to = secondPart(header);
  if (floorOf(from) == kFloorsOfEngine.size()) return "engine/" + from + " is on no floor of engine/";
  if (floorOf(to) == kFloorsOfEngine.size()) return "engine/" + to + " is on no floor of engine/";
  if (from == to || floorOf(to) < floorOf(from)) return {};
  return "engine/" + from + "/ must not include engine/" + to + "/";
}

/// Why a file must not include `header`; empty if it may.
std::string objection(const std::string& file, const std::string& header) {
  const std::string folder = firstPart(file), target = firstPart(header);
  if (header.find("..") != std::string::npos) return "includes by '..'; write the path from the root";
  const bool ours = kMayInclude.count(target) > 0 || target == "tests";
  if (ours && header.find('/') != std::string::npos && !kMayInclude.at(folder).count(target))
    return folder + "/ must not include " + target + "/";
  if (folder == "engine" && target == "engine") return objectionWithinEngine(file, header);
  for (const LibraryRule& rule : libraryRules())
    if (std::regex_match(header, rule.header) && !rule.allowed.count(folder))
      return folder + "/ must not know " + rule.library;
  return {};
}

}  // namespace

std::vector<std::string> forbiddenIncludes(const fs::path& root) {
  static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
  std::vector<std::string> found;
  for (const fs::path& path : sourceFiles(root)) {
    const std::string name = fs::relative(path, root).generic_string();
    std::ifstream file(path);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      std::smatch match;
      if (!std::regex_match(line, match, include)) continue;
      const std::string why = objection(name, match[1]);
      if (!why.empty())
        found.push_back(name + ":" + std::to_string(number) + ": " + why + " (" + match[1].str() + ")");
    }
  }
  return found;
}

std::size_t sourceFileCount(const fs::path& root) {
  return sourceFiles(root).size();
}

std::vector<std::string> strangersAtTopLevel(const std::vector<std::string>& names) {
  static const std::set<std::string> allowed = {"CMakeLists.txt",
                                                "CMakePresets.json",
                                                "README.md",
                                                "LICENSE",
                                                "app",
                                                "engine",
                                                "render",
                                                "gpu",
                                                "assets",
                                                "ui",
                                                "tests"};
  std::vector<std::string> strangers;
  for (const std::string& name : names)
    if (name.front() != '.' && !allowed.count(name)) strangers.push_back(name);
  return strangers;
}

std::vector<std::string> topLevelNames(const fs::path& root) {
  std::set<std::string> names;
  const std::string command = "git -C '" + root.string() + "' ls-files 2>/dev/null";
  if (FILE* pipe = popen(command.c_str(), "r")) {
    std::string text;
    std::array<char, 4096> buffer;
    while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
      text.append(buffer.data(), count);
    pclose(pipe);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string path = text.substr(at, end - at);
      names.insert(path.substr(0, path.find('/')));
      at = end + 1;
    }
  }
  if (names.empty())
    for (const auto& entry : fs::directory_iterator(root))
      if (entry.path().filename() != "build") names.insert(entry.path().filename().string());
  return {names.begin(), names.end()};
}

}  // namespace slipstick::architecture
