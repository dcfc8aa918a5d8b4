#include <algorithm>
#include <span>
#include <utility>

#include "code/effects.h"
#include "code/liveness.h"
#include "code/optimise/dependences.h"
#include "code/optimise/latency.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

// Latencies and waits are in cycles. A pressure is a number of registers that are live at once.

/// The minimum latency of instructions that count as long-latency operations.
constexpr unsigned kLongLatency = 25;
/// Below this pressure, even short waits are filled with other instructions.
constexpr std::int32_t kFewRegisters = 20;
/// From this number of live predicates on, further ones are avoided. Hardware has 7, but the count
/// here is only an estimate.
constexpr std::int32_t kMaxPredicates = 5;
// How many instructions an instruction can be moved up: kWindow, or kLoadWindow if it leads to a
// long-latency operation. If it were moved further, its result would only occupy registers.
constexpr std::uint32_t kWindow = 64;
constexpr std::uint32_t kLoadWindow = 256;
// At high pressure, instructions that lead to no long-latency operation are postponed: above
// kModeratePressure always, above kSeveralRegisters only if the result is needed more than
// kSeveralWaits cycles later.
constexpr std::int32_t kModeratePressure = 44;
constexpr std::int32_t kSeveralRegisters = 24;
constexpr std::uint32_t kSeveralWaits = 400;
/// The wait of postponed instructions: longer than any latency.
constexpr std::uint32_t kPostponedWait = 500;
/// The wait of instructions outside of the window: longer than that of postponed ones.
constexpr std::uint32_t kOutsideWindowWait = 1'000'000;

/// An order of instructions, and its maximum pressure.
struct Order {
  std::vector<std::uint32_t> instructions;  ///< Indices.
  std::int32_t pressure = 0;
};

/// The part of a StretchScheduler's state that exists for each value (register or predicate). It is
/// allocated once per function. A stretch clears only the values that it names, so that many small
/// blocks cost no more than one large block.
struct ValueStates {
  explicit ValueStates(std::uint32_t count)
      : live_after(count), live(count), is_written(count), is_counted(count), reads_left(count) {}

  std::vector<bool> live_after;  ///< Whether it is live after the stretch.
  std::vector<bool> live;        ///< Whether it is live after the instructions issued so far.
  std::vector<bool> is_written;  ///< Whether start() has met a write to it.
  std::vector<bool> is_counted;  ///< Whether start() has added it to live_predicates_.
  std::vector<std::uint32_t> reads_left;  ///< Reads by instructions that are not issued yet.
};

