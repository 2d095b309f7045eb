#include "tests/gpu/device_contacts.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace slipstick::gpu::testing {
namespace {

using mpm::ContactPoint;

/// x0 x1 x2 y0 y1 y2 z0 z1 z2: the sums of the weights over the other two axes.
std::array<float, 9> factorsOf(const ContactPoint<float>& c) {
  std::array<double, 9> sums{};
  for (std::size_t j = 0; j < 27; ++j)
    for (const std::size_t axis : {j / 9, 3 + j / 3 % 3, 6 + j % 3}) sums[axis] += double(c.weight[j]);
  for (std::size_t j = 0; j < 27; ++j)
    if (std::abs(sums[j / 9] * sums[3 + j / 3 % 3] * sums[6 + j % 3] - double(c.weight[j])) > 1e-6)
      throw std::invalid_argument("the weights are not products of three factors");
  std::array<float, 9> factors{};
  for (std::size_t k = 0; k < 9; ++k) factors[k] = static_cast<float>(sums[k]);
  return factors;
}

std::size_t frictionContacts(const mpm::ContactProblem<float>& problem) {
  std::size_t count = 0;
  for (const mpm::NodeBounds& bounds : problem.bounds)
    for (const mpm::NodeBound& b : bounds) count += b.kind != BoundaryKind::Sticky && b.friction > 0;
  return count;
}

void setColumns(std::vector<float>& columns, std::size_t capacity, std::size_t i, const lanes::V3<float>& v) {
  for (std::size_t k = 0; k < 3; ++k) columns[k * capacity + i] = v[static_cast<int>(k)];
}

}  // namespace

DeviceContacts::DeviceContacts(Executor& executor, const mpm::ContactProblem<float>& problem,
                               int contactCapacity)
    : executor_(executor) {
  const std::size_t all = problem.contacts.size() + frictionContacts(problem);
  // Capacities that are larger than what is in them, as those of a backend are.
  view_.contactCapacity = contactCapacity > 0 ? contactCapacity : static_cast<int>(all) + 5;
  view_.nodeCapacity = static_cast<int>(problem.mass.size()) + 3;
  view_.dt = problem.dt;
  view_.stictionSpeed = problem.stictionSpeed;
  view_.stictionSoftness = problem.stictionSoftness;
  view_.counts = place<ContactCounts>(
      {{static_cast<int>(problem.contacts.size()), static_cast<int>(problem.mass.size()), 0, 0}});
  view_.report = place<SolveReport>({SolveReport{}});
  placeContacts(problem);
  placeNodes(problem);
  arrays_.emplace_back(executor_);
  arrays_.back().ensure(contactMemoryBytes(view_.contactCapacity, view_.nodeCapacity));
  memory_ = contactMemory(arrays_.back().data(), view_.contactCapacity, view_.nodeCapacity);
}

template <class T>
T* DeviceContacts::place(const std::vector<T>& values) {
  DeviceArray<std::byte>& array = arrays_.emplace_back(executor_);
  const std::size_t bytes = values.size() * sizeof(T);
  array.ensure(std::max<std::size_t>(bytes, 1));
  PinnedArray<std::byte> pinned(executor_);
  pinned.ensure(std::max<std::size_t>(bytes, 1));
  if (bytes > 0) std::memcpy(pinned.data(), values.data(), bytes);
  executor_.upload(array.data(), pinned.data(), bytes);
  executor_.wait();
  return reinterpret_cast<T*>(array.data());
}

void DeviceContacts::placeContacts(const mpm::ContactProblem<float>& problem) {
  const auto capacity = static_cast<std::size_t>(view_.contactCapacity);
  // What is behind the contacts is no number: nobody may read it before it is written.
  const std::vector<float> one(capacity, std::numeric_limits<float>::quiet_NaN());
  std::vector<float> three(3 * capacity, one[0]), normal = three, vBody = three, guess = three,
                                                  weight(9 * capacity);
  std::vector<float> f0 = one, stiffness = one, dissipation = one, friction = one, n0 = one;
  std::vector<int> bound(capacity, -7), node(27 * capacity, -7);
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ContactPoint<float>& p = problem.contacts[c];
    setColumns(normal, capacity, c, p.normal);
    setColumns(vBody, capacity, c, p.vBody);
    setColumns(guess, capacity, c, p.guess);
    f0[c] = p.f0, stiffness[c] = p.stiffness, dissipation[c] = p.dissipation;
    friction[c] = p.friction, n0[c] = p.n0, bound[c] = p.bound;
    for (std::size_t j = 0; j < 27; ++j) node[j * capacity + c] = p.weight[j] != 0 ? p.node[j] : -1;
    const std::array<float, 9> factors = factorsOf(p);
    for (std::size_t k = 0; k < 9; ++k) weight[k * capacity + c] = factors[k];
  }
  view_.normal = place(normal), view_.vBody = place(vBody), view_.guess = place(guess);
  view_.f0 = place(f0), view_.stiffness = place(stiffness), view_.dissipation = place(dissipation);
  view_.friction = place(friction), view_.n0 = place(n0), view_.epsilon = place(one);
  view_.bound = place(bound), view_.node = place(node), view_.weight = place(weight);
  view_.gamma = place(three), view_.u = place(three);
}

