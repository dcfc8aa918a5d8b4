// The transactions of accesses with different address patterns. Each transaction takes one cycle of
// the L1.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <set>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kHit = 2 + 20;

/// An address pattern: the offset of each lane's access, and the bytes that a lane accesses.
struct Shape {
  std::string name;
  std::function<std::uint32_t(std::uint32_t lane)> offset;
  std::uint32_t bytes = 4;
};

std::string load(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return "ld.global.u8 %r1, [%rd1];\n";
    case 8:
      return "ld.global.v2.u32 {%r1, %r2}, [%rd1];\n";
    case 16:
      return "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\n";
    default:
      return "ld.global.u32 %r1, [%rd1];\n";
  }
}

/// A table in constant memory with the offset of each lane.
std::string table_of(const Shape& shape) {
  std::string text = ".const .align 4 .u32 offsets[32] = {";
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    text += (lane == 0 ? "" : ", ") + std::to_string(shape.offset(lane));
  }
  return text + "};\n";
}

ProbeRun run(const Shape& shape, const Settings& settings, const std::string& guard = "") {
  const std::string take =
      "mov.u64 %rd2, offsets;\nmul.wide.u32 %rd3, %lane, 4;\nadd.u64 %rd2, %rd2, %rd3;\n"
      "ld.const.u32 %r20, [%rd2];\ncvt.u64.u32 %rd1, %r20;\nadd.u64 %rd1, %rd1, %data;\n";
  // All lines that lanes can access are in the L1 before the measurement.
  const std::string warm =
      "mul.wide.u32 %rd4, %lane, 128;\nadd.u64 %rd4, %rd4, %data;\nld.global.u32 %r40, [%rd4];\n";
  return ProbeRun(
      {.setup = take + warm +
                "and.b32 %r21, %lane, 1;\nsetp.eq.u32 %p1, %r21, 0;\n"
                "mad.lo.u32 %r1, %lane, 3, %thread;\n",
       .body = clock(0) + guard + load(shape.bytes) + "add.u32 %r5, %r1, 5;\n" + clock(1),
       .keep = Settings{"%r2", "%r3", "%r4", "%r5", "%r40"},
       .declarations = table_of(shape)},
      Settings{"lsu.address_cycles=2", "l1.latency=20", "l1.bytes=65536"} + settings);
}

/// Expects that a load with this pattern causes `transactions` transactions, as its counter and its
/// latency show.
void expect(std::uint32_t transactions, const Shape& shape, const Settings& settings = {},
            const std::string& guard = "") {
  // The setup's transactions are the same in the reference run.
  const ProbeRun with = run(shape, settings, guard);
  const Shape one_address{"one address", [](std::uint32_t) { return 0U; }};
  const ProbeRun reference = run(one_address, settings, guard);
  const std::uint64_t groups = settings.empty() || settings.front() != "coalescer.group=16" ? 1 : 2;
  EXPECT_EQ(with.counter("lsu.load_segments") - reference.counter("lsu.load_segments") + groups,
            transactions)
      << shape.name;
  EXPECT_EQ(with.cycles(), 1 + kHit + transactions - 1 + 1) << shape.name;
}

Shape stride(std::uint32_t words) {
  return {"stride of " + std::to_string(words) + " words",
          [words](std::uint32_t lane) { return 4 * words * lane; }};
}

const Shape kUnit = stride(1);
const Shape kMisaligned{"unit stride, 4 bytes off",
                        [](std::uint32_t lane) { return 4 + 4 * lane; }};
const Shape kReversed{"reversed", [](std::uint32_t lane) { return 4 * (31 - lane); }};
const Shape kShuffled{"shuffled in a line",
                      [](std::uint32_t lane) { return 4 * (lane * 13 % 32); }};
const Shape kBytes{"bytes", [](std::uint32_t lane) { return lane; }, 1};
const Shape kDoubles{"8 bytes a lane", [](std::uint32_t lane) { return 8 * lane; }, 8};
const Shape kQuads{"16 bytes a lane", [](std::uint32_t lane) { return 16 * lane; }, 16};