/// A list scheduler for a stretch: consecutive instructions of a block. At each step it issues a
/// ready instruction, one whose predecessors are all issued. It prefers instructions that lead to
/// long-latency operations or, if registers are scarce, those that need the fewest registers.
class StretchScheduler {
 public:
  StretchScheduler(std::span<const Instruction> instructions, const Function& function,
                   const ValueNumbering& values, ValueStates& states, std::int32_t live_before)
      : instructions_(instructions),
        function_(function),
        values_(values),
        live_after_(states.live_after),
        reads_left_(states.reads_left),
        live_(states.live),
        is_written_(states.is_written),
        is_counted_(states.is_counted),
        live_before_(live_before),
        dependents_(instructions.size()),
        feeds_load_(instructions.size()),
        needed_at_(instructions.size()),
        blocker_counts_(instructions.size()) {
    for (const Dependence& edge : dependences_of(instructions, values)) {
      dependents_[edge.from].push_back(edge);
      ++blocker_counts_[edge.to];
    }
    // A load after a store that itself waits for a load cannot be issued early.
    std::vector<bool> late(instructions.size());       // It depends on a long-latency operation.
    std::vector<bool> held_back(instructions.size());  // It must stay after a late instruction.
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const bool is_long = expected_latency(instructions[i]) >= kLongLatency;
      for (const Dependence& edge : dependents_[i]) {
        if (late[i] || is_long) late[edge.to] = true;
        if (late[i] && edge.latency == 1) held_back[edge.to] = true;
      }
    }
    find_needs();
    for (std::size_t i = instructions.size(); i-- > 0;) {
      feeds_load_[i] = expected_latency(instructions[i]) >= kLongLatency && !held_back[i];
      for (const Dependence& edge : dependents_[i]) {
        if (edge.latency > 1 && feeds_load_[edge.to]) feeds_load_[i] = true;
      }
    }
  }

  /// The order in which the instructions are now.
  Order current_order() {
    Order order;
    start();
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) issue(i, order);
    return order;
  }

  /// Schedules the instructions so that at most `budget` registers are live, if possible.
  Order schedule(std::int32_t budget) {
    Order order;
    start();
    std::vector<std::uint32_t> blockers = blocker_counts_;
    std::vector<std::uint32_t> earliest(instructions_.size());
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
      if (blockers[i] == 0) ready.push_back(i);
    }
    std::uint32_t now = 0;
    std::vector<bool> done(instructions_.size());
    first_unissued_ = 0;
    while (!ready.empty()) {
      const std::size_t chosen = choose(ready, earliest, now, budget);
      const std::uint32_t i = ready[chosen];
      ready[chosen] = ready.back();
      ready.pop_back();
      now = std::max(now, earliest[i]);
      issue(i, order);
      done[i] = true;
      while (first_unissued_ < done.size() && done[first_unissued_]) ++first_unissued_;
      for (const Dependence& edge : dependents_[i]) {
        earliest[edge.to] = std::max(earliest[edge.to], now + edge.latency);
        if (--blockers[edge.to] == 0) ready.push_back(edge.to);
      }
      ++now;
    }
    return order;
  }

 private:
  std::int32_t width_of(std::uint32_t value) const {
    return values_.is_predicate(value) ? 0 : function_.registers[value].width;
  }

  /// Computes when each result is needed, if everything starts as early as possible. A repeatable
  /// instruction's result is needed by its earliest reader. Any other instruction is needed as soon
  /// as it can start.
  void find_needs() {
    std::vector<std::uint32_t> start(instructions_.size());
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      for (const Dependence& edge : dependents_[i]) {
        start[edge.to] = std::max(start[edge.to], start[i] + edge.latency);
      }
    }
    for (std::size_t i = instructions_.size(); i-- > 0;) {
      needed_at_[i] = start[i];
      if (dependents_[i].empty() || !effects_of(instructions_[i]).repeatable) continue;
      std::uint32_t need = ~std::uint32_t{0};
      for (const Dependence& edge : dependents_[i]) {
        need = std::min(need, needed_at_[edge.to] - std::min(needed_at_[edge.to], edge.latency));
      }
      needed_at_[i] = std::max(need, start[i]);
    }
  }

  /// Resets the state to the beginning of the stretch.
  void start() {
    const auto clear = [&](std::uint32_t value) {
      reads_left_[value] = 0;
      live_[value] = false;
      is_written_[value] = false;
      is_counted_[value] = false;
    };
    for (const Instruction& instruction : instructions_) for_each_value(instruction, clear);
    pressure_ = live_before_;
    for (const Instruction& instruction : instructions_) {
      for_each_read(instruction,
                    [&](const Operand& operand) { ++reads_left_[values_.number_of(operand)]; });
      if (instruction.guard.present()) ++reads_left_[values_.number_of(instruction.guard)];
    }
    // Values that are read before they are written here are live at the beginning.
    for (const Instruction& instruction : instructions_) {
      for_each_read(instruction, [&](const Operand& operand) {
        if (!is_written_[values_.number_of(operand)]) live_[values_.number_of(operand)] = true;
      });
      if (instruction.guard.present() && !is_written_[values_.number_of(instruction.guard)]) {
        live_[values_.number_of(instruction.guard)] = true;
      }
      for_each_written(instruction, [&](const Operand& operand) {
        if (keeps_old_values(instruction) && !is_written_[values_.number_of(operand)]) {
          live_[values_.number_of(operand)] = true;
        }
        is_written_[values_.number_of(operand)] = true;
      });
    }
    live_predicates_ = 0;
    for (const Instruction& instruction : instructions_) {
      for_each_value(instruction, [&](std::uint32_t value) {
        if (!values_.is_predicate(value) || !live_[value] || is_counted_[value]) return;
        is_counted_[value] = true;
        ++live_predicates_;
      });
    }
  }

  /// Calls visit(value) for each value that the instruction reads or writes, perhaps repeatedly.
  template <class Visit>
  void for_each_value(const Instruction& instruction, Visit&& visit) const {
    for_each_read(instruction, [&](const Operand& operand) { visit(values_.number_of(operand)); });
    for_each_written(instruction,
                     [&](const Operand& operand) { visit(values_.number_of(operand)); });
    if (instruction.guard.present()) visit(values_.number_of(instruction.guard));
  }

  /// How many more registers are live after an instruction than before it.
  std::int32_t pressure_growth(std::uint32_t i) const {
    std::int32_t change = 0;
    const Instruction& instruction = instructions_[i];
    for_each_written(instruction, [&](const Operand& operand) {
      if (!live_[values_.number_of(operand)]) change += width_of(values_.number_of(operand));
    });
    for (std::size_t s = 0; s < instruction.sources.size(); ++s) {
      const Operand& source = instruction.sources[s];
      if (!source.is_register()) continue;
      std::uint32_t reads = 0;
      bool first = true;
      for (std::size_t t = 0; t < instruction.sources.size(); ++t) {
        if (!instruction.sources[t].is_register() || instruction.sources[t].index != source.index) {
          continue;
        }
        ++reads;
        if (t < s) first = false;
      }
      const std::uint32_t value = values_.number_of(source);
      if (first && live_[value] && reads_left_[value] == reads && !live_after_[value]) {
        change -= width_of(value);
      }
    }
    return change;
  }

  bool adds_predicate(const Instruction& instruction) const {
    bool adds = false;
    for_each_written(instruction, [&](const Operand& operand) {
      adds = adds || (operand.is_predicate() && !live_[values_.number_of(operand)]);
    });
    return adds;
  }

  bool takes_long(std::uint32_t i) const {
    return expected_latency(instructions_[i]) >= kLongLatency;
  }

  /// Returns the index in `ready` of the instruction to issue at cycle `now`.
  std::size_t choose(const std::vector<std::uint32_t>& ready,
                     const std::vector<std::uint32_t>& earliest, std::uint32_t now,
                     std::int32_t budget) const {
    std::size_t best = 0;
    bool best_fits = false;
    std::int32_t best_growth = 0;
    std::uint32_t best_wait = 0;
    for (std::size_t candidate = 0; candidate < ready.size(); ++candidate) {
      const std::uint32_t i = ready[candidate];
      std::int32_t more = pressure_growth(i);
      bool fits = more <= 0 || pressure_ + more <= budget;
      if (live_predicates_ >= kMaxPredicates && adds_predicate(instructions_[i])) {
        // A spilled predicate costs a register and two moves.
        constexpr std::int32_t kSpilledPredicate = 8;
        fits = false;
        more += kSpilledPredicate;
      }
      // Short waits are filled only while few registers are live.
      constexpr std::uint32_t kShortWait = 12;
      const std::uint32_t tolerated =
          pressure_ < kFewRegisters && !effects_of(instructions_[i]).writes_memory ? 0 : kShortWait;
      const bool is_far = i >= first_unissued_ + (feeds_load_[i] ? kLoadWindow : kWindow);
      std::uint32_t wait = is_far                          ? kOutsideWindowWait + i
                           : earliest[i] > now + tolerated ? earliest[i] - now
                                                           : 0;
      // An instruction that leads to no load but needs registers must not fill every gap.
      if (!feeds_load_[i] && more > 0 && pressure_ + more > kModeratePressure) {
        wait = std::max(wait, kPostponedWait);
      }
      // A result that is needed much later can be computed during another wait.
      if (!feeds_load_[i] && more > 0 && pressure_ + more > kSeveralRegisters &&
          needed_at_[i] > now + kSeveralWaits) {
        wait = std::max(wait, kPostponedWait);
      }
      bool better = candidate == 0;
      if (!better) {
        const std::uint32_t other = ready[best];
        if (fits != best_fits) {
          better = fits;
        } else if (!fits && more != best_growth) {
          better = more < best_growth;
        } else if (wait != best_wait) {
          better = wait < best_wait;
        } else if (feeds_load_[i] != feeds_load_[other]) {
          better = feeds_load_[i];
        } else if (feeds_load_[i] && takes_long(i) != takes_long(other)) {
          better = takes_long(other);  // First all addresses, then the loads together.
        } else {
          better = i < other;
        }
      }
      if (better) {
        best = candidate;
        best_fits = fits;
        best_growth = more;
        best_wait = wait;
      }
    }
    return best;
  }

  /// Appends an instruction to the order and updates the state.
  void issue(std::uint32_t i, Order& order) {
    order.instructions.push_back(i);
    const std::int32_t change = pressure_growth(i);
    const Instruction& instruction = instructions_[i];
    const auto read = [&](std::uint32_t value) {
      if (--reads_left_[value] == 0 && !live_after_[value] && live_[value]) {
        live_[value] = false;
        if (values_.is_predicate(value)) --live_predicates_;
      }
    };
    for_each_read(instruction, [&](const Operand& operand) { read(values_.number_of(operand)); });
    if (instruction.guard.present()) read(values_.number_of(instruction.guard));
    std::int32_t unread = 0;  // Registers of results that nothing reads.
    for_each_written(instruction, [&](const Operand& operand) {
      const std::uint32_t value = values_.number_of(operand);
      const bool was_live = live_[value];
      live_[value] = reads_left_[value] > 0 || live_after_[value];
      if (values_.is_predicate(value) && was_live != live_[value]) {
        live_predicates_ += live_[value] ? 1 : -1;
      }
      if (!live_[value]) unread += width_of(value);
    });
    pressure_ += change;
    order.pressure = std::max(order.pressure, pressure_);
    pressure_ -= unread;
  }

  std::span<const Instruction> instructions_;
  const Function& function_;
  const ValueNumbering& values_;
  // By value, see ValueStates:
  const std::vector<bool>& live_after_;
  std::vector<std::uint32_t>& reads_left_;
  std::vector<bool>& live_;
  std::vector<bool>& is_written_;
  std::vector<bool>& is_counted_;
  std::int32_t live_before_;  ///< The pressure before the stretch.
  // By instruction:
  std::vector<std::vector<Dependence>> dependents_;  ///< The dependences on it.
  std::vector<bool> feeds_load_;          ///< Whether it is or leads to a long-latency operation.
  std::vector<std::uint32_t> needed_at_;  ///< The cycle in which its result is needed.
  std::vector<std::uint32_t> blocker_counts_;  ///< The number of its dependences on others.
  std::int32_t pressure_ = 0;
  std::int32_t live_predicates_ = 0;
  std::uint32_t first_unissued_ = 0;  ///< The first instruction that is not issued yet.
};

