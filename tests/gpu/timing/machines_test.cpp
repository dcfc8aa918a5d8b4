// The unloaded latencies of built-in machines agree with docs/machines/values.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "gpu/timing/probe.h"
#include "memory/dram/address_map.h"

namespace heddle::gpu::test {
namespace {

/// The documented latencies of a machine, in core cycles.
struct Latencies {
  std::string machine;
  std::uint32_t alu, special, shared, l1_hit;
  std::uint32_t l2_hit;  ///< 0 without an L2.
  std::uint32_t closed, row_hit, conflict;
};

const Latencies kDocumented[] = {
    {"large-warps", 7, 10, 7, 7, 0, 206, 106, 306},
    {"storage", 8, 20, 20, 20, 0, 400, 400, 400},
    {"unified", 8, 20, 20, 20, 0, 400, 400, 400},
    {"uniform", 4, 40, 38, 38, 200, 440, 421, 456},
    {"ilp", 10, 13, 10, 10, 50, 110, 105, 114},
    {"ilp-650", 10, 13, 10, 10, 100, 220, 210, 228},
    {"ilp-1300", 10, 13, 10, 10, 200, 440, 421, 456},
    {"coarse", 18, 28, 38, 80, 286, 602, 581, 619},
    {"warpman", 9, 15, 19, 40, 143, 301, 292, 310},
    {"warpman-1400", 18, 29, 38, 80, 286, 602, 584, 620},
    {"preexec", 9, 14, 19, 40, 200, 440, 431, 449},
};

/// The machine with one multiprocessor and an instruction cache that always hits.
Machine machine_with_one_sm(const std::string& name) {
  return load_machine(name, {"chip.sms=1", "icache.bytes=0"});
}

/// Cycles per instruction of a chain of dependent `link` instructions, from the difference between
/// a chain of four and a chain of two.
double per_link(const Machine& machine, Probe probe, const std::string& link) {
  std::vector<std::uint32_t> cycles;
  for (const int length : {2, 4}) {
    probe.body = clock(0) + repeat(length, link) + clock(1);
    cycles.push_back(ProbeRun(probe, machine).cycles());
  }
  return (cycles[1] - cycles[0]) / 2.0;
}

const std::string kFollow = "@%p1 ld.global.u64 %rd10, [%rd10];\n";

/// Cycles per load along a path of `places` addresses, each of which holds the next one. `before`
/// is code that prepares the memory. Half a warp loads, because some machines serve only half a
/// warp at a time.
double per_load(const Machine& machine, const std::string& before, std::uint32_t places,
                const std::function<std::uint64_t(std::uint64_t, std::uint32_t)>& address) {
  const auto pointers = [&](std::uint64_t data) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (std::uint32_t i = 0; i + 1 < places; ++i) {
      pairs.emplace_back(address(data, i), address(data, i + 1));
    }
    return pairs;
  };
  return per_link(machine,
                  {.setup = "setp.lt.u32 %p1, %lane, 16;\nmov.u64 %rd10, %start;\n"
                            "mov.u64 %rd11, %start;\n" +
                            before,
                   .body = "",
                   .keep = {"%rd10", "%rd11", "%r9"},
                   .pointers = pointers},
                  kFollow);
}

/// Addresses by bank and row of one channel, in rows that nothing has accessed before.
struct Banks {
  explicit Banks(const Machine& machine) : map(address_map(machine.memory)) {}
  /// The address in the given bank, counted after the bank that a probe accesses before its
  /// measurement.
  std::uint64_t address(std::uint64_t data, std::uint32_t bank, std::uint32_t row,
                        std::uint32_t line) const {
    const memory::DramLocation avoid = map.locate(ProbeRun::sink_of(data));
    const std::uint32_t banks = map.parameters().banks;
    return map.address_of({.channel = avoid.channel,
                           .bank = (avoid.bank + 1 + bank) % banks,
                           .row = map.locate(data).row + 1 + row,
                           .offset_in_row = line * 128});
  }
  memory::AddressMap map;
};

void PrintTo(const Latencies& latencies, std::ostream* out) { *out << latencies.machine; }

class DocumentedLatencies : public testing::TestWithParam<Latencies> {};

TEST_P(DocumentedLatencies, MatchArithmetic) {
  const Machine machine = machine_with_one_sm(GetParam().machine);
  EXPECT_EQ(
      per_link(machine, {.setup = "mul.lo.u32 %r10, %lane, 3;\n", .body = "", .keep = {"%r10"}},
               "mad.lo.u32 %r10, %r10, %r10, 7;\n"),
      GetParam().alu);
  EXPECT_EQ(
      per_link(machine, {.setup = "ld.global.f32 %f10, [%data];\n", .body = "", .keep = {"%f10"}},
               "ex2.approx.f32 %f10, %f10;\n"),
      GetParam().special);
}

TEST_P(DocumentedLatencies, MatchSharedMemory) {
  EXPECT_EQ(per_link(machine_with_one_sm(GetParam().machine),
                     {.setup = "mov.u32 %r10, word;\nst.shared.u32 [%r10], %r10;\n",
                      .body = "",
                      .keep = {"%r10"},
                      .declarations = ".shared .align 16 .b8 word[16];\n"},
                     "ld.shared.u32 %r10, [%r10];\n"),
            GetParam().shared);
}

TEST_P(DocumentedLatencies, MatchL1Hits) {
  // There are as many active lanes as a line holds pointers. Each lane follows its own pointer.
  const Machine machine = machine_with_one_sm(GetParam().machine);
  const std::uint32_t lanes = machine.sm.memory.l1.cache.line_bytes / 8;
  const auto pointers = [&](std::uint64_t data) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (std::uint64_t lane = 0; lane < lanes; ++lane) {
      pairs.emplace_back(data + 8 * lane, data + 8 * lane);
    }
    return pairs;
  };
  EXPECT_EQ(per_link(machine,
                     {.setup = "setp.lt.u32 %p1, %lane, " + std::to_string(lanes) +
                               ";\nmul.wide.u32 %rd10, %lane, 8;\nadd.u64 %rd10, %rd10, %start;\n"
                               "ld.global.u64 %rd11, [%start];\n",
                      .body = "",
                      .keep = {"%rd10", "%rd11"},
                      .pointers = pointers},
                     kFollow),
            GetParam().l1_hit);
}

