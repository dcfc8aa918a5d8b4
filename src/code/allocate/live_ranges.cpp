#include "code/allocate/live_ranges.h"

#include <algorithm>

#include "code/dominators.h"
#include "code/effects.h"

namespace heddle::code {

bool overlap(const Segments& a, const Segments& b) {
  if (a.empty() || b.empty()) return false;
  const Segments& shorter = a.size() < b.size() ? a : b;
  const Segments& longer = a.size() < b.size() ? b : a;
  auto at = longer.begin();
  for (const Segment& segment : shorter) {
    at = std::partition_point(at, longer.end(),
                              [&](const Segment& other) { return other.end <= segment.start; });
    if (at == longer.end()) return false;
    if (at->start < segment.end) return true;
  }
  return false;
}

void merge_into(Segments& a, const Segments& b) {
  if (b.empty()) return;
  const auto middle = static_cast<std::ptrdiff_t>(a.size());
  a.insert(a.end(), b.begin(), b.end());
  std::inplace_merge(a.begin(), a.begin() + middle, a.end(),
                     [](const Segment& x, const Segment& y) { return x.start < y.start; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < a.size(); ++i) {
    if (a[i].start <= a[kept].end) {
      a[kept].end = std::max(a[kept].end, a[i].end);
    } else {
      a[++kept] = a[i];
    }
  }
  a.resize(kept + 1);
}

LiveRanges::LiveRanges(const Function& function, const ValueNumbering& values)
    : by_value(values.count()) {
  const Liveness liveness(function, control_flow_of(function));
  std::vector<std::uint32_t> block_start(function.blocks.size());
  for (std::size_t block = 0; block < function.blocks.size(); ++block) {
    block_start[block] = end;
    end += 2 * static_cast<std::uint32_t>(function.blocks[block].instructions.size());
  }

  // Walk backward. Segments are made in descending order and reversed at the end.
  std::vector<std::uint32_t> live_until(values.count());    // By value: a position; 0: not live.
  std::vector<std::uint32_t> first_access(values.count());  // By value, of this block.
  std::vector<std::uint32_t> live_in_block;  // The values that this block has made live so far.
  const auto close = [&](std::uint32_t value, std::uint32_t start) {
    Segments& segments = by_value[value];
    if (!segments.empty() && segments.back().start <= live_until[value]) {
      segments.back().start = std::min(segments.back().start, start);
    } else {
      segments.push_back({start, live_until[value]});
    }
    live_until[value] = 0;
  };
  for (std::size_t block = function.blocks.size(); block-- > 0;) {
    const auto index = static_cast<BlockIndex>(block);
    const auto& instructions = function.blocks[block].instructions;
    std::uint32_t position =
        block_start[block] + 2 * static_cast<std::uint32_t>(instructions.size());
    live_in_block.clear();
    const std::uint32_t block_end = position;
    liveness.for_each_live_out(index, [&](std::uint32_t value) {
      // An empty block has no positions.
      if (block_end == block_start[block]) return;
      live_until[value] = block_end;
      first_access[value] = block_end;
      live_in_block.push_back(value);
    });
    for (std::size_t i = instructions.size(); i-- > 0;) {
      const Instruction& instruction = instructions[i];
      position -= 2;
      const auto make_live = [&](std::uint32_t value, std::uint32_t until) {
        if (live_until[value] == 0) {
          live_until[value] = until;
          live_in_block.push_back(value);
        }
      };
      for_each_written(instruction, [&](const Operand& operand) {
        const std::uint32_t value = values.number_of(operand);
        // Even a value that is never read occupies its register here.
        make_live(value, position + 2);
        first_access[value] = position + 1;
        if (!keeps_old_values(instruction)) close(value, position + 1);
      });
      const auto read = [&](std::uint32_t value) {
        make_live(value, position + 1);
        first_access[value] = position;
      };
      for_each_read(instruction, [&](const Operand& operand) { read(values.number_of(operand)); });
      if (instruction.guard.present()) read(values.number_of(instruction.guard));
    }
    for (const std::uint32_t value : live_in_block) {
      if (live_until[value] == 0) continue;
      // A value that is not live at the block's start begins at its first guarded write.
      close(value, liveness.is_live_in(index, value) ? block_start[block] : first_access[value]);
    }
  }
  for (Segments& segments : by_value) std::reverse(segments.begin(), segments.end());
}

std::vector<std::uint32_t> loop_depths(const Graph& control_flow) {
  const DominatorTree dominators(control_flow, 0);
  std::vector<std::uint32_t> depth(control_flow.size());
  std::vector<BlockIndex> member_of(control_flow.size(), kNone);
  std::vector<BlockIndex> work;
  for (BlockIndex header = 0; header < control_flow.size(); ++header) {
    const auto add = [&](BlockIndex block) {
      if (member_of[block] == header || !dominators.is_reachable(block)) return;
      member_of[block] = header;
      ++depth[block];
      if (block != header) work.push_back(block);
    };
    for (const BlockIndex before : control_flow.predecessors(header)) {
      if (!dominators.is_reachable(before) || !dominators.dominates(header, before)) continue;
      add(header);
      add(before);
      while (!work.empty()) {
        const BlockIndex block = work.back();
        work.pop_back();
        for (const BlockIndex inner : control_flow.predecessors(block)) add(inner);
      }
    }
  }
  return depth;
}

}  // namespace heddle::code
