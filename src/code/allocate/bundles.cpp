#include "code/allocate/bundles.h"

#include <algorithm>
#include <utility>

#include "code/control_flow.h"

namespace heddle::code {

Bundles::Bundles(const Function& function, RegisterClass register_class,
                 const ValueNumbering& values, const LiveRanges& ranges)
    : bundles_(function.count_of(register_class)),
      parent_(bundles_.size()),
      offset_(bundles_.size()) {
  const std::uint32_t first = values.first_value_of(register_class);
  for (std::uint32_t i = 0; i < bundles_.size(); ++i) {
    parent_[i] = i;
    bundles_[i].width = static_cast<std::uint8_t>(function.width_of(register_class, i));
    for (std::size_t word = 0; word < bundles_[i].width; ++word) {
      bundles_[i].words[word] = ranges.by_value[first + i];
    }
  }
}

Bundles::Position Bundles::find(std::uint32_t reg) {
  std::uint32_t root = reg;
  std::uint32_t offset = 0;
  while (parent_[root] != root) {
    offset += offset_[root];
    root = parent_[root];
  }
  // Path compression.
  std::uint32_t rest = offset;
  for (std::uint32_t at = reg; parent_[at] != at;) {
    const std::uint32_t next = parent_[at];
    const std::uint32_t step = offset_[at];
    parent_[at] = root;
    offset_[at] = rest;
    rest -= step;
    at = next;
  }
  return {root, offset};
}

bool Bundles::join(std::uint32_t a, std::uint32_t word_a, std::uint32_t b, std::uint32_t word_b,
                   std::uint32_t max_width) {
  const Position at_a = find(a);
  const Position at_b = find(b);
  const std::uint32_t in_a = at_a.offset + word_a;
  const std::uint32_t in_b = at_b.offset + word_b;
  if (at_a.bundle == at_b.bundle) return in_a == in_b;
  // The root is b's bundle if it is wider or begins before a's, otherwise a's bundle. The other
  // bundle begins `shift` words into the root.
  Position root = at_a;
  Position other = at_b;
  std::uint32_t in_root = in_a;
  std::uint32_t in_other = in_b;
  if (bundles_[at_b.bundle].width > bundles_[at_a.bundle].width || in_a < in_b) {
    std::swap(root, other);
    std::swap(in_root, in_other);
  }
  if (in_root < in_other) return false;
  const std::uint32_t shift = in_root - in_other;
  Bundle& kept = bundles_[root.bundle];
  Bundle& joined = bundles_[other.bundle];
  if (shift % joined.width != 0) return false;
  std::uint32_t width = std::max<std::uint32_t>(kept.width, shift + joined.width);
  if (width == 3) width = 4;
  if (width > max_width && width > kept.width) return false;
  for (std::uint32_t word = 0; word < joined.width; ++word) {
    if (overlap(kept.words[shift + word], joined.words[word])) return false;
  }
  for (std::uint32_t word = 0; word < joined.width; ++word) {
    merge_into(kept.words[shift + word], joined.words[word]);
    joined.words[word] = {};
  }
  kept.width = static_cast<std::uint8_t>(width);
  parent_[other.bundle] = root.bundle;
  offset_[other.bundle] = shift;
  return true;
}

namespace {

void coalesce_general(const Instruction& instruction, Bundles& bundles) {
  if (instruction.operation == Operation::move) {
    const Operand& to = instruction.destinations[0];
    const Operand& from = instruction.sources[0];
    if (!to.is_register() || !from.is_register() || to.width != from.width) return;
    bundles.join(to.index, 0, from.index, 0, 4);
  } else if (instruction.operation == Operation::pack) {
    const Operand& whole = instruction.destinations[0];
    if (!whole.is_register() || instruction.sources.size() != whole.width) return;
    for (std::uint32_t i = 0; i < whole.width; ++i) {
      const Operand& part = instruction.sources[i];
      if (part.is_register() && part.width == 1) bundles.join(whole.index, i, part.index, 0, 4);
    }
  } else if (instruction.operation == Operation::unpack) {
    const Operand& whole = instruction.sources[0];
    if (!whole.is_register() || instruction.destinations.size() != whole.width) return;
    for (std::uint32_t i = 0; i < whole.width; ++i) {
      const Operand& part = instruction.destinations[i];
      if (part.is_register() && part.width == 1) bundles.join(whole.index, i, part.index, 0, 4);
    }
  }
}

void coalesce_predicates(const Instruction& instruction, Bundles& bundles) {
  if (instruction.operation != Operation::predicate_move) return;
  const Operand& from = instruction.sources[0];
  if (!from.is_predicate() || from.negated) return;
  bundles.join(instruction.destinations[0].index, 0, from.index, 0, 1);
}

}  // namespace

void coalesce(const Function& function, RegisterClass register_class, Bundles& bundles) {
  const std::vector<std::uint32_t> depths = loop_depths(control_flow_of(function));
  std::vector<BlockIndex> order(function.blocks.size());
  for (BlockIndex block = 0; block < order.size(); ++block) order[block] = block;
  std::stable_sort(order.begin(), order.end(),
                   [&](BlockIndex a, BlockIndex b) { return depths[a] > depths[b]; });
  for (const BlockIndex block : order) {
    for (const Instruction& instruction : function.blocks[block].instructions) {
      switch (register_class) {
        case RegisterClass::general:
          coalesce_general(instruction, bundles);
          break;
        case RegisterClass::predicate:
          coalesce_predicates(instruction, bundles);
          break;
      }
    }
  }
}

}  // namespace heddle::code
