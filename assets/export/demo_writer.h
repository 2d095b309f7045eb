// Demonstrations as robomimic and Isaac Lab read them: one HDF5 file of many episodes; see assets/export_formats.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::assets {

/// A dataset with a picture per sample.
struct DemoPictureField {
  enum class Number : std::uint8_t { U8, U16, F32 };
  std::string name;  ///< below 'obs': "front_depth"
  Number number = Number::U8;
  int width = 0, height = 0, channels = 1;  ///< of one picture
  std::string unit, meaning;                ///< for who reads the file without its page
};

/// Of one picture, of the type of its field: rows from the top, in them columns, in them channels.
using DemoPicture = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<float>>;

/// What cameras see of recordings: whoever can draw gives it to exportDemos().
class DemoPictures {
 public:
  virtual ~DemoPictures() = default;
  /// From here on pictures are of a recording of this model. Errors: it has no such camera, nothing here can draw.
  virtual Result<void> begin(std::shared_ptr<const Model> model) = 0;
  virtual std::vector<DemoPictureField> fields() const = 0;
  /// Attributes of a demonstration, by name: what cameras and numbers are, as JSON.
  virtual std::vector<std::pair<std::string, std::string>> facts() const = 0;
  /// As many as there are fields, in their order. @param snapshot  of the model, with its particles
  virtual std::vector<DemoPicture> draw(const std::shared_ptr<const Snapshot>& snapshot) = 0;
};

struct DemoOptions {
  std::string program;                    ///< "slipstick 0.1.0"
  std::optional<double> rate;             ///< samples per simulated second; unset: every step
  double train = 0.9;                     ///< part of the demonstrations that 'mask/train' names
  std::vector<std::string> observations;  ///< patterns of keys below 'obs'; empty: all
  bool tactile = false;                   ///< with images of what the pads of grippers feel
  DemoPictures* pictures = nullptr;       ///< none: no pictures
  /// What the methods of the program add to what the recordings' scenes may say; null: nothing.
  std::shared_ptr<const AllMethodRows> methods = {};
  /// Told how far it is, 0 … 1; false ends it. Unset: nobody watches.
  std::function<bool(double)> goesOn = {};
};

struct DemoReport {
  std::size_t demos = 0, successes = 0, samples = 0;
  std::vector<std::string> notices;  ///< what was left out, and what does not replay exactly, with the reason
};

/// Writes the file whole or not at all. Discarded and broken recordings are left out with a notice.
/// Errors: nothing is left, the recordings are of scenes with other numbers or effectors, none has an effector, a
/// pattern fits nothing, there are no pads to feel with, the errors of DemoPictures::begin(), the file cannot be written; Cancelled.
Result<DemoReport> exportDemos(const std::vector<std::filesystem::path>& recordings,
                               const std::filesystem::path& out, const DemoOptions& options);

}  // namespace slipstick::assets