class BlockScheduler {
 public:
  BlockScheduler(Function& function, unsigned budget)
      : function_(function),
        values_(function),
        liveness_(function, control_flow_of(function)),
        states_(values_.count()),
        live_(values_.count()),
        budget_(static_cast<std::int32_t>(budget)) {}

  void run() {
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) schedule(block);
  }

 private:
  std::int32_t width_of(std::uint32_t value) const {
    return values_.is_predicate(value) ? 0 : function_.registers[value].width;
  }

  void schedule(BlockIndex block) {
    auto& instructions = function_.blocks[block].instructions;
    // Go backward, so that liveness after each stretch is known.
    live_registers_ = 0;
    touched_.clear();
    liveness_.for_each_live_out(block, [&](std::uint32_t value) { set_live(value, true); });
    // Long blocks are divided, since finding dependences takes more than linear time.
    constexpr std::size_t kMaxStretchLength = 1024;
    std::size_t end = instructions.size();
    while (end > 0) {
      const std::size_t begin = end > kMaxStretchLength ? end - kMaxStretchLength : 0;
      const std::span<Instruction> stretch(instructions.data() + begin, end - begin);
      for (const Instruction& instruction : stretch) record_live_after(instruction);
      for (std::size_t i = stretch.size(); i-- > 0;) step_back(stretch[i]);
      reorder(stretch);
      end = begin;
    }
    for (const std::uint32_t value : touched_) live_[value] = false;
  }

  /// Records which of the values that the instruction names are live after the stretch.
  void record_live_after(const Instruction& instruction) {
    const auto keep = [&](std::uint32_t value) { states_.live_after[value] = live_[value]; };
    for_each_read(instruction, [&](const Operand& operand) { keep(values_.number_of(operand)); });
    for_each_written(instruction,
                     [&](const Operand& operand) { keep(values_.number_of(operand)); });
    if (instruction.guard.present()) keep(values_.number_of(instruction.guard));
  }

  void set_live(std::uint32_t value, bool live) {
    if (live_[value] == live) return;
    live_[value] = live;
    live_registers_ += live ? width_of(value) : -width_of(value);
    touched_.push_back(value);
  }

  void step_back(const Instruction& instruction) {
    if (!keeps_old_values(instruction)) {
      for_each_written(instruction, [&](const Operand& operand) {
        set_live(values_.number_of(operand), false);
      });
    }
    if (instruction.guard.present()) set_live(values_.number_of(instruction.guard), true);
    for_each_read(instruction,
                  [&](const Operand& operand) { set_live(values_.number_of(operand), true); });
  }

  /// Puts the instructions into the best order that is found, with lower and lower budgets.
  void reorder(std::span<Instruction> stretch) {
    if (stretch.size() < 3) return;
    StretchScheduler scheduler(stretch, function_, values_, states_, live_registers_);
    const Order current = scheduler.current_order();
    Order best = scheduler.schedule(budget_);
    for (std::int32_t budget = budget_ * 3 / 4; best.pressure > budget_ && budget > 8;
         budget = budget * 3 / 4) {
      Order tighter = scheduler.schedule(budget);
      if (tighter.pressure < best.pressure) best = std::move(tighter);
    }
    if (best.pressure > budget_ && current.pressure <= best.pressure) return;
    std::vector<Instruction> arranged;
    arranged.reserve(stretch.size());
    for (const std::uint32_t i : best.instructions) arranged.push_back(stretch[i]);
    std::move(arranged.begin(), arranged.end(), stretch.begin());
  }

  Function& function_;
  ValueNumbering values_;
  Liveness liveness_;
  ValueStates states_;
  // At the current point of the backward walk through a block:
  std::vector<bool> live_;              ///< By value.
  std::vector<std::uint32_t> touched_;  ///< The values whose live_ has changed.
  std::int32_t live_registers_ = 0;     ///< The number of live registers.
  std::int32_t budget_;                 ///< The maximum number of live registers, if possible.
};

}  // namespace

void schedule_blocks(Function& function, unsigned register_budget) {
  if (!function.blocks.empty()) BlockScheduler(function, register_budget).run();
}

}  // namespace heddle::code
