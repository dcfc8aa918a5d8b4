#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/colour.h"
#include "film.h"
#include "filter_check.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::particlefilter_host {
namespace {

using particlefilter::Film;
using particlefilter::Guesses;
using ::particlefilter::kBlock;
using particlefilter::Place;
using particlefilter::Round;

struct Extent {
  int side, frames;
  std::size_t particles;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {64, 3, 300};
    case Size::small:
      return {128, 10, 1000};
    case Size::medium:
      return {128, 10, 2500};
    case Size::large:
    case Size::paper:
      break;
  }
  return {128, 10, 6000};
}

class ParticleFilter final : public HostProgram {
 public:
  ParticleFilter(Size size, std::uint64_t seed) : count_(extent_of(size).particles) {
    Random random(seed);
    film_ = particlefilter::make_film(extent_of(size).side, extent_of(size).frames, random);
    for (std::size_t i = 0; i < count_; ++i) {
      seeds_.push_back(static_cast<std::uint32_t>(random.next()) & ::particlefilter::kMask);
    }
    for (std::size_t i = 1; i < film_.frames.size(); ++i) {
      starts_.push_back(random.uniform_float(0, 1));
    }
  }

  /// Starts all particles at the initial position of the object, which is known.
  void run(Gpu& device) override {
    const Place first = film_.object.front();
    Round round;
    round.seeds = seeds_;
    round.drawn = {std::vector<float>(count_, static_cast<float>(first.x)),
                   std::vector<float>(count_, static_cast<float>(first.y))};
    Memory memory{.frame = device.allocate<std::uint8_t>(film_.frames[0].size(), "frame"),
                  .drawn = upload(device, round.drawn, "drawn particles"),
                  .moved = upload(device, round.drawn, "moved particles"),
                  .seeds = device.upload(seeds_, "seeds"),
                  .weights = device.allocate<float>(count_, "weights"),
                  .accumulated = device.allocate<float>(count_, "accumulated weights"),
                  .block_sums = device.allocate<float>(blocks_for(count_, kBlock), "block sums"),
                  .sum = device.allocate<float>(1, "sum of weights")};
    device.write_symbol("disc", particlefilter::disc_pixels());
    rounds_.clear();
    estimates_ = {first};
    for (std::size_t i = 1; i < film_.frames.size(); ++i) {
      round.seeds_before = round.seeds;
      round.before = round.drawn;
      round.start = starts_[i - 1];
      device.write(memory.frame, film_.frames[i]);
      filter(device, memory, round);
      rounds_.push_back(round);
      estimates_.push_back(mean_of(round));
    }
  }

