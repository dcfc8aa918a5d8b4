#pragma once

// An execution profile counts how often each instruction of a program was issued, and with how many
// threads. Warps report stretches of straight-line code. A stretch updates two counters, at its
// start and behind its end; counts() adds them up.

#include <cstdint>
#include <vector>

namespace heddle::exec {

class ExecutionProfile {
 public:
  explicit ExecutionProfile(std::size_t instructions) : change_(instructions + 1) {}

  /// Records that a warp issued the instructions from `begin` to `end` - 1 once each, with
  /// `threads` threads on the path.
  void add_stretch(std::uint32_t begin, std::uint32_t end, std::uint32_t threads) {
    change_[begin].warps += 1;
    change_[begin].threads += threads;
    change_[end].warps -= 1;
    change_[end].threads -= threads;
  }

  /// Adds another profile of the same program.
  void add(const ExecutionProfile& other) {
    for (std::size_t pc = 0; pc < change_.size(); ++pc) {
      change_[pc].warps += other.change_[pc].warps;
      change_[pc].threads += other.change_[pc].threads;
    }
  }

  struct Count {
    std::uint64_t warps = 0;    ///< Warp instructions.
    std::uint64_t threads = 0;  ///< Thread instructions.
  };
  /// The counts of all instructions, by program counter.
  std::vector<Count> counts() const {
    std::vector<Count> counts(change_.size() - 1);
    Count sum;
    for (std::size_t pc = 0; pc < counts.size(); ++pc) {
      sum.warps += change_[pc].warps;
      sum.threads += change_[pc].threads;
      counts[pc] = sum;
    }
    return counts;
  }

 private:
  /// The difference between the counts of each instruction and those of the previous instruction,
  /// by program counter. A negative difference wraps around, and so does the sum in counts().
  std::vector<Count> change_;
};

}  // namespace heddle::exec
