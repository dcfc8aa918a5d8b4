#include "cavity.h"

#include <algorithm>
#include <array>

#include "kernel.h"
#include "workload/random.h"

namespace heddle::workload::lbm {
namespace {

using ::lbm::kDirections;
using ::lbm::kWidth;

/// The direction in which a part moves, and the share of gas at rest in this part.
struct Direction {
  int x, y, z;

  double weight() const {
    const int axes = x * x + y * y + z * z;
    return axes == 0 ? 1 / 3.0 : axes == 1 ? 1 / 18.0 : 1 / 36.0;
  }
};

/// In the order of the kernel.
constexpr std::array<Direction, kDirections> kDirectionVectors{{{0, 0, 0},
                                                                {1, 0, 0},
                                                                {-1, 0, 0},
                                                                {0, 1, 0},
                                                                {0, -1, 0},
                                                                {0, 0, 1},
                                                                {0, 0, -1},
                                                                {1, 1, 0},
                                                                {-1, -1, 0},
                                                                {1, -1, 0},
                                                                {-1, 1, 0},
                                                                {1, 0, 1},
                                                                {-1, 0, -1},
                                                                {1, 0, -1},
                                                                {-1, 0, 1},
                                                                {0, 1, 1},
                                                                {0, -1, -1},
                                                                {0, 1, -1},
                                                                {0, -1, 1}}};

std::size_t opposite(std::size_t i) {
  const Direction& way = kDirectionVectors.at(i);
  for (std::size_t other = 0; other < kDirectionVectors.size(); ++other) {
    const Direction& back = kDirectionVectors.at(other);
    if (back.x == -way.x && back.y == -way.y && back.z == -way.z) return other;
  }
  return i;
}

struct Ball {
  int x, y, z;
  double radius;

  bool contains(int at_x, int at_y, int at_z) const {
    const int dx = at_x - x, dy = at_y - y, dz = at_z - z;
    return dx * dx + dy * dy + dz * dz < radius * radius;
  }
};

std::vector<Ball> random_balls(int height, int depth, std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](int bound) {
    return static_cast<int>(random.below(static_cast<std::uint32_t>(bound)));
  };
  std::vector<Ball> balls;
  for (int i = 0; i < 12; ++i) {
    const double radius = random.uniform(0.1, 0.25) * std::min(height, depth);
    balls.push_back({below(kWidth), below(height), below(depth), radius});
  }
  return balls;
}

}  // namespace

Cavity::Cavity(int height, int depth, std::uint64_t seed) : height_(height), depth_(depth) {
  const std::vector<Ball> balls = random_balls(height, depth, seed);
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const bool is_wall =
            x == 0 || y == 0 || z == 0 || x == kWidth - 1 || y == height - 1 || z == depth - 1;
        const bool is_solid = is_wall || std::ranges::any_of(balls, [&](const Ball& ball) {
                                return ball.contains(x, y, z);
                              });
        const bool is_under_lid = z == depth - 2;
        kinds_.push_back(is_solid ? ::lbm::kSolid : is_under_lid ? ::lbm::kUnderLid : ::lbm::kGas);
      }
    }
  }
}

std::size_t Cavity::cell(int x, int y, int z) const {
  return static_cast<std::size_t>((z * height_ + y) * kWidth + x);
}

/// The cells of a plane and a row. It is a multiple of 8, so the parts of the first cell are
/// aligned.
std::size_t Cavity::margin() const { return static_cast<std::size_t>((height_ + 1) * kWidth); }

std::vector<float> Cavity::at_rest() const {
  std::vector<float> gas;
  for (const Direction& way : kDirectionVectors) {
    gas.insert(gas.end(), stride(), static_cast<float>(way.weight()));
  }
  return gas;
}

double Cavity::density(const std::vector<float>& gas, std::size_t cell) const {
  double sum = 0;
  for (std::size_t i = 0; i < kDirections; ++i) {
    sum += static_cast<double>(gas[i * stride() + margin() + cell]);
  }
  return sum;
}

Cavity::Velocity Cavity::velocity(const std::vector<float>& gas, std::size_t cell) const {
  if (kinds_[cell] == ::lbm::kUnderLid) {
    return {static_cast<double>(::lbm::kLidX), static_cast<double>(::lbm::kLidY), 0};
  }
  const double all = density(gas, cell);
  Velocity velocity{};
  for (std::size_t i = 0; i < kDirections; ++i) {
    const double share = static_cast<double>(gas[i * stride() + margin() + cell]) / all;
    velocity.x += share * kDirectionVectors.at(i).x;
    velocity.y += share * kDirectionVectors.at(i).y;
    velocity.z += share * kDirectionVectors.at(i).z;
  }
  return velocity;
}

std::vector<Cavity::Part> Cavity::after_step(const std::vector<float>& gas) const {
  std::vector<Part> after;
  // Places where nothing arrives keep their value.
  for (const Direction& way : kDirectionVectors) {
    after.insert(after.end(), stride(), {way.weight(), way.weight()});
  }
  for (std::size_t cell = 0; cell < kinds_.size(); ++cell) {
    const double amount = density(gas, cell);
    const Velocity v = velocity(gas, cell);
    const double square = v.x * v.x + v.y * v.y + v.z * v.z;
    for (std::size_t i = 0; i < kDirections; ++i) {
      const Direction& way = kDirectionVectors.at(i);
      const double along = way.x * v.x + way.y * v.y + way.z * v.z;
      const double scale = way.weight() * amount;
      const double equilibrium = scale * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
      const auto before = [&](std::size_t direction) {
        return static_cast<double>(gas[direction * stride() + margin() + cell]);
      };
      const double collided =
          before(i) - static_cast<double>(::lbm::kOmega) * (before(i) - equilibrium);
      const bool is_solid = kinds_[cell] == ::lbm::kSolid;
      const auto there = static_cast<std::ptrdiff_t>(i * stride() + margin() + cell) +
                         (way.z * height_ + way.y) * kWidth + way.x;
      after[static_cast<std::size_t>(there)] = {is_solid ? before(opposite(i)) : collided, scale};
    }
  }
  return after;
}

}  // namespace heddle::workload::lbm
