#include "code/control_flow.h"
#include "code/effects.h"
#include "code/liveness.h"
#include "code/optimise/latency.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

/// The maximum length of a path that is converted, in instructions. If no thread takes a longer
/// path, executing it would cost more than a branch.
constexpr std::size_t kMaxPathLength = 8;

class IfConversion {
 public:
  explicit IfConversion(Function& function)
      : function_(function),
        values_(function),
        control_flow_(control_flow_of(function)),
        liveness_(function, control_flow_) {}

  bool run() {
    bool changed = false;
    for (BlockIndex block = 0; block + 1 < function_.blocks.size(); ++block) {
      // After a change the liveness of these blocks is stale, so skip them until the next run.
      if (convert(block)) {
        changed = true;
        block += 2;
      }
    }
    return changed;
  }

 private:
  /// Converts the branch at the block's end, if it is suitable. One path is the next block, `near`.
  /// The branch target, `far`, is either the other path or the block that follows `near`.
  bool convert(BlockIndex block) {
    auto& instructions = function_.blocks[block].instructions;
    if (instructions.empty() || instructions.back().operation != Operation::branch ||
        !instructions.back().guard.present()) {
      return false;
    }
    const Instruction branch = instructions.back();
    const BlockIndex near = block + 1;
    const BlockIndex far = branch.target;
    if (far <= block || far == near || !is_short_path(near, block, branch.guard)) return false;
    const BlockIndex after_near = only_successor(near);
    Guard for_near = branch.guard;
    for_near.negated = !for_near.negated;

    if (after_near == far) {
      instructions.pop_back();
      move_path(near, for_near, far, block);
      return true;
    }
    // There are two paths, which must reconverge after `far`.
    if (far != near + 1 || !is_short_path(far, block, branch.guard) ||
        only_successor(far) != after_near || after_near == kNone) {
      return false;
    }
    auto& near_instructions = function_.blocks[near].instructions;
    if (falls_through(function_.blocks[near])) return false;
    near_instructions.pop_back();
    instructions.pop_back();
    move_path(near, for_near, far, block);
    move_path(far, branch.guard, after_near, block);
    return true;
  }

  /// The block's successor; kNone if there is not exactly one.
  BlockIndex only_successor(BlockIndex block) const {
    const auto successors = control_flow_.successors(block);
    return successors.size() == 1 ? successors[0] : kNone;
  }

  /// Whether `path` is a short block with `from` as its only predecessor, and all its instructions
  /// can run under `guard`.
  bool is_short_path(BlockIndex path, BlockIndex from, const Guard& guard) const {
    const auto predecessors = control_flow_.predecessors(path);
    if (predecessors.size() != 1 || predecessors[0] != from) return false;
    const auto& instructions = function_.blocks[path].instructions;
    std::size_t count = instructions.size();
    if (count > 0 && instructions.back().operation == Operation::branch) {
      if (instructions.back().guard.present()) return false;
      --count;
    }
    std::size_t cost = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Instruction& instruction = instructions[i];
      const Effects effects = effects_of(instruction);
      if (instruction.guard.present() || is_terminator(instruction) || effects.ordered ||
          is_control(instruction.operation)) {
        return false;
      }
      const bool is_slow =
          instruction.type == ValueType::f64 && instruction.operation != Operation::load &&
          instruction.operation != Operation::store && instruction.operation != Operation::move;
      cost += is_slow ? kMaxPathLength : 1;
      if (cost > kMaxPathLength) return false;
      const bool is_warp_wide =
          !effects.removable && !effects.reads_memory && !effects.writes_memory;
      if (is_warp_wide) return false;
      bool writes_guard = false;
      for_each_written(instruction, [&](const Operand& operand) {
        if (operand.is_predicate() && operand.index == guard.predicate) writes_guard = true;
      });
      if (writes_guard) return false;
    }
    return true;
  }

  /// Appends the instructions of `path` to `block` under `guard`. `other` is the block that the
  /// lanes that do not take the path execute next. Instructions whose results these lanes do not
  /// read, and that are fast, need no guard.
  void move_path(BlockIndex path, const Guard& guard, BlockIndex other, BlockIndex block) {
    auto& to = function_.blocks[block].instructions;
    for (Instruction& instruction : function_.blocks[path].instructions) {
      if (instruction.operation != Operation::branch) {
        bool others_read_old_value = instruction.destinations.empty();
        for_each_written(instruction, [&](const Operand& operand) {
          others_read_old_value =
              others_read_old_value || liveness_.is_live_in(other, values_.number_of(operand));
        });
        constexpr unsigned kSlow = 20;  // Special functions, in cycles (latency.cpp).
        const bool needs_no_guard = effects_of(instruction).repeatable && !others_read_old_value &&
                                    instruction.operation != Operation::load &&
                                    expected_latency(instruction) < kSlow;
        if (!needs_no_guard) {
          instruction.guard = guard;
          instruction.writes_whole = !others_read_old_value && !instruction.destinations.empty();
        }
      }
      to.push_back(instruction);
    }
    function_.blocks[path].instructions.clear();
  }

  Function& function_;
  ValueNumbering values_;
  Graph control_flow_;
  Liveness liveness_;
};

}  // namespace

bool convert_branches(Function& function) {
  return !function.blocks.empty() && IfConversion(function).run();
}

}  // namespace heddle::code
