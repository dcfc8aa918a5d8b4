#include <algorithm>
#include <span>

#include "code/effects.h"
#include "code/liveness.h"
#include "code/optimise/dependences.h"
#include "code/optimise/latency.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

constexpr unsigned kLongLatency = 25;

/// Instructions in an order, and the most registers that live at once in it.
struct Order {
  std::vector<std::uint32_t> instructions;
  std::int32_t pressure = 0;
};

/// A list scheduler for a stretch of a block: at each step, of what can be issued, the instruction
/// that most work waits for, as long as there are registers; then the one that needs fewest.
class StretchScheduler {
 public:
  StretchScheduler(std::span<const Instruction> instructions, const Function& function,
                   const ValueNumbering& values, const std::vector<bool>& live_behind,
                   std::int32_t live_before)
      : instructions_(instructions),
        function_(function),
        values_(values),
        live_behind_(live_behind),
        live_before_(live_before),
        following_(instructions.size()),
        feeds_load_(instructions.size()),
        blockers_(instructions.size()) {
    for (const Dependence& edge : dependences_of(instructions, values)) {
      following_[edge.from].push_back(edge);
      ++blockers_[edge.to];
    }
    for (std::size_t i = instructions.size(); i-- > 0;) {
      feeds_load_[i] = expected_latency(instructions[i]) >= kLongLatency;
      for (const Dependence& edge : following_[i]) {
        if (edge.latency > 1 && feeds_load_[edge.to]) feeds_load_[i] = true;
      }
    }
  }

