#include "engine/geometry/collision.h"

#include <algorithm>

#include "engine/geometry/broad_phase.h"
#include "engine/geometry/narrow_phase.h"

namespace slipstick {

struct Collision::Workspace {
  std::vector<Entry> entries;  // ascending geometries
  Filter filter;
  std::vector<Pose> X_WG;
  std::vector<Aabb> boxes;
  BroadPhase broadPhase;
  NarrowPhase narrowPhase;

  bool mayMeet(const Entry& a, const Entry& b) const {
    return a.body != b.body && filter(a.geometry, b.geometry);
  }

  void makeGrids() const {
    for (std::size_t i = 0; i < entries.size(); ++i)
      for (std::size_t j = i + 1; j < entries.size(); ++j)
        if (NarrowPhase::needsGrids(*entries[i].shape, *entries[j].shape) && mayMeet(entries[i], entries[j]))
          NarrowPhase::makeGrids(*entries[i].shape, *entries[j].shape);
  }

  void place(const std::vector<Pose>& X_WB, double margin) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      X_WG[i] = X_WB[static_cast<std::size_t>(entries[i].body)] * entries[i].X_BG;
      boxes[i] = entries[i].shape->bounds(X_WG[i]);
      if (margin > 0) boxes[i].lower.array() -= margin / 2, boxes[i].upper.array() += margin / 2;
    }
  }
};

Collision::Collision(std::vector<Entry> entries, Filter filter) : work_(std::make_unique<Workspace>()) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.geometry < b.geometry; });
  work_->X_WG.resize(entries.size());
  work_->boxes.resize(entries.size());
  work_->entries = std::move(entries);
  work_->filter = std::move(filter);
  work_->makeGrids();
}
Collision::~Collision() = default;
Collision::Collision(Collision&&) noexcept = default;

void Collision::find(const std::vector<Pose>& X_WB, double margin, RigidContactSet& contacts,
                     const std::vector<char>& bodies) {
  Workspace& work = *work_;
  const auto takesPart = [&](const Entry& entry) {
    return bodies.empty() || bodies[static_cast<std::size_t>(entry.body)];
  };
  contacts.clear();
  work.place(X_WB, margin);
  for (const auto& [i, j] : work.broadPhase.find(work.boxes)) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    const Entry &entryA = work.entries[a], &entryB = work.entries[b];
    if (!takesPart(entryA) || !takesPart(entryB) || !work.mayMeet(entryA, entryB)) continue;
    RigidContactSet::Pair pair;
    pair.geometryA = entryA.geometry, pair.geometryB = entryB.geometry;
    pair.pointBegin = static_cast<int>(contacts.points.size());
    pair.polygonBegin = static_cast<int>(contacts.polygonEnds.size());
    if (margin > 0)
      work.narrowPhase.findNear(*entryA.shape, work.X_WG[a], *entryB.shape, work.X_WG[b], margin, contacts);
    else
      work.narrowPhase.find(*entryA.shape, work.X_WG[a], *entryB.shape, work.X_WG[b], contacts);
    pair.pointEnd = static_cast<int>(contacts.points.size());
    pair.polygonEnd = static_cast<int>(contacts.polygonEnds.size());
    if (pair.pointEnd > pair.pointBegin) contacts.pairs.push_back(pair);
  }
}

}  // namespace slipstick
