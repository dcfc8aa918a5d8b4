// Checks placements of random functions, with control flow and guarded writes that no compiler
// would emit.

#include <gtest/gtest.h>

#include "code/effects.h"
#include "code/random_function.h"
#include "gpu/sanitized.h"
#include "placed_code.h"

namespace heddle::code::testing {
namespace {

/// A random function with physical registers: first those of 64-bit values, then the 32-bit ones.
Function allocated_function(std::uint32_t seed, const RandomShape& shape) {
  Function function = RandomFunction(seed, shape).make();
  const auto renumber = [&](Operand& operand) {
    if (!operand.is_register()) return;
    operand.index = operand.index < shape.narrow ? 2 * shape.wide + operand.index
                                                 : 2 * (operand.index - shape.narrow);
  };
  for (BasicBlock& block : function.blocks) {
    for (Instruction& instruction : block.instructions) {
      for (Operand& operand : instruction.sources) renumber(operand);
      for (Operand& operand : instruction.destinations) renumber(operand);
    }
  }
  return function;
}

/// Makes all branches lead forward, so that strands are long, and adds barriers and warp_sync.
void make_forward(Function& function, std::mt19937& random) {
  const auto blocks = static_cast<BlockIndex>(function.blocks.size());
  for (BlockIndex block = 0; block < blocks; ++block) {
    const BlockIndex later = blocks - block - 1;
    for (Instruction& instruction : function.blocks[block].instructions) {
      if (instruction.operation == Operation::move && random() % 8 == 0) {
        instruction = random() % 4 == 0 ? plain(Operation::barrier)
                                        : instruction_of(Operation::warp_sync, {},
                                                         {Operand::immediate(0xffff'ffff)});
      }
      if (!is_terminator(instruction) || leaves_function(instruction)) continue;
      if (later == 0) {
        instruction = plain(Operation::exit);
      } else if (instruction.operation == Operation::branch) {
        instruction.target = block + 1 + instruction.target % later;
      } else {
        for (BlockIndex& target : function.branch_tables[instruction.target]) {
          target = block + 1 + target % later;
        }
      }
    }
  }
}

Hierarchy random_hierarchy(std::mt19937& random) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.operand_entries = random() % 9;
  hierarchy.last_result = static_cast<LastResultFile>(random() % 3);
  hierarchy.result_levels = static_cast<ResultLevels>(random() % 3);
  hierarchy.partial_ranges = random() % 4 != 0;
  hierarchy.read_operands = random() % 4 != 0;
  hierarchy.forward_branches = random() % 4 != 0;
  hierarchy.suspension_ends_strands = random() % 4 != 0;
  hierarchy.barriers_end_strands = random() % 2 != 0;
  hierarchy.shortened_order = static_cast<ShortenedOrder>(random() % 3);
  hierarchy.long_results_only_main = random() % 4 != 0;
  return hierarchy;
}

TEST(RandomPlacements, AreCorrectUnderRandomHierarchies) {
  std::mt19937 random(3);
  ReadCounts counts;
  const std::uint32_t seeds = gpu::test::kSanitized ? 500 : 3000;
  for (std::uint32_t seed = 0; seed < seeds && !::testing::Test::HasFailure(); ++seed) {
    const RandomShape shape{.blocks = 1 + seed % 9,
                            .instructions = 3 + seed % 13,
                            .narrow = 3 + seed % 7,
                            .wide = 1 + seed % 3,
                            .predicates = 3,
                            .calls = seed % 5 == 0};
    const Hierarchy hierarchy = random_hierarchy(random);
    Function function = allocated_function(seed, shape);
    if (seed % 3 != 0) make_forward(function, random);
    const Program program = place_and_assemble(function, hierarchy);
    SCOPED_TRACE(seed);
    expect_correct(program, hierarchy);
    const ReadCounts more = reads_of(program);
    counts.main += more.main;
    counts.operand += more.operand;
    counts.last_result += more.last_result;
  }
  EXPECT_GT(counts.operand, counts.main / 4);
  EXPECT_GT(counts.last_result, counts.main / 20);
}

}  // namespace
}  // namespace heddle::code::testing
