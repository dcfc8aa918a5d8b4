#include <utility>

#include "code/control_flow.h"
#include "code/effects.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

/// The block that control finally reaches through `block`, where empty blocks and blocks that
/// contain only a branch are skipped. Returns `block` if these form a cycle.
BlockIndex destination_of(const Function& function, BlockIndex block) {
  BlockIndex at = block;
  for (std::size_t steps = 0; steps <= function.blocks.size(); ++steps) {
    const auto& instructions = function.blocks[at].instructions;
    if (instructions.empty()) {
      if (at + 1 == function.blocks.size()) return at;
      ++at;
    } else if (instructions.size() == 1 && instructions[0].operation == Operation::branch &&
               ends_path(instructions[0])) {
      at = instructions[0].target;
    } else {
      return at;
    }
  }
  return block;
}

/// Makes branches lead to their final destinations.
void thread_branches(Function& function) {
  for (BasicBlock& block : function.blocks) {
    if (block.instructions.empty()) continue;
    Instruction& last = block.instructions.back();
    if (last.operation == Operation::branch) last.target = destination_of(function, last.target);
  }
  for (auto& table : function.branch_tables) {
    for (BlockIndex& target : table) target = destination_of(function, target);
  }
}

/// Turns `@p bra A; B: bra C; A:` into `@!p bra C; A:`.
void invert_branches_over_branches(Function& function) {
  std::vector<std::uint32_t> arrivals(function.blocks.size());
  for (BlockIndex i = 0; i < function.blocks.size(); ++i) {
    for (const BlockIndex next : successors_of(function, i)) ++arrivals[next];
  }
  for (BlockIndex i = 0; i + 2 < function.blocks.size(); ++i) {
    if (function.blocks[i].instructions.empty()) continue;
    Instruction& last = function.blocks[i].instructions.back();
    auto& between = function.blocks[i + 1].instructions;
    if (last.operation != Operation::branch || !last.guard.present() || last.target != i + 2) {
      continue;
    }
    if (between.size() != 1 || between[0].operation != Operation::branch ||
        !ends_path(between[0]) || arrivals[i + 1] != 1) {
      continue;
    }
    last.target = between[0].target;
    last.guard.negated = !last.guard.negated;
    between.clear();
  }
}

/// Turns a branch to a block that only exits into an exit.
void turn_branches_into_exits(Function& function) {
  for (BasicBlock& block : function.blocks) {
    if (block.instructions.empty()) continue;
    Instruction& last = block.instructions.back();
    if (last.operation != Operation::branch) continue;
    const auto& target = function.blocks[last.target].instructions;
    if (target.size() != 1 || !ends_path(target[0])) continue;
    if (target[0].operation != Operation::exit &&
        !(target[0].operation == Operation::ret && function.is_kernel)) {
      continue;
    }
    const Guard guard = last.guard;
    last = target[0];
    last.guard = guard;
  }
}

void drop_branches_to_next(Function& function) {
  for (BlockIndex i = 0; i < function.blocks.size(); ++i) {
    auto& instructions = function.blocks[i].instructions;
    if (instructions.empty() || instructions.back().operation != Operation::branch) continue;
    // Skip empty blocks between the branch and its target.
    BlockIndex next = i + 1;
    while (next < function.blocks.size() && next != instructions.back().target &&
           function.blocks[next].instructions.empty()) {
      ++next;
    }
    if (next == instructions.back().target) instructions.pop_back();
  }
}

/// Drops each block b for which keep[b] is false, and renumbers the others. No branch of a kept
/// block may lead to a dropped one.
void drop_blocks(Function& function, const std::vector<bool>& keep) {
  std::vector<BlockIndex> index_of(function.blocks.size(), kNone);
  BlockIndex kept = 0;
  for (BlockIndex i = 0; i < function.blocks.size(); ++i) {
    if (!keep[i]) continue;
    index_of[i] = kept;
    if (kept != i) function.blocks[kept] = std::move(function.blocks[i]);
    ++kept;
  }
  function.blocks.resize(kept);
  std::vector<bool> used(function.branch_tables.size());
  for (BasicBlock& block : function.blocks) {
    if (block.instructions.empty()) continue;
    Instruction& last = block.instructions.back();
    if (last.operation == Operation::branch) last.target = index_of[last.target];
    if (last.operation == Operation::branch_indexed) used[last.target] = true;
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) function.branch_tables[i].clear();
    for (BlockIndex& target : function.branch_tables[i]) target = index_of[target];
  }
}

