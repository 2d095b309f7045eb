// A person at the keyboard, for tests: which keys are held, and until what is seen.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/facts/observables.h"
#include "engine/model/snapshot.h"
#include "engine/teleop/teleop.h"

namespace slipstick::testing {

/// By the names of keyboardInfo().
using Keys = std::vector<std::string>;

/// What a person sees of a step.
class Sight {
 public:
  /// @param values  of the model, by name
  Sight(const Snapshot& now, const std::map<std::string, const Observable*, std::less<>>& values)
      : now_(now), values_(values) {}
  double time() const { return now_.time; }  ///< [s]
  double operator[](std::string_view observable) const;
  Vec3 at(const std::string& thing) const;  ///< of a body or the middle of a deformable, W [m]
  Pose tool() const;                        ///< of the first effector
  Pose goal() const;                        ///< drawn beside it; the tool where nothing was asked yet

 private:
  const Snapshot& now_;
  const std::map<std::string, const Observable*, std::less<>>& values_;
};

/// One thing that hands do, until it is done.
struct KeyStroke {
  std::string name;  ///< for people who look for why a script did not get on
  std::function<Keys(const Sight&)> keys;
  std::function<bool(const Sight&, double heldFor)> isDone;  ///< the time that it has been held [s]
};

KeyStroke hold(Keys keys, double seconds);
KeyStroke holdUntil(Keys keys, std::function<bool(const Sight&)> isDone);
/// Long enough for a finger, and a moment for what follows from it.
KeyStroke tap(const std::string& key);
KeyStroke rest(double seconds);
/// Brings the goal to a place [m] with the keys of the world's axes, slowly for the last part, and waits for the tool. A coordinate that is no number
/// stays as it is. It also ends where the tool has stood still for half a second: at what it presses, or at its workspace's end.
KeyStroke moveTo(std::function<Vec3(const Sight&)> place, double within = 4e-3);

/// Strokes one after another. Keys change no more often than fingers do.
class KeyScript {
 public:
  explicit KeyScript(std::vector<KeyStroke> strokes) : strokes_(std::move(strokes)) {}
  KeyScript(KeyScript&&) = default;  // values_ points into observables_
  /// What is held from this step on; steps may be left out.
  const Keys& keysAt(const Snapshot& now);
  bool isOver() const { return stroke_ == strokes_.size(); }
  /// Of the stroke that it is at.
  std::string where() const { return isOver() ? "the end" : strokes_[stroke_].name; }

 private:
  std::vector<KeyStroke> strokes_;
  std::size_t stroke_ = 0;
  Keys held_;
  double since_ = 0, looksAgain_ = 0;  ///< [s]
  std::shared_ptr<const Model> model_;
  Observables observables_;
  std::map<std::string, const Observable*, std::less<>> values_;
};

/// The keyboard, as the window reports it to Teleop.
class KeyHand {
 public:
  explicit KeyHand(Teleop& teleop);
  void hold(const Keys& keys);

 private:
  Teleop& teleop_;
  DeviceReading reading_;
};

}  // namespace slipstick::testing
