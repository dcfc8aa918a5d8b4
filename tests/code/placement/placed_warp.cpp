// The dynamic check of placement_check.h: a simulated warp executes a placed function and checks
// the values that it reads.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <utility>

#include "code/effects.h"
#include "placement_check.h"

namespace heddle::code::testing {
namespace {

constexpr std::uint32_t kLanes = 4;  ///< Lanes of the simulated warp; four suffice for divergence.
constexpr std::uint32_t kWords = 256;
constexpr std::uint32_t kOperandEntries = 32;
constexpr std::uint32_t kAny = 0;   ///< An arbitrary value, which reads need not match.
constexpr std::uint32_t kLost = 1;  ///< The contents of a lost entry, which no read may get.
using Mask = std::uint32_t;         ///< A bit for each lane.

struct Lane {
  std::array<std::uint32_t, kWords> current{};  ///< The value that a read of each word must find.
  std::array<std::uint32_t, kWords> main{};     ///< The contents of the main file.
  std::array<std::uint32_t, kOperandEntries + 3> upper;  ///< The contents of the upper levels.
  /// Words whose long-latency results have not arrived; predicates are numbered after words.
  std::set<std::uint32_t> pending;

  Lane() { lose(); }
  void lose() { upper.fill(kLost); }
};

/// An entry of the reconvergence stack.
struct StackEntry {
  std::uint32_t pc = 0;
  std::uint32_t reconvergence = kNone;
  Mask lanes = 0;
};

class PlacedWarp {
 public:
  PlacedWarp(const Program& program, const FunctionInfo& function, const Hierarchy& hierarchy,
             std::uint32_t seed)
      : program_(program), function_(function), hierarchy_(hierarchy), random_(seed) {
    stack_.push_back({function.entry, kNone, (1U << kLanes) - 1});
    taken_eighths_ = 1 + below(7);
    for (std::uint32_t word = 0; word < kWords; ++word) {
      const std::uint32_t value = fresh();
      for (Lane& lane : lanes_) lane.current[word] = lane.main[word] = value;
    }
  }

  std::vector<std::string> run(std::uint32_t max_steps) {
    for (std::uint32_t step = 0; step < max_steps; ++step) {
      while (!stack_.empty() && (stack_.back().lanes == 0 || stack_.back().pc == function_.end ||
                                 stack_.back().pc == stack_.back().reconvergence)) {
        stack_.pop_back();
      }
      if (stack_.empty() || !mistakes_.empty()) break;
      execute(stack_.back().pc);
    }
    return std::move(mistakes_);
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  /// A value that no word has had yet.
  std::uint32_t fresh() { return ++last_value_; }

  static std::uint32_t entry_of(const UpperPlace& place) {
    return place.level == RegisterLevel::operand ? place.entry : kOperandEntries + place.entry;
  }
  template <class Visit>
  static void for_each_register(const Operand& operand, Visit visit) {
    if (operand.is_predicate()) visit(kWords + operand.index);
    if (!operand.is_register()) return;
    for (std::uint32_t i = 0; i < operand.width; ++i) visit(operand.index + i);
  }
  template <class Visit>
  void for_each_lane(Mask lanes, Visit visit) {
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      if ((lanes >> i & 1) != 0) visit(lanes_[i]);
    }
  }

  /// The lanes in which the guard holds, at random.
  Mask lanes_that_execute(const Instruction& instruction, Mask lanes) {
    if (!instruction.guard.present()) return lanes;
    // In half of the cases all lanes agree.
    const std::uint32_t choice = below(4);
    if (choice < 2) return below(8) < taken_eighths_ ? lanes : 0;
    Mask some = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) some |= below(8) < taken_eighths_ ? 1U << i : 0U;
    return some & lanes;
  }

  void execute(std::uint32_t pc) {
    const Instruction& instruction = program_.instructions[pc];
    const InstructionPlacement& placement = program_.placement[pc];
    const Mask path = stack_.back().lanes;
    const Mask active = lanes_that_execute(instruction, path);
    if (placement.suspends) suspend();
    if (placement.begins_strand) for_each_lane(path, [](Lane& lane) { lane.lose(); });
    for_each_lane(active, [&](Lane& lane) { check_reads(pc, lane); });
    for_each_lane(path, [&](Lane& lane) {
      if (instruction.guard.present() &&
          lane.pending.contains(kWords + instruction.guard.predicate)) {
        report(pc, "the guard is pending");
      }
    });
    write(pc, path, active);
    if (is_call(instruction)) {
      for_each_lane(path, [&](Lane& lane) {
        if (!lane.pending.empty()) report(pc, "a call while results are pending");
        lane.current.fill(kAny);
        lane.lose();
      });
      suspend();
    }
    if (instruction.operation == Operation::barrier) {
      if (hierarchy_.suspension_ends_strands && hierarchy_.barriers_end_strands) {
        for (Lane& lane : lanes_) lane.lose();
      }
    }
    advance(instruction, path, active);
  }

  /// Waits for all pending results; other warps use the upper levels meanwhile.
  void suspend() {
    for (Lane& lane : lanes_) {
      if (hierarchy_.suspension_ends_strands) lane.lose();
      lane.pending.clear();
    }
  }

  /// Records a mistake of an instruction.
  void report(std::uint32_t pc, const std::string& what) {
    mistakes_.push_back(fmt::format("{} at {}: {}", function_.name, pc, what));
  }

