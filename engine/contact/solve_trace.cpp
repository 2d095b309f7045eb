#include "engine/contact/solve_trace.h"

#include <algorithm>

namespace slipstick::contact {

void SolveTrace::clear() {
  points_.clear();
  tolerance_ = 0;
  stride_ = 1;
  index_ = 0;
  converged_ = true;
  passBegins_ = false;
}

SolveTrace& SolveTrace::operator=(const SolveTrace& other) {
  if (!other.points_.empty()) points_.reserve(kMaxPoints);
  points_.assign(other.points_.begin(), other.points_.end());
  tolerance_ = other.tolerance_;
  stride_ = other.stride_;
  index_ = other.index_;
  converged_ = other.converged_;
  passBegins_ = other.passBegins_;
  return *this;
}

void SolveTrace::add(double residual) {
  points_.reserve(kMaxPoints);
  Point next{0, static_cast<float>(residual), false};
  if (!points_.empty()) {
    const Point& last = points_.back();
    next.beginsPass = passBegins_;
    next.iteration = last.iteration + (passBegins_ ? 0 : 1);
    // The last one is kept whatever its number only as long as it is the last.
    const bool passing = last.iteration % stride_ != 0 && !last.beginsPass && !next.beginsPass;
    if (passing) points_.pop_back();
    if (points_.size() == kMaxPoints) thinOut();
  }
  passBegins_ = false;
  points_.push_back(next);
}

/// Leaves every second iteration, where passes begin, and room for one more.
void SolveTrace::thinOut() {
  stride_ *= 2;
  std::erase_if(points_, [this](const Point& p) { return p.iteration % stride_ != 0 && !p.beginsPass; });
  if (points_.size() == kMaxPoints) points_.pop_back();
}

void SolveTrace::finish(bool converged, double tolerance) {
  converged_ = converged;
  tolerance_ = tolerance;
}

}  // namespace slipstick::contact
