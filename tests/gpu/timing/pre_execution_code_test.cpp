// Pre-execution of textures, calls, and results in registers that the renaming tables do not have
// (docs/timing/pre-execution.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "code/program.h"
#include "gpu/timing/probe.h"
#include "gpu/traced_run.h"

namespace heddle::gpu::test {
namespace {

Machine machine_with(const Settings& more = {}) {
  return machine_of(kPlain +
                    Settings{"lookahead.policy=pre-execution", "isa.scheduling=no",
                             "lookahead.queue_entries=32", "units.integer.latency=10"} +
                    more);
}

/// A kernel with the parameters `data` and `texture`. `code` may use %lane and %l1, the address of
/// the data.
std::string kernel_of(const std::string& code, const std::string& functions = "") {
  return R"(
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .b8 out[128];
)" + functions +
         R"(
.visible .entry wait(.param .u64 data, .param .u64 texture)
{
  .reg .b64 %l<4>;
  .reg .b32 %r<200>, %lane;
  .reg .f32 %f<8>;
  .reg .pred %p<4>;
  mov.u32 %lane, %tid.x;
  ld.param.u64 %l1, [data];
  ld.param.u64 %l2, [texture];
)" + code +
         "ret;\n}\n";
}

/// The instructions that have issued ahead, by program counter.
std::set<std::uint32_t> issued_ahead(TraceText& trace) {
  std::set<std::uint32_t> pcs;
  for (const TracedEvent& event : trace.events()) {
    if (event.event == "issue_ahead")
      pcs.insert(static_cast<std::uint32_t>(std::stoul(event.pc.substr(2))));
  }
  return pcs;
}

/// The program counters of instructions with this operation.
std::set<std::uint32_t> find_all(const code::Program& program, code::Operation operation) {
  std::set<std::uint32_t> pcs;
  for (std::uint32_t pc = 0; pc < program.instructions.size(); ++pc) {
    if (program.instructions[pc].operation == operation) pcs.insert(pc);
  }
  return pcs;
}

TEST(PreExecutionCode, SkipsTexturesAndRunsAheadWhileItWaitsForThem) {
  // The kernel waits for the load, and then for the texture.
  const std::string code = R"(
  mad.wide.u32 %l3, %lane, 4, %l1;
  ld.global.u32 %r1, [%l1];
  add.u32 %r2, %r1, 5;
  tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%l2, {%lane}];
  add.f32 %f4, %f0, 0f3F800000;
  mul.lo.u32 %r3, %lane, 77;
  st.global.u32 [%l3+4096], %r2;
  st.global.f32 [%l3+8192], %f4;
  st.global.u32 [%l3+12288], %r3;
)";
  TraceText trace;
  ChipRun run(kernel_of(code), machine_with(), {.trace = trace.trace()});
  exec::ArrayStorage array(run.device().memory(), {.width = 32},
                           {exec::ChannelKind::floating, 32, 1});
  std::vector<float> texels(32);
  std::iota(texels.begin(), texels.end(), 0.5F);
  array.write_row(std::as_bytes(std::span<const float>(texels)), 0, 0, 0);
  const std::uint64_t texture =
      run.device().textures().create_texture(exec::ArrayResource{&array}, {});
  const device::DevicePointer data = run.zeros<std::uint32_t>(8192);
  run.launch("wait", {1}, {32}, data, texture);

  const auto sums = run.download<float>(data + 8192, 32);
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(sums[lane], texels[lane] + 1);
  EXPECT_EQ(run.counter("lookahead.contexts"), 2U);
  const std::set<std::uint32_t> ahead = issued_ahead(trace);
  for (const std::uint32_t pc : find_all(run.program(), code::Operation::texture))
    EXPECT_FALSE(ahead.contains(pc)) << "at " << pc;
  // Both waits execute the multiplication, which is reused after the second.
  EXPECT_EQ(run.counter("lookahead.reused"), 1U);
  EXPECT_EQ(run.counter("lookahead.dropped"), 1U);
}

