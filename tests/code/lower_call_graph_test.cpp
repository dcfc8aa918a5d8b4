// Tests of the call graph: registers, stack and unsupported instructions of all functions that a
// kernel may call.

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

#include "code/call_graph.h"

namespace heddle::code {
namespace {

/// A function with these callees (indices of functions), this number of registers and this number
/// of bytes in its stack frame.
FunctionInfo function(std::string name, std::vector<std::uint32_t> callees, std::uint32_t registers,
                      std::uint32_t frame) {
  FunctionInfo info;
  info.name = std::move(name);
  info.callees = std::move(callees);
  info.registers = registers;
  info.predicates = registers / 10;
  info.frame_bytes = frame;
  return info;
}

TEST(CallGraph, GivesKernelMaximumRegistersAndDeepestStack) {
  Program program;
  program.functions = {function("k", {1, 2}, 20, 16), function("f", {3}, 30, 48),
                       function("g", {}, 10, 112), function("h", {}, 50, 32)};
  summarise(program);
  EXPECT_EQ(program.functions[0].registers_per_thread, 50U);
  EXPECT_EQ(program.functions[0].predicates_per_thread, 5U);
  EXPECT_EQ(program.functions[0].local_bytes, 16U + 112U);  // g alone is deeper than f and h.
  EXPECT_EQ(program.functions[1].local_bytes, 48U + 32U);
  EXPECT_EQ(program.functions[2].registers_per_thread, 10U);
  EXPECT_FALSE(program.functions[0].stack_unbounded);
}

TEST(CallGraph, MarksStackUnboundedForCallersOfRecursion) {
  Program program;
  program.functions = {function("k", {1}, 1, 16), function("even", {2}, 1, 32),
                       function("odd", {1, 3}, 1, 48), function("leaf", {}, 1, 64),
                       function("self", {4}, 1, 16)};
  summarise(program);
  EXPECT_TRUE(program.functions[0].stack_unbounded);
  EXPECT_TRUE(program.functions[1].stack_unbounded);
  EXPECT_TRUE(program.functions[2].stack_unbounded);
  EXPECT_FALSE(program.functions[3].stack_unbounded);
  EXPECT_TRUE(program.functions[4].stack_unbounded);
  EXPECT_EQ(program.functions[0].local_bytes, 16U + 32U + 48U + 64U);
}

TEST(CallGraph, LetsIndirectCallReachAddressTakenFunctions) {
  Program program;
  program.functions = {function("k", {}, 8, 0), function("taken", {3}, 40, 16),
                       function("other", {}, 90, 512), function("deep", {}, 44, 16)};
  program.functions[0].calls_indirectly = true;
  program.functions[0].is_kernel = true;
  program.functions[3].unsupported.push_back({.message = "no"});
  Variable table;
  table.addresses.push_back({.is_function = true, .symbol = 1});
  program.variables.push_back(table);
  summarise(program);
  EXPECT_EQ(program.functions[0].registers_per_thread, 44U);
  EXPECT_EQ(program.functions[0].local_bytes, 32U);
  EXPECT_TRUE(program.functions[0].stack_unbounded);
  ASSERT_EQ(program.functions[0].unsupported.size(), 1U);
  EXPECT_EQ(program.functions[0].unsupported[0].message, "no");
  EXPECT_TRUE(program.functions[2].unsupported.empty());
}

TEST(CallGraph, CountsAddressesTakenByInstructions) {
  Program program;
  program.functions = {function("k", {}, 8, 0), function("f", {}, 12, 0)};
  program.functions[0].calls_indirectly = true;
  Instruction move;
  Operand address;
  address.kind = Operand::Kind::function;
  address.index = 1;
  move.sources.push_back(address);
  program.instructions.push_back(move);
  summarise(program);
  EXPECT_EQ(program.functions[0].registers_per_thread, 12U);
}

TEST(CallGraph, AgreesWithTransitiveClosureOnRandomGraphs) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t count = 1 + random() % 12;
    std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count, false));
    Program program;
    for (std::uint32_t f = 0; f < count; ++f) {
      std::set<std::uint32_t> callees;
      for (std::uint32_t n = random() % 3; n > 0; --n) callees.insert(random() % count);
      for (const std::uint32_t callee : callees) reaches[f][callee] = true;
      program.functions.push_back(
          function("", {callees.begin(), callees.end()}, random() % 200, 16));
      program.functions.back().calls_indirectly = random() % 6 == 0;
    }
    Variable table;
    for (std::uint32_t n = random() % 3; n > 0; --n) {
      table.addresses.push_back(
          {.is_function = true, .symbol = static_cast<std::uint32_t>(random() % count)});
    }
    program.variables.push_back(table);
    for (std::uint32_t f = 0; f < count; ++f) {
      if (!program.functions[f].calls_indirectly) continue;
      for (const AddressInitialiser& taken : table.addresses) reaches[f][taken.symbol] = true;
    }
    for (std::uint32_t via = 0; via < count; ++via) {
      for (std::uint32_t a = 0; a < count; ++a) {
        for (std::uint32_t b = 0; b < count; ++b) {
          if (reaches[a][via] && reaches[via][b]) reaches[a][b] = true;
        }
      }
    }
    const CallGraph graph(program);
    summarise(program);
    for (std::uint32_t f = 0; f < count; ++f) {
      std::set<std::uint32_t> expected{f};
      bool cyclic = reaches[f][f] || program.functions[f].calls_indirectly;
      std::uint32_t registers = program.functions[f].registers;
      for (std::uint32_t g = 0; g < count; ++g) {
        if (!reaches[f][g]) continue;
        expected.insert(g);
        cyclic |= reaches[g][g] || program.functions[g].calls_indirectly;
        registers = std::max(registers, program.functions[g].registers);
      }
      const auto reached = graph.reachable_from(f);
      EXPECT_EQ(std::set<std::uint32_t>(reached.begin(), reached.end()), expected);
      EXPECT_EQ(reached.front(), f);
      EXPECT_EQ(graph.is_recursive(f), reaches[f][f]);
      EXPECT_EQ(program.functions[f].stack_unbounded, cyclic);
      EXPECT_EQ(program.functions[f].registers_per_thread, registers);
    }
  }
}