TEST(CoalescedTransactions, MatchSegmentsOf128Bytes) {
  expect(1, kUnit);
  expect(2, stride(2));
  expect(4, stride(4));
  expect(32, stride(32));
  expect(2, kMisaligned);
  expect(1, kReversed);
  expect(1, kShuffled);
  expect(1, kBytes);
  expect(2, kDoubles);
  expect(4, kQuads);
}

TEST(CoalescedTransactions, MatchSegmentsOf64Bytes) {
  const Settings small{"coalescer.segment_bytes=64"};
  expect(2, kUnit, small);
  expect(4, stride(2), small);
  expect(8, stride(4), small);
  expect(32, stride(32), small);
  expect(3, kMisaligned, small);
  expect(2, kReversed, small);
  expect(1, kBytes, small);
  expect(4, kDoubles, small);
  expect(8, kQuads, small);
}

TEST(CoalescedTransactions, MatchSegmentsOf32Bytes) {
  const Settings small{"coalescer.segment_bytes=32"};
  expect(4, kUnit, small);
  expect(8, stride(2), small);
  expect(5, kMisaligned, small);
  expect(16, kQuads, small);
}

TEST(CoalescedTransactions, AreNotSharedByHalfWarps) {
  const Settings halves{"coalescer.group=16"};
  expect(2, kUnit, halves);
  expect(2, stride(2), halves);
  expect(32, stride(32), halves);
  // The upper half's first segment is the lower half's last.
  expect(3, kMisaligned, halves);
}

TEST(CoalescedTransactions, IgnoreInactiveLanes) {
  // Every other lane is active: 16 of the 32 segments.
  expect(16, stride(32), {}, "@%p1 ");
}

TEST(CoalescedTransactions, MatchSegmentsThatRandomAddressesTouch) {
  std::minstd_rand random(7);
  for (const std::uint32_t range : {64U, 256U, 1024U}) {
    std::vector<std::uint32_t> offsets;
    std::set<std::uint32_t> segments;
    for (int lane = 0; lane < 32; ++lane) {
      offsets.push_back(static_cast<std::uint32_t>(random() % range) * 4);
      segments.insert(offsets.back() / 128);
    }
    expect(static_cast<std::uint32_t>(segments.size()),
           {"random in " + std::to_string(range) + " words",
            [&](std::uint32_t lane) { return offsets[lane]; }});
  }
}

TEST(CoalescedTransactions, AreAsManyForStoresAsForLoads) {
  for (const auto& [text, transactions] :
       {std::pair<std::string, std::uint64_t>{"4", 1}, {"8", 2}, {"128", 32}}) {
    const ProbeRun run(
        {.setup = "mul.wide.u32 %rd1, %lane, " + text + ";\nadd.u64 %rd1, %rd1, %result;\n",
         .body = clock(0) + "st.global.u32 [%rd1], %lane;\n" + clock(1)});
    // The two clocks and the kept value add three stores.
    EXPECT_EQ(run.counter("lsu.store_segments"), transactions + 3);
  }
}

TEST(CoalescedTransactions, CombineLocalWordsOfAllLanes) {
  const ProbeRun run(
      {.setup = "mov.u64 %rd1, frame;\nld.global.u32 %r5, [%data];\n"
                "mul.wide.u32 %rd2, %r5, 4;\nadd.u64 %rd1, %rd1, %rd2;\n",
       .body = clock(0) + "st.local.u32 [%rd1], %lane;\nld.local.u32 %r1, [%rd1];\n" + clock(1),
       .keep = {"%r1"},
       .declarations = "",
       .locals = ".local .align 16 .b8 frame[256];\n"});
  EXPECT_EQ(run.counter("lsu.local_loads"), 1);
  EXPECT_EQ(run.counter("lsu.local_stores"), 1);
  // The setup loads the data once, the probe loads twice before the measurement, and the local load
  // takes one line.
  EXPECT_EQ(run.counter("lsu.load_segments"), 4);
}

}  // namespace
}  // namespace heddle::gpu::test