  /// The order that the instructions are in.
  Order as_written() {
    Order order;
    start();
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) issue(i, order);
    return order;
  }

  Order schedule(std::int32_t budget) {
    Order order;
    start();
    std::vector<std::uint32_t> blockers = blockers_;
    std::vector<std::uint32_t> earliest(instructions_.size());
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
      if (blockers[i] == 0) ready.push_back(i);
    }
    std::uint32_t now = 0;
    while (!ready.empty()) {
      const std::size_t chosen = choose(ready, earliest, now, budget);
      const std::uint32_t i = ready[chosen];
      ready[chosen] = ready.back();
      ready.pop_back();
      now = std::max(now, earliest[i]);
      issue(i, order);
      for (const Dependence& edge : following_[i]) {
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

  void start() {
    readers_left_.clear();
    live_.clear();
    readers_left_.resize(values_.count());
    live_.resize(values_.count());
    pressure_ = live_before_;
    for (const Instruction& instruction : instructions_) {
      for_each_read(instruction, [&](const Operand& operand) {
        ++readers_left_[values_.of(operand)];
      });
    }
    // What is read before it is written here lives already.
    std::vector<bool> written(values_.count());
    for (const Instruction& instruction : instructions_) {
      for_each_read(instruction, [&](const Operand& operand) {
        if (!written[values_.of(operand)]) live_[values_.of(operand)] = true;
      });
      for_each_written(instruction, [&](const Operand& operand) {
        if (keeps_old_values(instruction) && !written[values_.of(operand)]) {
          live_[values_.of(operand)] = true;
        }
        written[values_.of(operand)] = true;
      });
    }
  }

  /// How many more registers live behind an instruction than before it.
  std::int32_t growth(std::uint32_t i) const {
    std::int32_t change = 0;
    const Instruction& instruction = instructions_[i];
    for_each_written(instruction, [&](const Operand& operand) {
      if (!live_[values_.of(operand)]) change += width_of(values_.of(operand));
    });
    for (std::size_t s = 0; s < instruction.sources.size(); ++s) {
      const Operand& source = instruction.sources[s];
      if (!source.is_register()) continue;
      std::uint32_t reads = 0;
      bool first = true;
      for (std::size_t t = 0; t < instruction.sources.size(); ++t) {
        if (!instruction.sources[t].is_register() ||
            instruction.sources[t].index != source.index) {
          continue;
        }
        ++reads;
        if (t < s) first = false;
      }
      const std::uint32_t value = values_.of(source);
      if (first && live_[value] && readers_left_[value] == reads && !live_behind_[value]) {
        change -= width_of(value);
      }
    }
    return change;
  }

  std::size_t choose(const std::vector<std::uint32_t>& ready,
                     const std::vector<std::uint32_t>& earliest, std::uint32_t now,
                     std::int32_t budget) const {
    std::size_t best = 0;
    bool best_fits = false;
    std::int32_t best_growth = 0;
    std::uint32_t best_wait = 0;
    for (std::size_t candidate = 0; candidate < ready.size(); ++candidate) {
      const std::uint32_t i = ready[candidate];
      const std::int32_t more = growth(i);
      const bool fits = more <= 0 || pressure_ + more <= budget;
      // Short waits are worth filling only as long as that takes few registers.
      constexpr std::uint32_t kShort = 12;
      const std::uint32_t tolerated = pressure_ < budget / 2 ? 0 : kShort;
      const std::uint32_t wait = earliest[i] > now + tolerated ? earliest[i] - now : 0;
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

  void issue(std::uint32_t i, Order& order) {
    order.instructions.push_back(i);
    const std::int32_t change = growth(i);
    const Instruction& instruction = instructions_[i];
    for_each_read(instruction, [&](const Operand& operand) {
      const std::uint32_t value = values_.of(operand);
      if (--readers_left_[value] == 0 && !live_behind_[value]) live_[value] = false;
    });
    std::int32_t unread = 0;
    for_each_written(instruction, [&](const Operand& operand) {
      const std::uint32_t value = values_.of(operand);
      live_[value] = readers_left_[value] > 0 || live_behind_[value];
      if (!live_[value]) unread += width_of(value);
    });
    pressure_ += change;
    order.pressure = std::max(order.pressure, pressure_);
    pressure_ -= unread;
  }

  std::span<const Instruction> instructions_;
  const Function& function_;
  const ValueNumbering& values_;
  const std::vector<bool>& live_behind_;
  std::int32_t live_before_;
  std::vector<std::vector<Dependence>> following_;
  std::vector<bool> feeds_load_;  ///< It, or what it leads to, takes long.
  std::vector<std::uint32_t> blockers_;
  // The state of a run.
  std::vector<std::uint32_t> readers_left_;
  std::vector<bool> live_;
  std::int32_t pressure_ = 0;
};

class BlockScheduler {
 public:
  BlockScheduler(Function& function, unsigned budget)
      : function_(function),
        values_(function),
        liveness_(function, control_flow_of(function)),
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
    // Backward, so that what lives behind each stretch is known.
    std::vector<bool> live(values_.count());
    liveness_.for_each_live_out(block, [&](std::uint32_t value) { live[value] = true; });
    constexpr std::size_t kLongest = 1024;  // finding dependences takes longer than linear time
    std::size_t end = instructions.size();
    while (end > 0) {
      const std::size_t begin = end > kLongest ? end - kLongest : 0;
      const std::span<Instruction> stretch(instructions.data() + begin, end - begin);
      const std::vector<bool> live_behind = live;
      for (std::size_t i = stretch.size(); i-- > 0;) step_back(stretch[i], live);
      std::int32_t live_before = 0;
      for (std::uint32_t value = 0; value < values_.count(); ++value) {
        if (live[value]) live_before += width_of(value);
      }
      arrange(stretch, live_behind, live_before);
      end = begin;
    }
  }

  void step_back(const Instruction& instruction, std::vector<bool>& live) const {
    if (!keeps_old_values(instruction)) {
      for_each_written(instruction,
                       [&](const Operand& operand) { live[values_.of(operand)] = false; });
    }
    if (instruction.guard.present()) live[values_.of(instruction.guard)] = true;
    for_each_read(instruction, [&](const Operand& operand) { live[values_.of(operand)] = true; });
  }

  void arrange(std::span<Instruction> stretch, const std::vector<bool>& live_behind,
               std::int32_t live_before) {
    if (stretch.size() < 3) return;
    StretchScheduler scheduler(stretch, function_, values_, live_behind, live_before);
    const Order written = scheduler.as_written();
    Order best = scheduler.schedule(budget_);
    for (std::int32_t budget = budget_ * 3 / 4; best.pressure > budget_ && budget > 8;
         budget = budget * 3 / 4) {
      Order tighter = scheduler.schedule(budget);
      if (tighter.pressure < best.pressure) best = std::move(tighter);
    }
    if (best.pressure > budget_ && written.pressure <= best.pressure) return;
    std::vector<Instruction> arranged;
    arranged.reserve(stretch.size());
    for (const std::uint32_t i : best.instructions) arranged.push_back(stretch[i]);
    std::move(arranged.begin(), arranged.end(), stretch.begin());
  }

  Function& function_;
  ValueNumbering values_;
  Liveness liveness_;
  std::int32_t budget_;
};

}  // namespace

void schedule_blocks(Function& function, unsigned register_budget) {
  if (!function.blocks.empty()) BlockScheduler(function, register_budget).run();
}

}  // namespace heddle::code
