#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "code/instruction_class.h"

namespace heddle::workload {

/// Numbers of warp instructions by kind.
struct InstructionMix {
  std::array<std::uint64_t, code::kInstructionClasses.size()> counts{};

  std::uint64_t& of(code::InstructionClass kind) { return counts[static_cast<std::size_t>(kind)]; }
  std::uint64_t of(code::InstructionClass kind) const {
    return counts[static_cast<std::size_t>(kind)];
  }
  std::uint64_t total() const {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  /// The kind's fraction of all instructions; 0 if there are none.
  double share(code::InstructionClass kind) const {
    return total() == 0 ? 0 : static_cast<double>(of(kind)) / static_cast<double>(total());
  }
  InstructionMix& operator+=(const InstructionMix& other) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
    return *this;
  }
};

}  // namespace heddle::workload
