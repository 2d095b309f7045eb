// Finds where rigid geometries touch or come near: a broad phase over boxes, then patches or point manifolds pair by pair.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/geometry/contact_shape.h"
#include "engine/geometry/rigid_contact_set.h"

namespace slipstick {

class Collision {
 public:
  struct Entry {
    int geometry = 0;  ///< the index that results carry
    int body = 0;
    Pose X_BG;
    std::shared_ptr<const ContactShape> shape;
  };
  /// Whether two geometries (their indices, ascending) may meet. Called for pairs whose boxes overlap.
  using Filter = std::function<bool(int, int)>;

  /// Makes the distance grids of meshes that may meet meshes: the first time that a mesh comes here this can
  /// take a second.
  Collision(std::vector<Entry> entries, Filter filter);
  ~Collision();
  Collision(Collision&&) noexcept;

  /// All contacts, sorted by (geometryA, geometryB); the same poses give the same result bit by bit.
  /// Geometries of one body never meet. Allocates nothing once its buffers have grown.
  /// @param X_WB  pose of every body
  /// @param bodies  per body, whether it may meet others; empty: all may
  void find(const std::vector<Pose>& X_WB, RigidContactSet& contacts, const std::vector<char>& bodies = {}) {
    find(X_WB, 0, contacts, bodies);
  }
  /// With a margin, places of all pairs that are nearer than it, touching or not, with signed gaps and features that last from
  /// one configuration to the next as bodies move a little. Pairs then meet in points whatever their representations are;
  /// what is exact stands in NearPlaces. A margin of 0: all contacts, as above.
  /// @param margin  ≥ 0 [m]
  void find(const std::vector<Pose>& X_WB, double margin, RigidContactSet& contacts,
            const std::vector<char>& bodies = {});

 private:
  struct Workspace;
  std::unique_ptr<Workspace> work_;
};

}  // namespace slipstick
