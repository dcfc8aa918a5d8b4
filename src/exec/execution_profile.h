#pragma once

// An execution profile counts how often each instruction of a program was issued, and with how many
// threads. Warps report single instructions, or stretches of straight-line code. A stretch updates
// two counters, at its start and behind its end; counts() adds them up.

#include <cstdint>
#include <vector>

namespace heddle::exec {

class ExecutionProfile {
 public:
  struct Count {
    std::uint64_t warps = 0;    ///< Warp instructions.
    std::uint64_t threads = 0;  ///< Thread instructions.

    void add(std::uint64_t more_warps, std::uint64_t more_threads) {
      warps += more_warps;
      threads += more_threads;
    }
  };

  explicit ExecutionProfile(std::size_t instructions)
      : single_(instructions), change_(instructions + 1) {}

  /// Records that a warp issued the instruction at `pc`, with `threads` threads on the path.
  void add_instruction(std::uint32_t pc, std::uint32_t threads) { single_[pc].add(1, threads); }

  /// Records that a warp issued the instructions from `begin` to `end` - 1 once each, with
  /// `threads` threads on the path.
  void add_stretch(std::uint32_t begin, std::uint32_t end, std::uint32_t threads) {
    change_[begin].add(1, threads);
    change_[end].add(-std::uint64_t{1}, -std::uint64_t{threads});
  }

  /// Adds another profile of the same program.
  void add(const ExecutionProfile& other) {
    const auto add_all = [](std::vector<Count>& to, const std::vector<Count>& more) {
      for (std::size_t pc = 0; pc < to.size(); ++pc) to[pc].add(more[pc].warps, more[pc].threads);
    };
    add_all(single_, other.single_);
    add_all(change_, other.change_);
  }

  /// The counts of all instructions, by program counter.
  std::vector<Count> counts() const {
    std::vector<Count> counts(change_.size() - 1);
    Count sum;
    for (std::size_t pc = 0; pc < counts.size(); ++pc) {
      sum.add(change_[pc].warps, change_[pc].threads);
      counts[pc] = sum;
      counts[pc].add(single_[pc].warps, single_[pc].threads);
    }
    return counts;
  }

 private:
  std::vector<Count> single_;  ///< The counts of add_instruction().
  /// The difference between the counts of each instruction and those of the previous instruction,
  /// by program counter. A negative difference wraps around, and so does the sum in counts().
  std::vector<Count> change_;
};

}  // namespace heddle::exec