TEST(PreExecutionCode, FollowsCallsAndReusesResultsOfTheFunction) {
  const std::string function = R"(
.func follow()
{
  .reg .b32 %k<3>;
  mov.u32 %k0, %tid.x;
  mul.lo.u32 %k1, %k0, %k0;
  st.volatile.global.u32 [out], %k1;
  ret;
}
)";
  const std::string code = R"(
  call follow;
  ld.global.u32 %r1, [%l1];
  add.u32 %r2, %r1, 5;
  call follow;
  mov.u32 %r4, %laneid;
  mul.lo.u32 %r3, %r4, 77;
  st.global.u32 [%l1], %r2;
  st.global.u32 [%l1+4], %r3;
)";
  TraceText trace;
  ChipRun run(kernel_of(code, function), machine_with(), {.trace = trace.trace()});
  run.launch("wait", {1}, {32}, run.zeros<std::uint32_t>(4096), std::uint64_t{0});
  const std::set<std::uint32_t> ahead = issued_ahead(trace);
  const std::set<std::uint32_t> calls = find_all(run.program(), code::Operation::call);
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_FALSE(ahead.contains(*calls.begin())) << "it is before the wait";
  EXPECT_TRUE(ahead.contains(*calls.rbegin()));
  // One multiplication is in the function, and one after the call. Each needs a special register.
  const std::set<std::uint32_t> products = find_all(run.program(), code::Operation::mul_lo);
  ASSERT_EQ(products.size(), 2U);
  for (const std::uint32_t pc : products) EXPECT_TRUE(ahead.contains(pc)) << "at " << pc;
  EXPECT_EQ(run.counter("lookahead.reused"), 4U);
  EXPECT_EQ(run.counter("lookahead.wrong_results"), 0U);
}

TEST(PreExecutionCode, SkipsResultsInRegistersThatTheTablesDoNotHave) {
  // 80 values are live, %r100 to %r179, of which 60 change. More instructions would not be in reach
  // of the queue. A branch that needs the data ends P-mode behind the minimums.
  constexpr int kValues = 80;
  constexpr int kChanged = 60;
  const auto values = [](int count, const std::string& text) {
    std::string all;
    for (int i = 179; i > 179 - count; --i)
      for (const char c : text) all += c == '#' ? std::to_string(i) : std::string(1, c);
    return all;
  };
  const std::string code = values(kValues, "mul.lo.u32 %r#, %lane, #7;\n") +
                           "ld.global.u32 %r1, [%l1];\nadd.u32 %r2, %r1, 5;\n" +
                           values(kChanged, "min.u32 %r#, %r#, 99;\n") +
                           "setp.gt.u32 %p1, %r2, 7;\n@%p1 bra END;\n"
                           "st.global.u32 [%l1+4], %r2;\nEND:\n" +
                           values(kValues, "st.volatile.global.u32 [%l1+8], %r#;\n");
  TraceText trace;
  ChipRun run(kernel_of(code), machine_with({"isa.predication=no"}), {.trace = trace.trace()});
  run.launch("wait", {1}, {32}, run.zeros<std::uint32_t>(4096), std::uint64_t{0});
  const std::set<std::uint32_t> minimums = find_all(run.program(), code::Operation::min);
  ASSERT_EQ(minimums.size(), std::size_t{kChanged});
  std::set<std::uint32_t> expected;
  for (const std::uint32_t pc : minimums) {
    if (run.program().instructions[pc].destinations[0].index < 63) expected.insert(pc);
  }
  ASSERT_GT(expected.size(), 32U);
  ASSERT_LT(expected.size(), minimums.size());
  EXPECT_EQ(issued_ahead(trace), expected);
  EXPECT_EQ(run.counter("lookahead.reused"), 32U) << "all that the queue has space for";
}

}  // namespace
}  // namespace heddle::gpu::test
