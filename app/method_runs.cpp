#include "app/method_runs.h"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <optional>

#include "assets/one_line.h"

namespace slipstick::app {

namespace {

/// A run that is wanted.
struct Wanted {
  std::string name, method;
};

bool isNameLetter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

Error badRun(const std::string& what, const std::string& text) {
  return {ErrorCode::InvalidValue, what, "--runs " + text, "write NAME=METHOD, as in a=async,b=strong"};
}

/// "a=async"
Result<Wanted> wantedBy(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return badRun("a run has a name and a method", text);
  Wanted wanted{text.substr(0, equals), text.substr(equals + 1)};
  if (!std::all_of(wanted.name.begin(), wanted.name.end(), isNameLetter))
    return badRun("a run's name has letters, digits, '_', '-' and '.' only", text);
  return wanted;
}

Result<std::vector<Wanted>> wantedRuns(const CompareOptions& options, const Registry& registry) {
  std::vector<Wanted> wanted;
  for (const std::string& text : options.runs) {
    Result<Wanted> run = wantedBy(text);
    if (!run) return run.error();
    const auto isSame = [&](const Wanted& other) { return other.name == run->name; };
    if (std::any_of(wanted.begin(), wanted.end(), isSame)) return badRun("two runs have one name", text);
    wanted.push_back(std::move(*run));
  }
  for (const std::string& method : options.methods) wanted.push_back({method, method});
  if (!wanted.empty()) return wanted;
  for (const MethodEntry& method : registry.methods()) wanted.push_back({method.name, method.name});
  return wanted;
}

/// "implicit" of "implicit:time.dt_ms=10": whose override it is; none: everybody's. No path in a scene has a colon.
std::optional<std::string> ownerOf(const std::string& text) {
  const std::size_t colon = text.substr(0, text.find('=')).find(':');
  if (colon == std::string::npos) return {};
  return text.substr(0, colon);
}

bool isOwner(const std::string& owner, const Wanted& run) {
  return owner == run.name || owner == run.method;
}

/// An override of a run that there is not, whatever might have been meant. Of a method that the program has it is none: scripts
/// leave methods out.
Result<void> checkOwners(const CompareOptions& options, const std::vector<Wanted>& runs,
                         const Registry& registry) {
  for (const std::string& text : options.scene.overrides) {
    const std::optional<std::string> owner = ownerOf(text);
    if (!owner) continue;
    const auto isIts = [&](const Wanted& run) { return isOwner(*owner, run); };
    const auto isMethod = [&](const MethodEntry& method) { return method.name == *owner; };
    if (std::any_of(runs.begin(), runs.end(), isIts) ||
        std::any_of(registry.methods().begin(), registry.methods().end(), isMethod))
      continue;
    std::string names;
    for (const Wanted& run : runs) names += (names.empty() ? "" : ", ") + run.name;
    return Error{ErrorCode::UnknownName, "there is no run '" + *owner + "'", "--set " + text,
                 "the runs are " + names};
  }
  return {};
}

/// Those of everybody, then those of the run's method, then its own by name: the later one counts.
std::vector<std::string> overridesOf(const CompareOptions& options, const Wanted& run,
                                     std::vector<std::string>& own) {
  std::vector<std::string> common;
  std::vector<std::string> byName;
  for (const std::string& text : options.scene.overrides) {
    const std::optional<std::string> owner = ownerOf(text);
    if (!owner) {
      common.push_back(text);
    } else if (*owner == run.name) {
      byName.push_back(text.substr(owner->size() + 1));
    } else if (*owner == run.method) {
      own.push_back(text.substr(owner->size() + 1));
    }
  }
  own.insert(own.end(), byName.begin(), byName.end());
  common.insert(common.end(), own.begin(), own.end());
  return common;
}

}  // namespace

Result<std::vector<MethodRun>> prepareMethods(const CompareOptions& options, const Registry& registry) {
  const Result<std::vector<Wanted>> wanted = wantedRuns(options, registry);
  if (!wanted) return wanted.error();
  if (const Result<void> checked = checkOwners(options, *wanted, registry); !checked) return checked.error();
  const bool areNamed = !options.methods.empty() || !options.runs.empty();
  std::vector<MethodRun> runs;
  for (const Wanted& want : *wanted) {
    SceneOptions scene = options.scene;
    scene.stepper.method = want.method;
    std::vector<std::string> own;
    scene.overrides = overridesOf(options, want, own);
    scene.quiet = scene.quiet || !runs.empty();  // notices of the import once
    Result<std::unique_ptr<HeadlessRun>> run = openRun(scene, Detail::Facts, registry);
    if (!run && !areNamed && run.error().code == ErrorCode::Unsupported) {
      if (!options.scene.quiet)
        std::cerr << "slipstick: " << want.name << " is left out: " << assets::oneLine(run.error().message())
                  << '\n';
      continue;
    }
    if (!run) return run.error();
    runs.push_back(methodRunOf(want.name, std::move(*run)));
    runs.back().overrides = std::move(own);
  }
  if (!runs.empty()) return runs;
  return Error{ErrorCode::Unsupported, "no method can step this scene", options.scene.scene,
               "name one by --methods to learn why"};
}

}  // namespace slipstick::app
