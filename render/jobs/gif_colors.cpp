#include "render/jobs/gif_colors.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/require.h"

namespace slipstick::render {
namespace {

constexpr int kBits = 7;  // of a channel: finer differences are not seen
constexpr std::size_t kCells = std::size_t{1} << (3 * kBits);

std::size_t cellOf(Rgb c) {
  constexpr int kDrop = 8 - kBits;
  return static_cast<std::size_t>((c.r >> kDrop) << (2 * kBits) | (c.g >> kDrop) << kBits | c.b >> kDrop);
}

/// How much the eye minds an error in red, green and blue.
const Eigen::Vector3f kWeights(1.4f, 2.f, 1.f);

Eigen::Vector3f weighted(Rgb c) {
  return kWeights.cwiseProduct(Eigen::Vector3f(c.r, c.g, c.b));
}

struct Point {
  Eigen::Vector3f at;  ///< weighted
  float weight = 0;
};

/// Points first … last − 1 that share one colour.
struct Box {
  std::size_t first = 0, last = 0;
  Eigen::Vector3f mean = Eigen::Vector3f::Zero();
  Eigen::Vector3f error = Eigen::Vector3f::Zero();  ///< Σ weight · squared distance, by channel
};

Box boxOf(const std::vector<Point>& points, std::size_t first, std::size_t last) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero(), squares = Eigen::Vector3d::Zero();
  double weight = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Eigen::Vector3d at = points[i].at.cast<double>();
    const auto w = static_cast<double>(points[i].weight);
    sum += w * at;
    squares += w * at.cwiseAbs2();
    weight += w;
  }
  const Eigen::Vector3d mean = sum / weight;
  return {first, last, mean.cast<float>(), (squares - weight * mean.cwiseAbs2()).cast<float>()};
}

/// Threshold of the 8 × 8 Bayer pattern, 0 … 63.
int threshold(int x, int y) {
  int value = 0;
  for (int bit = 0; bit < 3; ++bit) {
    const int a = x >> bit & 1, b = y >> bit & 1;
    value |= ((a ^ b) << 1 | b) << (2 * (2 - bit));
  }
  return value;
}

}  // namespace

ColorCount::ColorCount() : count_(kCells, 0) {}

void ColorCount::add(const Image& image) {
  for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
    std::uint32_t& count = count_[cellOf({image.rgba[i], image.rgba[i + 1], image.rgba[i + 2]})];
    if (count < ~0u) ++count;
  }
}

std::vector<Rgb> ColorCount::colors(int most) const {
  constexpr std::size_t kMask = (1 << kBits) - 1;
  std::vector<Point> points;
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    if (count_[cell] == 0) continue;
    const auto channel = [&](int shift) { return 255 * static_cast<float>(cell >> shift & kMask) / kMask; };
    points.push_back({kWeights.cwiseProduct(Eigen::Vector3f(channel(2 * kBits), channel(kBits), channel(0))),
                      std::sqrt(static_cast<float>(count_[cell]))});
  }
  if (points.empty()) return {Rgb{}};
  std::vector<Box> boxes = {boxOf(points, 0, points.size())};
  while (static_cast<int>(boxes.size()) < most) {
    const auto worst = std::max_element(
        boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.error.sum() < b.error.sum(); });
    if (worst->last - worst->first < 2) break;
    const Box box = *worst;
    Eigen::Index axis = 0;
    box.error.maxCoeff(&axis);
    const auto begin = points.begin();
    const auto middle = std::partition(begin + static_cast<std::ptrdiff_t>(box.first),
                                       begin + static_cast<std::ptrdiff_t>(box.last),
                                       [&](const Point& p) { return p.at[axis] < box.mean[axis]; });
    const auto cut = static_cast<std::size_t>(middle - begin);
    if (cut == box.first || cut == box.last) break;  // all alike
    *worst = boxOf(points, box.first, cut);
    boxes.push_back(boxOf(points, cut, box.last));
  }
  std::vector<Rgb> colors;
  for (const Box& box : boxes) {
    const auto byte = [&](int c) {
      return static_cast<std::uint8_t>(std::lround(std::clamp(box.mean[c] / kWeights[c], 0.f, 255.f)));
    };
    colors.push_back({byte(0), byte(1), byte(2)});
  }
  return colors;
}

GifColors::GifColors(std::vector<Rgb> colors, bool dither)
    : colors_(std::move(colors)), dither_(dither), mixes_(kCells) {
  SIM_REQUIRE(!colors_.empty() && colors_.size() <= 256, colors_.size());
}

/// The nearest colour, and the one that with it comes nearest to what is wanted: far pairs are seen as dots.
GifColors::Mix GifColors::mixFor(Rgb color) const {
  constexpr float kDots = 0.12f;
  const Eigen::Vector3f wanted = weighted(color);
  const auto distance = [&](std::size_t i) { return (weighted(colors_[i]) - wanted).squaredNorm(); };
  std::size_t near = 0;
  for (std::size_t i = 1; i < colors_.size(); ++i)
    if (distance(i) < distance(near)) near = i;
  Mix best{static_cast<std::uint8_t>(near), static_cast<std::uint8_t>(near), 0};
  if (!dither_) return best;
  const Eigen::Vector3f from = weighted(colors_[near]);
  float least = distance(near);
  for (std::size_t i = 0; i < colors_.size(); ++i) {
    const Eigen::Vector3f way = weighted(colors_[i]) - from;
    const float length2 = way.squaredNorm();
    if (length2 == 0) continue;
    const float part = std::clamp((wanted - from).dot(way) / length2, 0.f, 0.5f);
    const float error = (from + part * way - wanted).squaredNorm() + kDots * length2 * part * (1 - part);
    if (error >= least) continue;
    least = error;
    best.far = static_cast<std::uint8_t>(i);
    best.part = static_cast<std::uint8_t>(std::lround(64 * part));
  }
  return best;
}

std::uint8_t GifColors::indexAt(Rgb color, int x, int y) {
  Mix& mix = mixes_[cellOf(color)];
  if (mix.part == kUnknown) mix = mixFor(color);
  return threshold(x, y) < mix.part ? mix.far : mix.near;
}

}  // namespace slipstick::render
