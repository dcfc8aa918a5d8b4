#include "code/placement/long_waits.h"

#include "code/effects.h"
#include "code/physical_liveness.h"

namespace heddle::code {
namespace {

class LongWaitFinder {
 public:
  LongWaitFinder(const CodeOrder& code, IsLongLatency is_long_latency)
      : code_(code),
        is_long_latency_(is_long_latency),
        pending_before_(code.blocks()),
        pending_after_(code.blocks()) {}

  LongWaits find() {
    LongWaits waits{std::vector<bool>(code_.size()), std::vector<bool>(code_.blocks())};
    if (code_.blocks() == 0) return waits;
    const std::vector<BlockIndex> order = code_.control_flow.reverse_post_order(0);
    // The iteration ends because the set of results that are pending before a block only grows. The
    // set after a block may shrink, when one of its instructions starts to wait. So a loop may get
    // an unnecessary wait.
    for (bool changed = true; changed;) {
      changed = false;
      for (const BlockIndex block : order) changed = pass_through(block, nullptr) || changed;
    }
    std::vector<bool> is_visited(code_.blocks());
    for (const BlockIndex block : order) {
      is_visited[block] = true;
      pass_through(block, &waits.suspends);
    }
    for (const BlockIndex block : order) {
      const LiveSet* other = nullptr;
      for (const BlockIndex before : code_.control_flow.predecessors(block)) {
        if (!is_visited[before]) continue;
        if (other != nullptr && other->bits != pending_after_[before].bits)
          waits.uncertain[block] = true;
        other = &pending_after_[before];
      }
    }
    return waits;
  }

 private:
  /// Updates pending_after_ of the block and pending_before_ of its successors. Returns whether one
  /// of the latter grew. Sets the positions at which the warp waits in `suspends`, unless that is
  /// null.
  bool pass_through(BlockIndex block, std::vector<bool>* suspends) {
    LiveSet pending = pending_before_[block];
    for (Position at = code_.first_position[block]; at < code_.first_position[block + 1]; ++at) {
      const Instruction& instruction = *code_.instructions[at];
      if (pending.bits.any() && must_wait(instruction, pending)) {
        pending.bits.reset();
        if (suspends != nullptr) (*suspends)[at] = true;
      }
      if (is_long_latency_(instruction)) {
        for_each_written(instruction, [&](const Operand& operand) { pending.add(operand); });
      }
    }
    pending_after_[block] = pending;
    bool grew = false;
    for (const BlockIndex next : code_.control_flow.successors(block)) {
      const auto before = pending_before_[next].bits;
      pending_before_[next].bits |= pending.bits;
      grew = grew || pending_before_[next].bits != before;
    }
    return grew;
  }

  bool must_wait(const Instruction& instruction, const LiveSet& pending) const {
    if (is_call(instruction)) return true;
    if (instruction.operation == Operation::ret && !code_.function.is_kernel) return true;
    bool touched = instruction.guard.present() &&
                   pending.has_any_of(Operand::predicate(instruction.guard.predicate));
    const auto touch = [&](const Operand& operand) {
      touched = touched || pending.has_any_of(operand);
    };
    for_each_read(instruction, touch);
    for_each_written(instruction, touch);
    return touched;
  }

  const CodeOrder& code_;
  IsLongLatency is_long_latency_;
  // By block: the results that are pending before and after it.
  std::vector<LiveSet> pending_before_, pending_after_;
};

}  // namespace

LongWaits find_long_waits(const CodeOrder& code, IsLongLatency is_long_latency) {
  return LongWaitFinder(code, is_long_latency).find();
}

void mark_long_waits(const CodeOrder& code, IsLongLatency is_long_latency,
                     std::vector<InstructionPlacement>& placement) {
  const LongWaits waits = find_long_waits(code, is_long_latency);
  for (Position at = 0; at < code.size(); ++at) placement[at].suspends = waits.suspends[at];
}

}  // namespace heddle::code