TEST_P(DocumentedLatencies, MatchL2Hits) {
  const Machine machine = machine_with_one_sm(GetParam().machine);
  ASSERT_EQ(machine.memory.l2.present, GetParam().l2_hit != 0);
  if (!machine.memory.l2.present) return;
  // A line of the L1 may cover two lines of the L2.
  const std::string see =
      "ld.global.cg.u32 %r9, [%rd11+64];\nst.global.u32 [%result], %r9;\n"
      "ld.global.cg.u64 %rd11, [%rd11];\n";
  EXPECT_EQ(
      per_load(machine, repeat(5, see), 6,
               [](std::uint64_t data, std::uint32_t i) { return data + i * std::uint64_t{128}; }),
      GetParam().l2_hit);
}

/// If the clocks of core and memory differ, their phase may change the latency by a cycle.
void expect_near(const Machine& machine, double measured, std::uint32_t documented) {
  const bool one_clock = machine.clock.core_mhz == machine.clock.dram_mhz;
  EXPECT_LE(std::abs(measured - documented), one_clock ? 0 : 1)
      << measured << " instead of " << documented;
}

TEST_P(DocumentedLatencies, MatchClosedBanks) {
  const Machine machine = machine_with_one_sm(GetParam().machine);
  const Banks banks(machine);
  expect_near(
      machine,
      per_load(machine, "", 5,
               [&](std::uint64_t data, std::uint32_t i) { return banks.address(data, i, 0, i); }),
      GetParam().closed);
}

TEST_P(DocumentedLatencies, MatchRowHits) {
  const Machine machine = machine_with_one_sm(GetParam().machine);
  const Banks banks(machine);
  // The first load of the path opens the row, and is not measured.
  expect_near(
      machine,
      per_load(machine, "@%p1 ld.global.cg.u64 %rd10, [%rd10];\n", 6,
               [&](std::uint64_t data, std::uint32_t i) { return banks.address(data, 0, 0, i); }),
      GetParam().row_hit);
}

TEST_P(DocumentedLatencies, MatchRowConflicts) {
  const Machine machine = machine_with_one_sm(GetParam().machine);
  const Banks banks(machine);
  expect_near(machine,
              per_load(machine, "@%p1 ld.global.cg.u64 %rd10, [%rd10];\n", 6,
                       [&](std::uint64_t data, std::uint32_t i) {
                         return banks.address(data, 0, i % 2, i);
                       }),
              GetParam().conflict);
}

INSTANTIATE_TEST_SUITE_P(Machines, DocumentedLatencies, testing::ValuesIn(kDocumented),
                         [](const testing::TestParamInfo<Latencies>& machine) {
                           std::string name = machine.param.machine;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace heddle::gpu::test
