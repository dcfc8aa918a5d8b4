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

constexpr std::uint32_t kLanes = 4;
constexpr std::uint32_t kWords = 256;
constexpr std::uint32_t kOperandEntries = 32;
constexpr std::uint32_t kAny = 0;   ///< A value that nothing depends on.
constexpr std::uint32_t kLost = 1;  ///< What is nobody's value.
using Mask = std::uint32_t;

struct Lane {
  std::array<std::uint32_t, kWords> holds{};  ///< What the program means the register to hold.
  std::array<std::uint32_t, kWords> main{};
  std::array<std::uint32_t, kOperandEntries + 3> upper;
  std::set<std::uint32_t> pending;  ///< Registers, and predicates after them.

  Lane() { lose(); }
  void lose() { upper.fill(kLost); }
};

struct Entry {
  std::uint32_t pc = 0;
  std::uint32_t meeting = kNone;
  Mask lanes = 0;
};

class PlacedWarp {
 public:
  PlacedWarp(const Program& program, const FunctionInfo& function, const Hierarchy& hierarchy,
             std::uint32_t seed)
      : program_(program), function_(function), hierarchy_(hierarchy), random_(seed) {
    stack_.push_back({function.entry, kNone, (1U << kLanes) - 1});
    likely_ = 1 + below(7);
    for (std::uint32_t word = 0; word < kWords; ++word) {
      const std::uint32_t value = fresh();
      for (Lane& lane : lanes_) lane.holds[word] = lane.main[word] = value;
    }
  }

  std::vector<std::string> run(std::uint32_t most_steps) {
    for (std::uint32_t step = 0; step < most_steps; ++step) {
      while (!stack_.empty() && (stack_.back().lanes == 0 || stack_.back().pc == function_.end ||
                                 stack_.back().pc == stack_.back().meeting)) {
        stack_.pop_back();
      }
      if (stack_.empty() || !mistakes_.empty()) break;
      execute(stack_.back().pc);
    }
    return std::move(mistakes_);
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
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

  Mask chosen(const Instruction& instruction, Mask lanes) {
    if (!instruction.guard.present()) return lanes;
    // Often all the same way.
    const std::uint32_t kind = below(4);
    if (kind < 2) return below(8) < likely_ ? lanes : 0;
    Mask some = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) some |= below(8) < likely_ ? 1U << i : 0U;
    return some & lanes;
  }

  void execute(std::uint32_t pc) {
    const Instruction& instruction = program_.instructions[pc];
    const InstructionPlacement& placement = program_.placement[pc];
    const Mask path = stack_.back().lanes;
    const Mask active = chosen(instruction, path);
    if (placement.suspends) suspend();
    if (placement.begins_strand) for_each_lane(path, [](Lane& lane) { lane.lose(); });
    for_each_lane(active, [&](Lane& lane) { look_at_reads(pc, lane); });
    for_each_lane(path, [&](Lane& lane) {
      if (instruction.guard.present() &&
          lane.pending.contains(kWords + instruction.guard.predicate)) {
        mistake(pc, "the guard is pending");
      }
    });
    write(pc, path, active);
    if (is_call(instruction)) {
      for_each_lane(path, [&](Lane& lane) {
        if (!lane.pending.empty()) mistake(pc, "a call with results pending");
        lane.holds.fill(kAny);
        lane.lose();
      });
      suspend();
    }
    if (instruction.operation == Operation::barrier) {
      if (hierarchy_.suspension_ends_strands) {
        for (Lane& lane : lanes_) lane.lose();
      }
    }
    go_on(instruction, path, active);
  }

  /// Waits for all that is pending; others use the upper levels meanwhile.
  void suspend() {
    for (Lane& lane : lanes_) {
      if (hierarchy_.suspension_ends_strands) lane.lose();
      lane.pending.clear();
    }
  }

  void mistake(std::uint32_t pc, const std::string& what) {
    mistakes_.push_back(fmt::format("{} at {}: {}", function_.name, pc, what));
  }

  void look_at_reads(std::uint32_t pc, Lane& lane) {
    for (const ReadPlace& read : program_.placement[pc].reads) {
      const std::uint32_t expected = lane.holds[read.word];
      const std::uint32_t found =
          read.from.present() ? lane.upper[entry_of(read.from)] : lane.main[read.word];
      if (expected != kAny && found != expected) {
        mistake(pc, fmt::format("R{} is another value", read.word));
      }
    }
    const auto wait = [&](std::uint32_t index) {
      if (lane.pending.contains(index)) mistake(pc, "it does not wait for what it uses");
    };
    for (const Operand& source : program_.instructions[pc].sources) for_each_register(source, wait);
    for (const Operand& destination : program_.instructions[pc].destinations) {
      for_each_register(destination, wait);
    }
  }