void DeviceContacts::placeNodes(const mpm::ContactProblem<float>& problem) {
  const auto capacity = static_cast<std::size_t>(view_.nodeCapacity);
  std::vector<float> mass(capacity), vStar(3 * capacity);
  std::vector<int> firstBound(capacity), bounds(capacity);
  std::vector<DeviceBound> list;
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    mass[i] = problem.mass[i];
    setColumns(vStar, capacity, i, problem.vStar[i]);
    firstBound[i] = static_cast<int>(list.size());
    if (problem.bounds.empty()) continue;
    bounds[i] = static_cast<int>(problem.bounds[i].size());
    for (const mpm::NodeBound& b : problem.bounds[i]) {
      DeviceBound& bound = list.emplace_back();
      bound.kind = static_cast<int>(b.kind);
      bound.boundary = b.boundary;
      for (int k = 0; k < 3; ++k) {
        bound.normal[k] = static_cast<float>(b.normal[k]);
        bound.velocity[k] = static_cast<float>(b.velocity[k]);
      }
      bound.friction = static_cast<float>(b.friction);
    }
  }
  view_.mass = place(mass), view_.vStar = place(vStar), view_.v = place(std::vector<float>(3 * capacity));
  view_.firstBound = place(firstBound), view_.bounds = place(bounds), view_.boundList = place(list);
}

void DeviceContacts::takeOut(const std::set<int>& nodes) {
  std::vector<int> node = fetch(view_.node, 27 * static_cast<std::size_t>(view_.contactCapacity));
  for (int& i : node)
    if (nodes.contains(i)) i = -1;
  view_.node = place(node);
}

template <class T>
std::vector<T> DeviceContacts::fetch(const T* from, std::size_t count) {
  PinnedArray<T> pinned(executor_);
  pinned.ensure(count);
  executor_.download(pinned.data(), from, count * sizeof(T));
  executor_.wait();
  return std::vector<T>(pinned.data(), pinned.data() + count);
}

std::vector<lanes::V3<float>> DeviceContacts::fetchVectors(const float* from, int capacity, int count) {
  const std::vector<float> columns = fetch(from, 3 * static_cast<std::size_t>(capacity));
  std::vector<lanes::V3<float>> vectors;
  for (int i = 0; i < count; ++i) vectors.push_back(loadVector(columns.data(), capacity, i));
  return vectors;
}

DeviceSolution DeviceContacts::read() {
  DeviceSolution s;
  s.counts = fetch(view_.counts, 1)[0];
  s.report = fetch(view_.report, 1)[0];
  // Without capacity for the friction of boundaries, counts say only how much there would be.
  const int contacts = s.counts.contacts + (s.counts.overflow != 0 ? 0 : s.counts.boundaryContacts);
  s.v = fetchVectors(view_.v, view_.nodeCapacity, s.counts.nodes);
  s.gamma = fetchVectors(view_.gamma, view_.contactCapacity, contacts);
  s.u = fetchVectors(view_.u, view_.contactCapacity, contacts);
  s.n0 = fetch(view_.n0, static_cast<std::size_t>(contacts));
  s.epsilon = fetch(view_.epsilon, static_cast<std::size_t>(contacts));
  return s;
}

DeviceSolution solveOnHost(const mpm::ContactProblem<float>& problem, const DeviceSolveSettings& settings,
                           const SolvingTeam& by, const std::set<int>& absent) {
  HostExecutor executor(by.settings());
  DeviceContacts device(executor, problem);
  if (!absent.empty()) device.takeOut(absent);
  launchContactSolve(executor, device.view(), device.memory(), settings,
                     by.only ? onlyBy(*by.only) : thresholdsOn(executor));
  return device.read();
}

SolveThresholds onlyBy(Scope scope) {
  constexpr int kAll = std::numeric_limits<int>::max();
  return {scope == Scope::Block ? kAll : 0, scope == Scope::Cluster ? kAll : 0};
}

}  // namespace slipstick::gpu::testing
