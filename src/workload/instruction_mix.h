#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "code/instruction_class.h"

namespace heddle::workload {

/// Numbers of executed warp instructions by class: arithmetic, loads, branches and so on.
struct InstructionMix {
  std::array<std::uint64_t, code::kInstructionClasses.size()> counts{};

  std::uint64_t& count(code::InstructionClass which) {
    return counts[static_cast<std::size_t>(which)];
  }
  std::uint64_t count(code::InstructionClass which) const {
    return counts[static_cast<std::size_t>(which)];
  }
  std::uint64_t total() const {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  /// The fraction of all instructions that belong to the class; 0 if there are no instructions.
  double share(code::InstructionClass which) const {
    return total() == 0 ? 0 : static_cast<double>(count(which)) / static_cast<double>(total());
  }
  InstructionMix& operator+=(const InstructionMix& other) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
    return *this;
  }
};

}  // namespace heddle::workload
