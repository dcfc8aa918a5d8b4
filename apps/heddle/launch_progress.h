#pragma once

// The progress of a launch as text: for the progress line on the terminal and for status requests.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/cycle.h"
#include "gpu/chip.h"
#include "progress.h"

namespace heddle {

/// What a launch has done so far.
struct LaunchState {
  std::optional<Cycles> cycles{};  ///< Empty in a functional simulation.
  std::uint64_t warp_instructions = 0;
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;  ///< All blocks of the launch.
};

/// Describes a launch: "0.52 million cycles, 12 % of the blocks, 3.1 million warp instructions, 1.4
/// million per second". `rate`: warp instructions per second of host time; 0: unknown.
std::string launch_text(const LaunchState& now, double rate);

/// Shows the progress of a chip's launches, and how fast the host simulates them.
class LaunchProgress {
 public:
  explicit LaunchProgress(Progress& line) : line_(&line) {}
  void operator()(const gpu::ChipProgress& now);

 private:
  Progress* line_;
  std::string kernel_;                             ///< Of the current launch.
  Cycles cycles_;                                  ///< As last reported for the current launch.
  std::uint64_t begin_instructions_ = 0;           ///< As first reported for the current launch.
  std::chrono::steady_clock::time_point begin_{};  ///< The first report of the current launch.
};

}  // namespace heddle