TEST(CallGraph, KeepsEdgeCountLinearForIndirectCalls) {
  Program program;
  Variable table;
  constexpr std::uint32_t kCount = 100'000;
  for (std::uint32_t f = 0; f < kCount; ++f) {
    program.functions.push_back(function("", {}, f % 100, 16));
    program.functions.back().calls_indirectly = true;
    table.addresses.push_back({.is_function = true, .symbol = f});
  }
  program.variables.push_back(table);
  const CallGraph graph(program);
  std::size_t edges = 0;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) edges += graph.callees(node).size();
  EXPECT_EQ(edges, 2 * kCount);
  EXPECT_EQ(graph.reachable_from(0).size(), kCount);
  summarise(program);
  EXPECT_EQ(program.functions[0].registers_per_thread, 99U);
}

TEST(CallGraph, HandlesLongCallChainWithoutRecursion) {
  Program program;
  constexpr std::uint32_t kCount = 200'000;
  for (std::uint32_t f = 0; f < kCount; ++f) {
    program.functions.push_back(function(
        "", f + 1 < kCount ? std::vector<std::uint32_t>{f + 1} : std::vector<std::uint32_t>{},
        f % 100, 16));
  }
  const CallGraph graph(program);
  EXPECT_EQ(graph.components().size(), kCount + 1);  // The indirect-call node is one component.
  EXPECT_EQ(graph.components().front().front(), kCount - 1);
  EXPECT_EQ(graph.reachable_from(0).size(), kCount);
}

}  // namespace
}  // namespace heddle::code
