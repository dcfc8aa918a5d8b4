#pragma once

// What each step of the filter must give, from what the device had before it.

#include <cstdint>
#include <vector>

#include "film.h"
#include "kernel.h"
#include "workload/verdict.h"

namespace heddle::workload::particlefilter {

struct Guesses {
  std::vector<float> x, y;
};

/// What one frame came to.
struct Round {
  std::vector<std::uint32_t> seeds_before, seeds;
  Guesses before, moved, drawn;
  std::vector<float> weights;  ///< As shares.
  std::vector<float> accumulated;
  float start = 0;  ///< Of the shares that are drawn.
};

/// The disc's pixels, from its middle.
std::vector<::particlefilter::Point> disc_pixels();

void check_moves(const std::vector<Round>& rounds, Verdict& verdict);
/// The first round is of the film's second frame.
void check_weights(const std::vector<Round>& rounds, const Film& film, Verdict& verdict);
void check_draws(const std::vector<Round>& rounds, Verdict& verdict);

}  // namespace heddle::workload::particlefilter