  void check_reads(std::uint32_t pc, Lane& lane) {
    for (const ReadPlace& read : program_.placement[pc].reads) {
      const std::uint32_t expected = lane.current[read.word];
      const std::uint32_t found =
          read.from.present() ? lane.upper[entry_of(read.from)] : lane.main[read.word];
      if (expected != kAny && found != expected) {
        report(pc, fmt::format("R{} has a wrong value", read.word));
      }
    }
    const auto wait = [&](std::uint32_t index) {
      if (lane.pending.contains(index)) report(pc, "it uses a pending result without waiting");
    };
    for (const Operand& source : program_.instructions[pc].sources) for_each_register(source, wait);
    for (const Operand& destination : program_.instructions[pc].destinations) {
      for_each_register(destination, wait);
    }
  }

  void write(std::uint32_t pc, Mask path, Mask active) {
    const Instruction& instruction = program_.instructions[pc];
    for (const ReadPlace& read : program_.placement[pc].reads) {
      if (!read.fill_place.present()) continue;
      for_each_lane(active, [&](Lane& lane) {
        lane.upper[entry_of(read.fill_place)] = lane.main[read.word];
      });
    }
    for (const WritePlace& place : program_.placement[pc].writes) {
      const std::uint32_t value = fresh();
      for_each_lane(active, [&](Lane& lane) {
        lane.current[place.word] = value;
        if (place.main) lane.main[place.word] = value;
        if (place.upper.present()) lane.upper[entry_of(place.upper)] = value;
      });
      if (!instruction.writes_whole) continue;
      for_each_lane(path & ~active, [&](Lane& lane) { lane.current[place.word] = kAny; });
    }
    if (!hierarchy_.is_long_latency(instruction)) return;
    for_each_lane(active, [&](Lane& lane) {
      for (const Operand& destination : instruction.destinations) {
        for_each_register(destination, [&](std::uint32_t index) { lane.pending.insert(index); });
      }
    });
  }

  void advance(const Instruction& instruction, Mask path, Mask active) {
    const std::uint32_t next = stack_.back().pc + 1;
    if (leaves_function(instruction)) {
      for (StackEntry& entry : stack_) entry.lanes &= ~active;
      stack_.back().pc = next;
    } else if (instruction.operation == Operation::branch) {
      std::vector<StackEntry> paths{{instruction.target, instruction.reconvergence, active},
                                    {next, instruction.reconvergence, path & ~active}};
      diverge(paths, instruction.reconvergence);
    } else if (instruction.operation == Operation::branch_indexed) {
      std::vector<StackEntry> paths{{next, instruction.reconvergence, path & ~active}};
      for (const std::uint32_t target : program_.branch_tables[instruction.target]) {
        paths.push_back({target, instruction.reconvergence, 0});
      }
      for (std::uint32_t i = 0; i < kLanes; ++i) {
        const auto taken = 1 + below(static_cast<std::uint32_t>(paths.size()) - 1);
        paths[taken].lanes |= active & 1U << i;
      }
      diverge(paths, instruction.reconvergence);
    } else {
      stack_.back().pc = next;
      const bool waits = instruction.operation == Operation::barrier ||
                         instruction.operation == Operation::warp_sync;
      if (waits && below(2) == 0) let_another_path_run();
    }
  }

  /// Runs the paths in random order. Lanes with the same target stay together.
  void diverge(std::vector<StackEntry>& paths, std::uint32_t reconvergence) {
    std::vector<StackEntry> separate;
    for (const StackEntry& path : paths) {
      if (path.lanes == 0) continue;
      StackEntry* same = nullptr;
      for (StackEntry& other : separate) same = other.pc == path.pc ? &other : same;
      if (same != nullptr) {
        same->lanes |= path.lanes;
      } else {
        separate.push_back(path);
      }
    }
    if (separate.size() == 1) {
      stack_.back().pc = separate[0].pc;
      return;
    }
    std::shuffle(separate.begin(), separate.end(), random_);
    if (reconvergence == kNone || stack_.back().reconvergence == reconvergence) {
      stack_.pop_back();
    } else {
      stack_.back().pc = reconvergence;
    }
    stack_.insert(stack_.end(), separate.begin(), separate.end());
  }

  /// Continues with a random path that has the same reconvergence point.
  void let_another_path_run() {
    std::size_t first = stack_.size() - 1;
    while (first > 0 && stack_[first - 1].reconvergence == stack_.back().reconvergence) --first;
    std::swap(stack_[first + below(static_cast<std::uint32_t>(stack_.size() - first))],
              stack_.back());
  }

  const Program& program_;
  const FunctionInfo& function_;
  const Hierarchy& hierarchy_;
  std::mt19937 random_;
  std::uint32_t taken_eighths_;  ///< Probability that a guard holds, in eighths.
  std::uint32_t last_value_ = kLost;
  std::array<Lane, kLanes> lanes_;
  std::vector<StackEntry> stack_;
  std::vector<std::string> mistakes_;
};

}  // namespace

std::vector<std::string> mistakes_of_simulated_warp(const Program& program,
                                                    const FunctionInfo& function,
                                                    const Hierarchy& hierarchy, std::uint32_t seed,
                                                    std::uint32_t max_steps) {
  return PlacedWarp(program, function, hierarchy, seed).run(max_steps);
}

}  // namespace heddle::code::testing
