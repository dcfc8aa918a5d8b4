#include "filter_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace heddle::workload::particlefilter {
namespace {

using namespace ::particlefilter;

constexpr double kUnit = 0x1p-24;
constexpr double kTurn = 6.283185307179586;

/// The number after `seed` in the sequence of 31-bit random numbers, by 64-bit arithmetic.
std::uint32_t next_of(std::uint32_t seed) {
  return static_cast<std::uint32_t>((std::uint64_t{kFactor} * seed + kAddend) %
                                    (std::uint64_t{1} << 31));
}

/// The device's uniform number, with 24 bits.
double uniform(std::uint32_t seed) {
  return static_cast<double>(static_cast<float>(seed) + 1.0F) * 0x1p-31;
}

double normal(std::uint32_t first, std::uint32_t second) {
  return std::sqrt(-2 * std::log(uniform(first))) * std::cos(kTurn * uniform(second));
}

/// The nearest position inside the frame, or the first one if `place` is not a number.
std::size_t inside(double place, int length) {
  return static_cast<std::size_t>(std::fmin(std::fmax(place, 0), length - 1));
}

double log_likelihood(const Film& film, const std::vector<std::uint8_t>& frame, float at_x,
                      float at_y) {
  static const std::vector<Point> disc = disc_pixels();
  const double x = std::nearbyint(static_cast<double>(at_x));
  const double y = std::nearbyint(static_cast<double>(at_y));
  double likelier = 0;
  for (const Point& point : disc) {
    const std::size_t column = inside(x + point.x, film.width);
    const std::size_t row = inside(y + point.y, film.height);
    // The difference of two squares as a product.
    const double level = frame[row * static_cast<std::size_t>(film.width) + column];
    likelier += (kForeground - kBackground) * (2 * level - kBackground - kForeground);
  }
  const auto deviation = static_cast<double>(kDeviation);
  return likelier / (2 * deviation * deviation * static_cast<double>(disc.size()));
}

}  // namespace

std::vector<Point> disc_pixels() {
  std::vector<Point> pixels;
  for (int y = -kRadius; y <= kRadius; ++y) {
    for (int x = -kRadius; x <= kRadius; ++x) {
      if (x * x + y * y < kRadius * kRadius) pixels.push_back({x, y});
    }
  }
  return pixels;
}

// The least uniform number is 2^-31, so no normal number is greater than 6.6. The roundings, in
// units of 2^-24: logf two, the root one and half of logf's, cospif two, the product one. The
// product with the deviation and the additions have one each, of at most the sums' terms.
void check_moves(const std::vector<Round>& rounds, CheckResult& check) {
  std::vector<std::uint32_t> seeds, want_seeds;
  std::vector<double> got_x, got_y, want_x, want_y;
  for (const Round& round : rounds) {
    seeds.insert(seeds.end(), round.seeds.begin(), round.seeds.end());
    for (std::size_t i = 0; i < round.seeds.size(); ++i) {
      const std::uint32_t a = next_of(round.seeds_before[i]), b = next_of(a), c = next_of(b),
                          d = next_of(c);
      want_seeds.push_back(d);
      const auto add = [](float before, float move, float wander, double deviations, float moved,
                          std::vector<double>& got, std::vector<double>& want) {
        const double from = static_cast<double>(before) + static_cast<double>(move);
        const double scale = 2 * (std::abs(from) + 1) + 8 * 6.6 * static_cast<double>(wander);
        got.push_back(static_cast<double>(moved) / scale);
        want.push_back((from + static_cast<double>(wander) * deviations) / scale);
      };
      add(round.before.x[i], kMoveX, kWanderX, normal(a, b), round.moved.x[i], got_x, want_x);
      add(round.before.y[i], kMoveY, kWanderY, normal(c, d), round.moved.y[i], got_y, want_y);
    }
  }
  const Bound bound{
      .absolute = kUnit,
      .reason = "2^-24 of twice the old position and of eight times the longest move"};
  check.exact("seeds", seeds, want_seeds);
  check.close("x / its bound", got_x, want_x, bound);
  check.close("y / its bound", got_y, want_y, bound);
}

// Sums of squares are integers; their mean is rounded once and below 31. A weight is therefore
// known to 31 units of 2^-24 plus the 4 of expf. The sum adds one for each of the nine levels of
// its tree, the sum of blocks nine and one for each 512 blocks, and the division one.
void check_weights(const std::vector<Round>& rounds, const Film& film, CheckResult& check) {
  std::vector<float> weights, accumulated;
  std::vector<double> want, sums;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const Round& round = rounds[i];
    weights.insert(weights.end(), round.weights.begin(), round.weights.end());
    accumulated.insert(accumulated.end(), round.accumulated.begin(), round.accumulated.end());
    std::vector<double> unscaled;
    double whole = 0, before = 0;
    for (std::size_t k = 0; k < round.weights.size(); ++k) {
      unscaled.push_back(
          std::exp(log_likelihood(film, film.frames[i + 1], round.moved.x[k], round.moved.y[k])));
      whole += unscaled.back();
      sums.push_back(before += static_cast<double>(round.weights[k]));
    }
    for (const double weight : unscaled) want.push_back(weight / whole);
  }
  const double blocks = static_cast<double>(rounds.front().weights.size()) / kBlock + 1;
  check.close("weights", weights, want,
              {.relative = (2 * 35 + 20 + blocks / kBlock) * kUnit,
               .reason = "a mean's rounding in the exponent, expf within 2 ulp, and a tree's "
                         "sums"});
  check.close("accumulated weights", accumulated, sums,
              {.relative = (9 + blocks) * kUnit,
               .reason = "additions of positive numbers: nine levels, and one for each 512 "
                         "before"});
}

// Each draw selects the first particle whose accumulated weight reaches it.
void check_draws(const std::vector<Round>& rounds, CheckResult& check) {
  std::vector<float> x, y, want_x, want_y;
  for (const Round& round : rounds) {
    x.insert(x.end(), round.drawn.x.begin(), round.drawn.x.end());
    y.insert(y.end(), round.drawn.y.begin(), round.drawn.y.end());
    // Because of rounding, a sum may be less than the one before it.
    std::vector<float> reached = round.accumulated;
    for (std::size_t i = 1; i < reached.size(); ++i) {
      reached[i] = std::max(reached[i], reached[i - 1]);
    }
    const std::size_t count = reached.size();
    for (std::size_t i = 0; i < count; ++i) {
      const float share = (round.start + static_cast<float>(i)) / static_cast<float>(count);
      const auto found = std::lower_bound(reached.begin(), reached.end(), share);
      const std::size_t chosen =
          std::min(static_cast<std::size_t>(found - reached.begin()), count - 1);
      want_x.push_back(round.moved.x[chosen]);
      want_y.push_back(round.moved.y[chosen]);
    }
  }
  const Bound copies{.reason = "copies"};
  check.close("x of those drawn", x, want_x, copies);
  check.close("y of those drawn", y, want_y, copies);
}

}  // namespace heddle::workload::particlefilter