  CheckResult check() const override {
    CheckResult check;
    check_moves(rounds_, check);
    check_weights(rounds_, film_, check);
    check_draws(rounds_, check);
    double distance = 0;
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
      const Place estimate = estimates_[i + 1], object = film_.object[i + 1];
      distance += std::hypot(estimate.x - object.x, estimate.y - object.y);
    }
    distance /= static_cast<double>(rounds_.size());
    check.require(distance < 1.5, "estimates' mean distance from the object, in pixels",
                  std::to_string(distance), "below 1.5");
    return check;
  }

  /// The last frame with its particles (red), and the estimated path (yellow).
  std::optional<Picture> picture() const override {
    constexpr int kScale = 4;
    Picture picture{film_.width * kScale, film_.height * kScale, {}};
    for (int y = 0; y < picture.height; ++y) {
      for (int x = 0; x < picture.width; ++x) {
        picture.pixels.push_back(grey(
            film_.frames.back()[static_cast<std::size_t>(y / kScale * film_.width + x / kScale)] /
            255.0));
      }
    }
    const auto dot = [&](double x, double y, int radius, std::uint32_t colour) {
      for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
          const int column = static_cast<int>((x + 0.5) * kScale) + dx;
          const int row = static_cast<int>((y + 0.5) * kScale) + dy;
          if (column < 0 || row < 0 || column >= picture.width || row >= picture.height) continue;
          picture.pixels[static_cast<std::size_t>(row * picture.width + column)] = colour;
        }
      }
    };
    const Guesses& moved = rounds_.back().moved;
    for (std::size_t i = 0; i < count_; ++i) {
      dot(static_cast<double>(moved.x[i]), static_cast<double>(moved.y[i]), 0, rgb(230, 60, 40));
    }
    for (const Place& estimate : estimates_) dot(estimate.x, estimate.y, 1, rgb(255, 220, 40));
    return picture;
  }

 private:
  /// ::particlefilter::Particles with device addresses.
  struct Particles {
    Address x, y;
  };
  static_assert(sizeof(Particles) == sizeof(::particlefilter::Particles));

  struct DeviceGuesses {
    Array<float> x, y;

    Particles as_argument() const { return {x.address, y.address}; }
  };

  struct Memory {
    Array<std::uint8_t> frame;
    DeviceGuesses drawn, moved;
    Array<std::uint32_t> seeds;
    Array<float> weights, accumulated, block_sums, sum;
  };

  static DeviceGuesses upload(Gpu& device, const Guesses& guesses, const std::string& name) {
    return {device.upload(guesses.x, name + ", x"), device.upload(guesses.y, name + ", y")};
  }
  static Guesses download(Gpu& device, const DeviceGuesses& guesses) {
    return {device.download(guesses.x), device.download(guesses.y)};
  }

  void filter(Gpu& device, const Memory& memory, Round& round) const {
    const std::uint32_t blocks = blocks_for(count_, kBlock);
    const LaunchShape all{.grid = {blocks}, .block = {kBlock}};
    const LaunchShape one_block{.grid = {1}, .block = {kBlock}};
    const int count = static_cast<int>(count_);
    device.launch("move_and_weigh", all, memory.frame, film_.width, film_.height,
                  memory.drawn.as_argument(), memory.moved.as_argument(), memory.seeds,
                  memory.weights, memory.block_sums, count);
    device.launch("sum_weights", one_block, memory.block_sums, memory.sum,
                  static_cast<int>(blocks));
    device.launch("normalize_weights", all, memory.weights, memory.sum, count);
    device.launch("accumulate_weights", one_block, memory.weights, memory.accumulated, count);
    device.launch("resample", all, memory.accumulated, memory.moved.as_argument(),
                  memory.drawn.as_argument(), round.start, count);
    // The results of all kernels are stored, because the check follows one step at a time.
    round.seeds = device.download(memory.seeds);
    round.moved = download(device, memory.moved);
    round.weights = device.download(memory.weights);
    round.accumulated = device.download(memory.accumulated);
    round.drawn = download(device, memory.drawn);
  }

  /// The mean weighted by the particles' weights.
  Place mean_of(const Round& round) const {
    Place mean;
    for (std::size_t i = 0; i < count_; ++i) {
      mean.x += static_cast<double>(round.weights[i]) * static_cast<double>(round.moved.x[i]);
      mean.y += static_cast<double>(round.weights[i]) * static_cast<double>(round.moved.y[i]);
    }
    return mean;
  }

  std::size_t count_;
  Film film_;
  std::vector<std::uint32_t> seeds_;
  std::vector<float> starts_;
  std::vector<Round> rounds_;     ///< For all frames except the first.
  std::vector<Place> estimates_;  ///< In each frame.
};

const Registration kRegistration({
    .name = "particlefilter",
    .summary = "A particle filter that follows an object through a film",
    .papers = {"simt Section 5.5"},
    .kernels = {{"move_and_weigh", {kBlock}},
                {"sum_weights", {kBlock}},
                {"normalize_weights", {kBlock}},
                {"accumulate_weights", {kBlock}},
                {"resample", {kBlock}}},
    .has_picture = true,
    .make = make_program<ParticleFilter>,
});

}  // namespace
}  // namespace heddle::workload::particlefilter_host
