// The residual curve of one convex solve, for people: short, however long the solve was.
#pragma once

#include <cstddef>
#include <vector>

namespace slipstick::contact {

/// Where a solve stood before each of its iterations, and where it ended. It keeps its memory from solve to solve, and
/// nothing that is computed reads it.
class SolveTrace {
 public:
  struct Point {
    int iteration = 0;        ///< of all passes
    float residual = 0;       ///< over its scale, as the stop test has it [-]
    bool beginsPass = false;  ///< friction bounds were corrected here: another problem from here on
  };
  /// Longer solves keep every second, fourth … iteration, and always the last.
  static constexpr std::size_t kMaxPoints = 128;

  SolveTrace() = default;
  SolveTrace(const SolveTrace&) = default;  ///< has no more room than it needs
  SolveTrace(SolveTrace&&) = default;
  /// Makes room for the longest: what is assigned again and again allocates once.
  SolveTrace& operator=(const SolveTrace& other);
  SolveTrace& operator=(SolveTrace&&) = default;
  ~SolveTrace() = default;

  void clear();
  /// What comes next belongs to the same problem with corrected friction bounds.
  void beginPass() { passBegins_ = true; }
  /// Of the start of a pass, or of one more iteration.
  void add(double residual);
  /// @param tolerance  the residual that the last pass had to reach [-]
  void finish(bool converged, double tolerance);

  bool isEmpty() const { return points_.empty(); }
  const std::vector<Point>& points() const { return points_; }
  int iterations() const { return points_.empty() ? 0 : points_.back().iteration; }
  bool converged() const { return converged_; }
  double tolerance() const { return tolerance_; }
  /// Which of the step's solves it was: the substep or the island, counted from 0.
  int index() const { return index_; }
  void setIndex(int index) { index_ = index; }
  std::size_t byteCount() const { return points_.size() * sizeof(Point); }  ///< beside itself

 private:
  void thinOut();

  std::vector<Point> points_;
  double tolerance_ = 0;
  int stride_ = 1;  ///< of the iterations that are kept
  int index_ = 0;
  bool converged_ = true, passBegins_ = false;
};

}  // namespace slipstick::contact
