#pragma once

// How far a launch is, in words: for the line on the terminal, and for who asks.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/cycle.h"
#include "gpu/chip.h"
#include "progress.h"

namespace heddle {

struct LaunchNow {
  std::optional<Cycles> cycles{};  ///< None without time.
  std::uint64_t warp_instructions = 0;
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;
};

/// "0.52 million cycles, 12 % of the blocks, 3.1 million warp instructions, 1.4 million a second".
/// `rate`: warp instructions a second; 0: not known.
std::string launch_text(const LaunchNow& now, double rate);

/// Shows how far a chip's launches are, and how fast the host simulates them.
class LaunchProgress {
 public:
  explicit LaunchProgress(Progress& line) : line_(&line) {}
  void operator()(const gpu::ChipProgress& now);

 private:
  Progress* line_;
  std::string kernel_;
  Cycles cycles_;
  std::uint64_t begin_instructions_ = 0;
  std::chrono::steady_clock::time_point begin_{};
};

}  // namespace heddle
