// The rigid side of a contact problem at its simplest: one body that moves freely.
#pragma once

#include <Eigen/Cholesky>

#include "engine/mpm/contact/rigid_side.h"

namespace slipstick::mpm {

class FreeRigidBody final : public RigidSide {
 public:
  using Vec6 = multibody::Vec6;
  using Mat6 = multibody::Mat6;

  /// @param inertia  of a cube about its centre, which is the body's origin [kg m²]
  FreeRigidBody(double mass, double inertia, const Velocity& free) {
    A_ = Vec6(inertia, inertia, inertia, mass, mass, mass).asDiagonal();
    free_ << free.w, free.v;
    bodies_.resize(2);
  }

  const std::vector<StepInput::BodyMotion>& bodies() const override { return bodies_; }
  bool moves(int body) const override { return body == 1; }
  void begin(double) override {}
  void end(std::span<const Wrench>) override {}
  void touch(std::span<const int>) override {}
  void start(Iterate& at) override {
    at.v = free_;
    evaluate(at);
  }
  void settle(std::span<const Wrench> impulses, Iterate& at) override {
    at.v = free_ + A_.inverse() * stacked(impulses[0]);
    evaluate(at);
  }
  void evaluate(Iterate& at) override {
    const Vec6 change = at.v - free_;
    at.energy = 0.5 * change.dot(A_ * change);
    at.V = {{at.v.head<3>(), at.v.tail<3>()}};
  }
  Residual residual(const Iterate& at, std::span<const Load> loads) override {
    const Vec6 impulse = stacked(loads[0].impulse), error = A_ * (at.v - free_) - impulse;
    const Vec6 D = A_.diagonal().cwiseSqrt().cwiseInverse();
    return {D.cwiseProduct(error).norm(), D.cwiseProduct(impulse).norm(), 0};
  }
  void step(const Iterate& at, std::span<const Load> loads, Iterate& next) override {
    const Vec6 gradient = A_ * (at.v - free_) - stacked(loads[0].impulse);
    next.v = at.v - Mat6(A_ + loads[0].curvature).ldlt().solve(gradient);
    evaluate(next);
  }
  void linearize(const Iterate& at, std::span<const Load> loads) override {
    gradient_ = A_ * (at.v - free_) - stacked(loads[0].impulse);
    S_ = A_ + loads[0].curvature;
  }
  void respond(std::span<const Wrench> wrenches, bool withGradient, VecX& s,
               std::vector<Velocity>& V) override {
    s = S_.ldlt().solve(stacked(wrenches[0]) - (withGradient ? gradient_ : Vec6::Zero()));
    V = {{s.head<3>(), s.tail<3>()}};
  }
  Slope slope(const Iterate& at, const VecX& s, double alpha) override {
    const Vec6 along = A_ * s;
    return {along.dot(at.v + alpha * s - free_), along.dot(s)};
  }
  void momentum(const VecX& x, VecX& Ax) const override { Ax = A_ * x; }

  const Mat6& A() const { return A_; }
  const Vec6& freeMotion() const { return free_; }

 private:
  static Vec6 stacked(const Wrench& w) { return multibody::stack(w.torque, w.force); }

  Mat6 A_ = Mat6::Zero();
  Mat6 S_ = Mat6::Zero();
  Vec6 free_ = Vec6::Zero(), gradient_ = Vec6::Zero();
  std::vector<StepInput::BodyMotion> bodies_;
};

}  // namespace slipstick::mpm
