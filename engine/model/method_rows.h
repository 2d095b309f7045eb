// What a method adds to the tables that all methods share: a row each for its own settings, observables, phases and flags.
// The rows stand in the method's folder; whoever reads or prints such things looks them up here.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/number_range.h"
#include "engine/model/discretization.h"
#include "engine/model/health.h"
#include "engine/model/parameters.h"
#include "engine/model/phase.h"

namespace slipstick {

/// A number that a scene may set for a method, and people change while it runs: `solver.<method>.<key>`.
struct MethodSetting {
  std::string_view key;
  std::string_view unit;  ///< "Pa"; empty: a plain number
  Range range;
  double usual = 0;  ///< where a scene says nothing; within the range
  std::string_view description;
  bool isWhole = false;  ///< it counts something
};

/// A number that a method tells about each of its steps, see StepOutcome::observables.
struct MethodObservable {
  std::string_view name;  ///< below `solver.<method>.`
  std::string_view unit;  ///< "N"; empty for pure numbers
  std::string_view description;
};

struct MethodRows {
  std::string name;  ///< of the method
  std::vector<MethodSetting> settings;
  std::vector<MethodObservable> observables;  ///< in the order of StepOutcome::observables
  std::vector<PhaseInfo> phases;              ///< of ownPhase(0), ownPhase(1) …
  std::vector<HealthInfo> flags;              ///< each of ownFlag(i) or ownRefusal(i) at its place i
  /// Whether it tells contacts of soft bodies with each other and with themselves.
  bool softContacts = false;
  /// Whether files are to have Contact::law and Contact::isIndeterminate of each contact. A method without this has compliant
  /// contacts alone, each with a force of its own.
  bool forceLaws = false;
  /// Makes the nodes of its soft bodies; null: they are filled with particles.
  Discretize discretize = nullptr;

  /// Whether it adds nothing to the tables.
  bool isEmpty() const {
    return settings.empty() && observables.empty() && phases.empty() && flags.empty() && !softContacts &&
           !forceLaws;
  }
  /// Whether phases and flags fit into the places that are kept for them, and defaults into their ranges.
  bool isSound() const;
};

/// What all methods of the program add. Immutable: models, and the scenes that they come from, share one.
class AllMethodRows {
 public:
  /// Requires sound rows. Of methods that add nothing there are none in methods().
  explicit AllMethodRows(std::vector<MethodRows> methods);
  AllMethodRows(const AllMethodRows&) = delete;  // rows refer to the words
  AllMethodRows& operator=(const AllMethodRows&) = delete;

  const std::vector<std::shared_ptr<const MethodRows>>& methods() const { return methods_; }
  /// Null: there is no such method, or it adds nothing.
  std::shared_ptr<const MethodRows> find(std::string_view method) const;
  /// What makes the nodes of a method's soft bodies; null: they are particles, or there is no such method.
  Discretize discretizeOf(std::string_view method) const;

  /// Rows of the table of parameters for all methods' settings. The index of each is its place, here and in Tuning::own.
  const std::vector<ParameterKind>& settings() const { return kinds_; }
  /// All settings as usual: for Tuning::own.
  const std::vector<MethodNumber>& usual() const { return usual_; }

 private:
  struct Words {
    std::string path, what, remedy;
  };
  void addSetting(const std::string& method, const MethodSetting& setting);

  std::vector<std::shared_ptr<const MethodRows>> methods_;
  std::map<std::string, Discretize, std::less<>> discretize_;  ///< of the methods that have one
  std::deque<Words> words_;                                    ///< that kinds_ refer to
  std::vector<ParameterKind> kinds_;
  std::vector<MethodNumber> usual_;
};

/// What a setting of a method's own is in a model: as usual where the model was made without the method's rows.
double settingOf(const Model& model, std::string_view method, const MethodSetting& setting);

/// Whether the method that steps a model tells contacts of soft bodies with each other and with themselves.
bool tellsSoftContacts(const Model& model);
/// Whether files of the method that steps a model have what makes the force of each contact: see MethodRows::forceLaws.
bool tellsForceLaws(const Model& model);

/// "solver.<method>.<key>"
std::string ownPath(std::string_view method, std::string_view key);

}  // namespace slipstick
