#include "code/placement/strands.h"

#include <algorithm>
#include <utility>

#include "code/effects.h"
#include "code/placement/divergence_losses.h"
#include "code/placement/long_waits.h"

namespace heddle::code {
namespace {

class StrandFinder {
 public:
  StrandFinder(const CodeOrder& code, const Hierarchy& hierarchy)
      : code_(code),
        hierarchy_(hierarchy),
        waits_(find_long_waits(code, hierarchy.is_long_latency)) {}

  Strands find() {
    strands_.begins.assign(code_.size(), false);
    strands_.block_begins.assign(code_.blocks(), false);
    begin_at_backward_branches();
    for (Position at = 0; at < code_.size(); ++at) {
      if (is_call(*code_.instructions[at])) begin_after(at);
    }
    if (hierarchy_.suspension_ends_strands) begin_at_suspensions();
    if (hierarchy_.variable_entries) begin_at_strand_merges();
    spread_to_instructions();
    strands_.suspends = std::move(waits_.suspends);
    return std::move(strands_);
  }

 private:
  /// Also at the function's entry and, without Hierarchy::forward_branches, at every block.
  void begin_at_backward_branches() {
    for (BlockIndex block = 0; block < code_.blocks(); ++block) {
      const auto before = code_.control_flow.predecessors(block);
      bool begins = block == 0 || before.empty() || !hierarchy_.forward_branches;
      // A strand begins both at the target of a backward branch and at the block that follows it.
      for (const BlockIndex from : before) begins = begins || from >= block || branches_back(from);
      if (begins) strands_.block_begins[block] = true;
    }
  }

  bool branches_back(BlockIndex block) const {
    const auto next = code_.control_flow.successors(block);
    return std::any_of(next.begin(), next.end(), [&](BlockIndex to) { return to <= block; });
  }

  /// Begins strands where the upper levels may have lost their contents: the warp has waited, on
  /// this path or on another path of a divergent branch.
  void begin_at_suspensions() {
    std::vector<bool> suspending(code_.blocks());
    for (Position at = 0; at < code_.size(); ++at) {
      const Instruction& instruction = *code_.instructions[at];
      const bool ends_at_barrier =
          hierarchy_.barriers_end_strands && instruction.operation == Operation::barrier;
      if (waits_.suspends[at]) strands_.begins[at] = true;
      if (ends_at_barrier) begin_after(at);
      if (waits_.suspends[at] || ends_at_barrier || is_call(instruction)) {
        suspending[code_.block_of[at]] = true;
      }
    }
    const DivergenceLosses lost = divergence_losses(code_, suspending);
    for (BlockIndex block = 0; block < code_.blocks(); ++block) {
      if (waits_.uncertain[block] || lost.before_block[block]) strands_.block_begins[block] = true;
    }
    for (Position at = 0; at < code_.size(); ++at) {
      if (lost.after_position[at]) begin_after(at);
    }
  }

  /// With a variable number of entries, a strand must have a single beginning, at which the
  /// number is chosen (section 6.6.1). So a new strand begins where paths from different strands
  /// merge.
  void begin_at_strand_merges() {
    // By block: the beginning of the strand that contains the block's end.
    std::vector<Position> strand_beginning(code_.blocks());
    for (BlockIndex block = 0; block < code_.blocks(); ++block) {
      const auto before = code_.control_flow.predecessors(block);
      if (!before.empty()) strand_beginning[block] = strand_beginning[before[0]];
      for (const BlockIndex from : before) {
        if (strand_beginning[from] != strand_beginning[block]) strands_.block_begins[block] = true;
      }
      if (strands_.block_begins[block]) {
        strand_beginning[block] = code_.first_position[block];
        if (code_.is_empty(block) && block + 1 < code_.blocks()) {
          strands_.block_begins[block + 1] = true;
        }
      }
      for (Position at = code_.first_position[block]; at < code_.first_position[block + 1]; ++at) {
        if (strands_.begins[at]) strand_beginning[block] = at;
      }
    }
  }

  void begin_after(Position at) {
    const BlockIndex block = code_.block_of[at];
    if (at + 1 < code_.first_position[block + 1]) {
      strands_.begins[at + 1] = true;
      return;
    }
    for (const BlockIndex next : code_.control_flow.successors(block)) {
      strands_.block_begins[next] = true;
    }
  }

  /// Sets Strands::begins from block_begins. A strand that begins at an empty block begins at the
  /// next block's first instruction.
  void spread_to_instructions() {
    for (BlockIndex block = 0; block < code_.blocks(); ++block) {
      if (!strands_.block_begins[block]) continue;
      if (!code_.is_empty(block)) {
        strands_.begins[code_.first_position[block]] = true;
      } else if (block + 1 < code_.blocks()) {
        strands_.block_begins[block + 1] = true;
      }
    }
  }

  const CodeOrder& code_;
  const Hierarchy& hierarchy_;
  LongWaits waits_;
  Strands strands_;
};

}  // namespace

Strands find_strands(const CodeOrder& code, const Hierarchy& hierarchy) {
  return StrandFinder(code, hierarchy).find();
}

}  // namespace heddle::code
