// Instructions that touch state shared by all multiprocessors: the device's output, its heap,
// surfaces, and asynchronous copies from global memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "exec/texture/array_storage.h"
#include "exec/texture/texture_unit.h"
#include "gpu/chip_run.h"
#include "gpu/divergence_setups.h"
#include "gpu/language_program.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

struct Outcome : LanguageOutput {
  KernelRun run{};
  std::vector<CounterName> counters{};
};

Outcome run_timed(const std::string& name, std::uint32_t threads) {
  Chip chip(machine_of({"chip.sms=4", "sm.blocks=2"}), {.threads = threads});
  const LanguageOutput output = run_language_program(name, &chip);
  return {output, chip.runs().back(), chip.counters()};
}

class ChipWideState : public testing::TestWithParam<std::string> {};

TEST_P(ChipWideState, MatchesFunctionalRunForAnyNumberOfHostThreads) {
  const LanguageOutput untimed = run_language_program(GetParam(), nullptr);
  const Outcome first = run_timed(GetParam(), 1);
  EXPECT_EQ(first.out, untimed.out);
  // Blocks print in the order of simulated time; each block's text is the same.
  std::string timed_text = first.printed;
  std::string untimed_text = untimed.printed;
  std::sort(timed_text.begin(), timed_text.end());
  std::sort(untimed_text.begin(), untimed_text.end());
  EXPECT_EQ(timed_text, untimed_text);
  for (const std::uint32_t threads : host_threads({2, 4})) {
    const Outcome again = run_timed(GetParam(), threads);
    EXPECT_EQ(again.out, first.out);
    EXPECT_EQ(again.printed, first.printed);
    EXPECT_EQ(difference(again.run, first.run, first.counters), "");
  }
}

INSTANTIATE_TEST_SUITE_P(, ChipWideState,
                         testing::Values("printing", "device_heap", "async_copy", "fences",
                                         "global_atomics", "cooperative", "recursion",
                                         "local_arrays", "spaces", "stack_allocation"),
                         [](const auto& tested) { return tested.param; });

TEST_P(ChipWideState, CountsIssuedPassesUnderEveryDivergencePolicy) {
  for (const DivergenceSetup& setup : divergence_setups()) {
    SCOPED_TRACE(setup.name());
    Chip chip(setup.load());
    run_language_program(GetParam(), &chip);
    const KernelRun& run = chip.runs().back();
    EXPECT_EQ(counter_of(run, chip.counters(), "scheduler.selected"), run.warp_instructions);
    EXPECT_EQ(sum_of(run, chip.counters(), "lanes."), run.warp_instructions);
  }
}

TEST(ChipWidePrinting, BlocksPrintInOrderOfTheirMultiprocessors) {
  // Multiprocessors run independently for one epoch at a time. Latencies of 5000 cycles make an
  // epoch so long that all blocks print in the same one.
  constexpr const char* kPrints = R"(
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[8] = {98, 108, 111, 99, 107, 37, 100, 0};
.visible .entry k()
{
  .local .align 8 .b8 stack[8];
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .reg .pred %p<4>;
  mov.u32 %r1, %ctaid.x;
  sub.u32 %r2, 5, %r1;
LOOP:
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra PRINT;
  sub.u32 %r2, %r2, 1;
  bra LOOP;
PRINT:
  mov.u64 %rd1, stack;
  cvta.local.u64 %rd2, %rd1;
  st.local.u32 [%rd1], %r1;
  mov.u64 %rd3, text;
  cvta.global.u64 %rd3, %rd3;
  {
  .param .b64 f;
  .param .b64 a;
  .param .b32 r;
  st.param.b64 [f], %rd3;
  st.param.b64 [a], %rd2;
  call.uni (r), vprintf, (f, a);
  }
  ret;
}
)";
  for (const std::uint32_t threads : {1U, 4U}) {
    std::string printed;
    Chip chip(machine_of({"chip.sms=6", "interconnect.latency=5000", "dispatch.latency=5000"}),
              {.threads = threads});
    device::Device device({.engine = &chip, .print = [&](std::string_view t) { printed += t; }});
    const device::LoadedModule& module = device.load({{.file = "test.ptx", .text = kPrints}});
    device.launch_with(device.find_kernel(module, "k"), {.grid = {6}, .block = {1}});
    EXPECT_EQ(printed, "block0block1block2block3block4block5");
  }
}

constexpr std::uint32_t kBlocks = 6;
constexpr std::uint32_t kThreads = 64;

/// Every thread writes its number to its own texel, then its block's number to a texel shared by
/// all blocks, then reads its own texel back.
constexpr const char* kSurfaceKernel = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 surface, .param .u64 p)
{
  .reg .b32 %r<12>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [surface];
  ld.param.u64 %rd2, [p];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r4, %tid.x;
  add.u32 %r3, %r2, 1;
  mad.lo.u32 %r1, %r2, 64, %r4;
  shl.b32 %r5, %r4, 2;
  sust.b.2d.b32.trap [%rd1, {%r5, %r3}], {%r1};
  mov.u32 %r6, 0;
  sust.b.2d.b32.trap [%rd1, {%r6, %r6}], {%r2};
  suld.b.2d.b32.trap {%r7}, [%rd1, {%r5, %r3}];
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd3, %rd2, %rd3;
  st.global.u32 [%rd3], %r7;
  ret;
}
)";

TEST(ChipWideSurfaces, ConflictingStoresHaveOneOrder) {
  std::vector<std::uint32_t> last_writers;
  std::vector<KernelRun> runs;
  for (const std::uint32_t threads : {1U, 2U, 4U}) {
    ChipRun run(kSurfaceKernel, machine_of({"chip.sms=4", "sm.blocks=1"}), {.threads = threads});
    const exec::ArrayStorage array(
        run.device().memory(), exec::ArrayShape{.width = 64, .height = kBlocks + 1},
        exec::ChannelFormat{
            .kind = exec::ChannelKind::unsigned_integer, .bits = 32, .channels = 1});
    const std::uint64_t surface = run.device().textures().create_surface(array);
    const device::DevicePointer out = run.zeros<std::uint32_t>(kBlocks * kThreads);
    runs.push_back(run.launch("k", {kBlocks}, {kThreads}, surface, out));
    const std::vector<std::uint32_t> words = run.download<std::uint32_t>(out, kBlocks * kThreads);
    for (std::uint32_t i = 0; i < words.size(); ++i) ASSERT_EQ(words[i], i);
    std::vector<std::uint32_t> row(64);
    array.read_row(std::as_writable_bytes(std::span(row)), 0, 0);
    EXPECT_LT(row[0], kBlocks);
    last_writers.push_back(row[0]);
    EXPECT_EQ(last_writers.back(), last_writers.front());
    EXPECT_EQ(difference(runs.back(), runs.front(), run.chip().counters()), "");
  }
}

}  // namespace
}  // namespace heddle::gpu::test
