#pragma once

// The expected result of each step of the filter, from the device's state before it.

#include <cstdint>
#include <vector>

#include "film.h"
#include "kernel.h"
#include "workload/check_result.h"

namespace heddle::workload::particlefilter {

/// The positions that the particles guess.
struct Guesses {
  std::vector<float> x, y;
};

/// The results of one frame.
struct Round {
  std::vector<std::uint32_t> seeds_before, seeds;
  Guesses before, moved, drawn;
  std::vector<float> weights;      ///< Normalised to the sum 1.
  std::vector<float> accumulated;  ///< Inclusive prefix sums of the weights.
  float start = 0;                 ///< The first of the equidistant draws.
};

/// The disc's pixels, relative to its middle.
std::vector<::particlefilter::Point> disc_pixels();

void check_moves(const std::vector<Round>& rounds, CheckResult& check);
/// The first round belongs to the film's second frame.
void check_weights(const std::vector<Round>& rounds, const Film& film, CheckResult& check);
void check_draws(const std::vector<Round>& rounds, CheckResult& check);

}  // namespace heddle::workload::particlefilter