  void write(std::uint32_t pc, Mask path, Mask active) {
    const Instruction& instruction = program_.instructions[pc];
    for (const ReadPlace& read : program_.placement[pc].reads) {
      if (!read.fills.present()) continue;
      for_each_lane(active,
                    [&](Lane& lane) { lane.upper[entry_of(read.fills)] = lane.main[read.word]; });
    }
    for (const WritePlace& place : program_.placement[pc].writes) {
      const std::uint32_t value = fresh();
      for_each_lane(active, [&](Lane& lane) {
        lane.holds[place.word] = value;
        if (place.main) lane.main[place.word] = value;
        if (place.upper.present()) lane.upper[entry_of(place.upper)] = value;
      });
      if (!instruction.writes_whole) continue;
      for_each_lane(path & ~active, [&](Lane& lane) { lane.holds[place.word] = kAny; });
    }
    if (!hierarchy_.is_long_latency(instruction)) return;
    for_each_lane(active, [&](Lane& lane) {
      for (const Operand& destination : instruction.destinations) {
        for_each_register(destination, [&](std::uint32_t index) { lane.pending.insert(index); });
      }
    });
  }

  void go_on(const Instruction& instruction, Mask path, Mask active) {
    const std::uint32_t next = stack_.back().pc + 1;
    if (leaves_function(instruction)) {
      for (Entry& entry : stack_) entry.lanes &= ~active;
      stack_.back().pc = next;
    } else if (instruction.operation == Operation::branch) {
      std::vector<Entry> sides{{instruction.target, instruction.reconvergence, active},
                               {next, instruction.reconvergence, path & ~active}};
      part(sides, instruction.reconvergence);
    } else if (instruction.operation == Operation::branch_indexed) {
      std::vector<Entry> sides{{next, instruction.reconvergence, path & ~active}};
      for (const std::uint32_t target : program_.branch_tables[instruction.target]) {
        sides.push_back({target, instruction.reconvergence, 0});
      }
      for (std::uint32_t i = 0; i < kLanes; ++i) {
        const auto side = 1 + below(static_cast<std::uint32_t>(sides.size()) - 1);
        sides[side].lanes |= active & 1U << i;
      }
      part(sides, instruction.reconvergence);
    } else {
      stack_.back().pc = next;
      const bool waits = instruction.operation == Operation::barrier ||
                         instruction.operation == Operation::warp_sync;
      if (waits && below(2) == 0) let_another_side_run();
    }
  }

  /// In any order; those that go where others go stay with them.
  void part(std::vector<Entry>& sides, std::uint32_t meeting) {
    std::vector<Entry> apart;
    for (const Entry& side : sides) {
      if (side.lanes == 0) continue;
      Entry* same = nullptr;
      for (Entry& other : apart) same = other.pc == side.pc ? &other : same;
      if (same != nullptr) {
        same->lanes |= side.lanes;
      } else {
        apart.push_back(side);
      }
    }
    if (apart.size() == 1) {
      stack_.back().pc = apart[0].pc;
      return;
    }
    std::shuffle(apart.begin(), apart.end(), random_);
    if (meeting == kNone || stack_.back().meeting == meeting) {
      stack_.pop_back();
    } else {
      stack_.back().pc = meeting;
    }
    stack_.insert(stack_.end(), apart.begin(), apart.end());
  }

  void let_another_side_run() {
    std::size_t first = stack_.size() - 1;
    while (first > 0 && stack_[first - 1].meeting == stack_.back().meeting) --first;
    std::swap(stack_[first + below(static_cast<std::uint32_t>(stack_.size() - first))],
              stack_.back());
  }

  const Program& program_;
  const FunctionInfo& function_;
  const Hierarchy& hierarchy_;
  std::mt19937 random_;
  std::uint32_t likely_;  ///< In eighths.
  std::uint32_t last_value_ = kLost;
  std::array<Lane, kLanes> lanes_;
  std::vector<Entry> stack_;
  std::vector<std::string> mistakes_;
};

}  // namespace

std::vector<std::string> mistakes_of_a_warp(const Program& program, const FunctionInfo& function,
                                            const Hierarchy& hierarchy, std::uint32_t seed,
                                            std::uint32_t most_steps) {
  return PlacedWarp(program, function, hierarchy, seed).run(most_steps);
}

}  // namespace heddle::code::testing
