// Compares liveness with its definition: a value is live where some path reads it before it is
// written without a guard.

#include "code/liveness.h"

#include <gtest/gtest.h>

#include "code/allocate/allocate.h"
#include "code/allocate/live_ranges.h"
#include "code/effects.h"
#include "code/random_function.h"

namespace heddle::code {
namespace {

bool reads(const Instruction& instruction, std::uint32_t value, const ValueNumbering& values) {
  bool found = instruction.guard.present() && values.number_of(instruction.guard) == value;
  for_each_read(instruction, [&](const Operand& operand) {
    found = found || values.number_of(operand) == value;
  });
  return found;
}

bool writes(const Instruction& instruction, std::uint32_t value, const ValueNumbering& values) {
  bool found = false;
  for_each_written(instruction, [&](const Operand& operand) {
    found = found || values.number_of(operand) == value;
  });
  return found;
}

/// Whether some path from the start of `block` reads the value before an unguarded write.
bool may_read(const Function& function, const Graph& graph, BlockIndex block, std::uint32_t value,
              const ValueNumbering& values) {
  std::vector<bool> seen(graph.size());
  std::vector<BlockIndex> work{block};
  seen[block] = true;
  while (!work.empty()) {
    const BlockIndex at = work.back();
    work.pop_back();
    bool continues = true;
    for (const Instruction& instruction : function.blocks[at].instructions) {
      if (reads(instruction, value, values)) return true;
      if (!instruction.guard.present() && writes(instruction, value, values)) {
        continues = false;
        break;
      }
    }
    if (!continues) continue;
    for (const BlockIndex next : graph.successors(at)) {
      if (!seen[next]) {
        seen[next] = true;
        work.push_back(next);
      }
    }
  }
  return false;
}

TEST(Liveness, CoversEveryReadingPathInRandomFunctions) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    testing::RandomShape shape;
    shape.instructions = 4;
    const Function function = testing::RandomFunction(seed, shape).make();
    const ValueNumbering values(function);
    const Graph graph = control_flow_of(function);
    const Liveness liveness(function, graph);
    const std::vector<std::uint32_t> order = graph.reverse_post_order(0);
    for (const BlockIndex block : order) {
      if (block == 0) continue;
      for (std::uint32_t value = 0; value < values.count(); ++value) {
        // Random functions write every value in block 0, so that all can be live.
        const bool read = may_read(function, graph, block, value, values);
        ASSERT_TRUE(!read || liveness.is_live_in(block, value)) << "seed " << seed;
      }
    }
  }
}

TEST(Liveness, SpansFromWriteToLastRead) {
  // address = 1; first = 1; second = first + first; store [address] = second. Instruction i reads
  // at position 2i and writes at 2i + 1 (see Segment).
  Function function;
  const std::uint32_t first = function.new_register();
  const std::uint32_t second = function.new_register();
  const std::uint32_t address = function.new_register(2);
  function.blocks.resize(1);
  Instruction move;
  move.operation = Operation::move;
  move.type = ValueType::b32;
  move.destinations.push_back(Operand::reg(first));
  move.sources.push_back(Operand::immediate(1));
  Instruction add;
  add.operation = Operation::add;
  add.type = ValueType::s32;
  add.destinations.push_back(Operand::reg(second));
  add.sources.push_back(Operand::reg(first));
  add.sources.push_back(Operand::reg(first));
  Instruction wide = move;
  wide.type = ValueType::b64;
  wide.destinations[0] = Operand::reg(address, 2);
  Instruction store;
  store.operation = Operation::store;
  store.type = ValueType::u32;
  store.sources.push_back(Operand::reg(address, 2));
  store.sources.push_back(Operand::reg(second));
  function.blocks[0].instructions = {wide, move, add, store};
  const LiveRanges ranges(function, ValueNumbering(function));
  EXPECT_EQ(ranges.by_value[address], (Segments{{1, 7}}));
  EXPECT_EQ(ranges.by_value[first], (Segments{{3, 5}}));
  EXPECT_EQ(ranges.by_value[second], (Segments{{5, 7}}));
}

TEST(Liveness, BeginsAtFirstOfComplementaryGuardedWrites) {
  Function function;
  const std::uint32_t value = function.new_register();
  const std::uint32_t predicate = function.new_predicate();
  function.blocks.resize(1);
  Instruction test;
  test.operation = Operation::predicate_move;
  test.type = ValueType::pred;
  test.destinations.push_back(Operand::predicate(predicate));
  test.sources.push_back(Operand::immediate(1));
  Instruction yes;
  yes.operation = Operation::move;
  yes.type = ValueType::b32;
  yes.guard = {predicate, false};
  yes.destinations.push_back(Operand::reg(value));
  yes.sources.push_back(Operand::immediate(1));
  Instruction no = yes;
  no.guard.negated = true;
  Instruction use = yes;
  use.operation = Operation::warp_sync;
  use.guard = {};
  use.destinations.clear();
  use.sources[0] = Operand::reg(value);
  function.blocks[0].instructions = {test, test, test, yes, no, use};
  const LiveRanges ranges(function, ValueNumbering(function));
  EXPECT_EQ(ranges.by_value[value], (Segments{{7, 11}}));
}

TEST(Liveness, MarksLastReadOfRegister) {
  Function function;
  const std::uint32_t a = function.new_register();
  const std::uint32_t b = function.new_register();
  function.blocks.resize(1);
  Instruction read;
  read.operation = Operation::read_special;
  read.type = ValueType::u32;
  read.destinations.push_back(Operand::reg(a));
  Instruction add;
  add.operation = Operation::add;
  add.type = ValueType::s32;
  add.destinations.push_back(Operand::reg(b));
  add.sources.push_back(Operand::reg(a));
  add.sources.push_back(Operand::immediate(1));
  Instruction sync;
  sync.operation = Operation::warp_sync;
  sync.sources.push_back(Operand::reg(b));
  Instruction again = sync;
  again.sources[0] = Operand::reg(a);
  function.blocks[0].instructions = {read, add, again, sync};
  allocate(function);
  const auto& instructions = function.blocks[0].instructions;
  EXPECT_FALSE(instructions[1].sources[0].last_use);
  EXPECT_TRUE(instructions[2].sources[0].last_use);
  EXPECT_TRUE(instructions[3].sources[0].last_use);
}

}  // namespace
}  // namespace heddle::code
