// What a policy sees of a step: the low-dimensional observations of a demonstration.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "assets/recording/hdf5_file.h"
#include "engine/facts/tactile.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::assets {

class DemoObservations {
 public:
  /// @param patterns  of keys, with *, ? and [...] as in a shell; empty: all. Errors: one that fits no key.
  /// @param tactile   images of what the pads of grippers feel, too, whatever the patterns; an error where there is no pad
  static Result<DemoObservations> of(std::shared_ptr<const Model> model,
                                     const std::vector<std::string>& patterns, bool tactile);

  const std::vector<hdf5::Field>& fields() const { return fields_; }
  /// Appends one row to a table of fields(). The snapshot has what snapshotFrom() knows of a step; for tactile images
  /// its contacts, too.
  void put(const Snapshot& snapshot, hdf5::Table& table) const;

 private:
  using Read = std::function<void(const Snapshot&, std::vector<double>&)>;
  explicit DemoObservations(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  Result<DemoObservations> fitting(const std::vector<std::string>& patterns) const;
  void addJoints();
  void addEffectors();
  void addBodies();
  void addDeformables();
  bool addTactile();
  std::string tactileKey(const Effector& effector, const TactilePad& pad) const;
  void add(hdf5::Field field, Read read);

  std::shared_ptr<const Model> model_;
  std::vector<hdf5::Field> fields_;
  std::vector<Read> reads_;
};

/// Pose of an effector's tool frame in W.
Pose effectorPose(const Model& model, std::size_t effector, const Snapshot& snapshot);

}  // namespace slipstick::assets