void drop_unreachable(Function& function) {
  std::vector<bool> keep(function.blocks.size());
  for (const BlockIndex block : control_flow_of(function).reverse_post_order(0)) {
    keep[block] = true;
  }
  drop_blocks(function, keep);
}

/// Merges each block with the next one if control always passes from the one to the other, and
/// nothing else leads to the next one.
void merge_blocks(Function& function) {
  const Graph graph = control_flow_of(function);
  const std::size_t blocks = function.blocks.size();
  std::vector<bool> keep(blocks, true);
  std::vector<bool> in_table(blocks);
  for (const auto& table : function.branch_tables) {
    for (const BlockIndex target : table) in_table[target] = true;
  }
  for (BlockIndex i = 0; i < blocks; ++i) {
    if (!keep[i]) continue;
    auto& instructions = function.blocks[i].instructions;
    BlockIndex end = i;  // The last block that was merged into this one.
    while (end + 1 < blocks && graph.predecessors(end + 1).size() == 1 && !in_table[end + 1] &&
           graph.predecessors(end + 1)[0] == end && keep[end + 1] &&
           falls_through(function.blocks[i]) &&
           (instructions.empty() || (instructions.back().operation != Operation::branch &&
                                     instructions.back().operation != Operation::branch_indexed))) {
      ++end;
      auto& next = function.blocks[end].instructions;
      instructions.insert(instructions.end(), std::make_move_iterator(next.begin()),
                          std::make_move_iterator(next.end()));
      next.clear();
      keep[end] = false;
    }
  }
  drop_blocks(function, keep);
}

/// Moves a block to the place of an unguarded branch if nothing else leads to the block and the
/// block does not fall through. Returns whether it has moved any.
bool move_single_targets(Function& function) {
  const Graph graph = control_flow_of(function);
  bool changed = false;
  std::vector<bool> in_table(function.blocks.size());
  for (const auto& table : function.branch_tables) {
    for (const BlockIndex target : table) in_table[target] = true;
  }
  for (BlockIndex i = 0; i < function.blocks.size(); ++i) {
    for (;;) {
      auto& instructions = function.blocks[i].instructions;
      if (instructions.empty() || instructions.back().operation != Operation::branch ||
          !ends_path(instructions.back())) {
        break;
      }
      const BlockIndex target = instructions.back().target;
      auto& moved = function.blocks[target].instructions;
      if (target == i || target == 0 || in_table[target] || moved.empty() ||
          !ends_path(moved.back()) || graph.predecessors(target).size() != 1) {
        break;
      }
      instructions.pop_back();
      instructions.insert(instructions.end(), std::make_move_iterator(moved.begin()),
                          std::make_move_iterator(moved.end()));
      moved.clear();
      // The old block is unreachable now. It keeps a terminator so that it does not fall through.
      moved.push_back(instructions.back());
      changed = true;
    }
  }
  return changed;
}

}  // namespace

void simplify_control_flow(Function& function) {
  if (function.blocks.empty()) return;
  constexpr int kMaxRounds = 4;
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::size_t before = function.blocks.size();
    thread_branches(function);
    if (function.is_kernel) turn_branches_into_exits(function);
    drop_unreachable(function);
    drop_branches_to_next(function);
    invert_branches_over_branches(function);
    merge_blocks(function);
    const bool moved = move_single_targets(function);
    if (moved) drop_unreachable(function);
    if (!moved && function.blocks.size() == before) break;
  }
}

}  // namespace heddle::code
