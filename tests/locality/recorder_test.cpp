// What a recorder measures of kernels whose accesses are known.

#include "locality/recorder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "device/ptx_text.h"
#include "exec/fault/fault.h"

namespace heddle::locality {
namespace {

using device::test::kernel_of;

/// Runs the kernel 'k' over zeroed words, and returns its locality.
KernelLocality record(const std::string& body, const Options& options, std::uint32_t grid = 1,
                      std::uint32_t block = 32, const std::string& declarations = "") {
  Recorder recorder(options);
  device::test::run(kernel_of(body, declarations), grid, block, 4096,
                    {.access_observers = &recorder});
  const std::vector<KernelLocality> kernels = recorder.kernels();
  EXPECT_EQ(kernels.size(), 1U);
  return kernels.front();
}

std::uint64_t reused(const KernelLocality& kernel, int n, int m) {
  return kernel.counts.reused(NeighbourhoodBits(n), WindowBits(m));
}

/// Each thread loads its word, and stores to it.
constexpr const char* kIncrement = R"(
  ld.global.u32 %r10, [%rd2];
  add.u32 %r10, %r10, 1;
  st.global.u32 [%rd2], %r10;
  ret;)";

TEST(Recorder, TakesLanesInAscendingOrder) {
  const KernelLocality kernel = record(kIncrement, {.accesses = AccessChoice::loads});
  EXPECT_EQ(kernel.kernel, "k");
  EXPECT_EQ(kernel.launches, 1U);
  EXPECT_EQ(kernel.streams, 1U);
  EXPECT_EQ(kernel.counts.accesses(), 32U);
  // The next lane accesses the next word: the same group of 8 bytes for every second lane.
  EXPECT_EQ(reused(kernel, 2, 14), 0U);
  EXPECT_EQ(reused(kernel, 3, 0), 16U);
  EXPECT_EQ(reused(kernel, 7, 0), 31U);
}

TEST(Recorder, ObservesLoadsStoresOrBoth) {
  EXPECT_EQ(record(kIncrement, {.accesses = AccessChoice::stores}).counts.accesses(), 32U);
  const KernelLocality all = record(kIncrement, {.accesses = AccessChoice::all});
  EXPECT_EQ(all.counts.accesses(), 64U);
  // The store of a lane follows its load after 32 accesses.
  EXPECT_EQ(reused(all, 0, 4), 0U);
  EXPECT_EQ(reused(all, 0, 5), 32U);
}

TEST(Recorder, CountsAtomicsAsLoadsAndAsStores) {
  const std::string atomic = "atom.global.add.u32 %r10, [%rd1], 1; ret;";
  for (const AccessChoice choice : {AccessChoice::loads, AccessChoice::stores, AccessChoice::all}) {
    const KernelLocality kernel = record(atomic, {.accesses = choice});
    EXPECT_EQ(kernel.counts.accesses(), 32U);
    EXPECT_EQ(reused(kernel, 0, 0), 31U);
  }
}

TEST(Recorder, DividesAccessesIntoStreams) {
  const auto streams = [](StreamKind stream) {
    return record(kIncrement, {.stream = stream}, 3, 64);
  };
  EXPECT_EQ(streams(StreamKind::warp).streams, 6U);
  EXPECT_EQ(streams(StreamKind::block).streams, 3U);
  EXPECT_EQ(streams(StreamKind::sm).streams, 1U);
  EXPECT_EQ(streams(StreamKind::chip).streams, 1U);
  // The words of neighbouring warps lie in one group of 1024 bytes. The last access of a stream is
  // never reused.
  EXPECT_EQ(reused(streams(StreamKind::warp), 10, 14), 6 * 63U);
  EXPECT_EQ(reused(streams(StreamKind::block), 10, 14), 3 * 127U);
  EXPECT_EQ(reused(streams(StreamKind::chip), 10, 14), 383U);
}

TEST(Recorder, GivesEachLaunchStreamsOfItsOwn) {
  Recorder recorder({.stream = StreamKind::chip});
  device::Device device({.access_observers = &recorder});
  const device::LoadedModule& module =
      device.load({{.file = "test.ptx", .text = kernel_of(kIncrement)}});
  const device::DevicePointer words = device.allocate(128);
  for (int launch = 0; launch < 2; ++launch) {
    device.launch_with(device.find_kernel(module, "k"), {.grid = {1}, .block = {32}}, words);
  }
  const KernelLocality kernel = recorder.kernels().front();
  EXPECT_EQ(kernel.launches, 2U);
  EXPECT_EQ(kernel.streams, 2U);
  EXPECT_EQ(reused(kernel, 0, 14), 64U);
  EXPECT_EQ(kernel.footprints.size(), 2U);
  EXPECT_EQ(recorder.total().accesses(), 128U);
}

TEST(Recorder, TakesOneAddressForEachSegment) {
  const KernelLocality kernel = record(kIncrement, {.stage = Stage::segments}, 1, 64);
  EXPECT_EQ(kernel.counts.accesses(), 4U);
  EXPECT_EQ(reused(kernel, 0, 0), 2U);  // Each store follows the load of its segment.
  // Segments of 32 bytes: four of them hold the words of a warp.
  const KernelLocality small = record(
      kIncrement,
      {.stage = Stage::segments, .coalescer = {.segment_bytes = 32, .sector_bytes = 32}}, 1, 64);
  EXPECT_EQ(small.counts.accesses(), 16U);
  EXPECT_EQ(reused(small, 5, 1), 0U);
  EXPECT_EQ(reused(small, 5, 2), 8U);
}

TEST(Recorder, ObservesOnlyLanesThatAccessGlobalMemory) {
  // Even lanes load a word of shared memory, odd lanes one of global memory, through one generic
  // address. Later loads are of shared memory and parameters.
  const KernelLocality kernel = record(R"(
    mov.u32 %r10, words;
    cvt.u64.u32 %rd10, %r10;
    cvta.shared.u64 %rd10, %rd10;
    and.b32 %r11, %r4, 1;
    setp.eq.u32 %p1, %r11, 1;
    selp.b64 %rd11, %rd2, %rd10, %p1;
    ld.u32 %r12, [%rd11];
    ld.shared.u32 %r13, [words];
    ld.param.u64 %rd12, [p];
    setp.lt.u32 %p2, %r4, 3;
    @%p2 st.global.u32 [%rd2], %r12;
    ret;)",
                                       {}, 1, 32, ".shared .align 4 .b8 words[4];\n");
  EXPECT_EQ(kernel.counts.accesses(), 16U + 3U);
}

TEST(Recorder, TakesTheSourceOfAsynchronousCopies) {
  const KernelLocality kernel = record(R"(
    mov.u32 %r10, words;
    mad.lo.u32 %r11, %r4, 4, %r10;
    mad.lo.u64 %rd10, %rd2, 1, 4096;
    cp.async.ca.shared.global [%r11], [%rd10], 4;
    cp.async.wait_all;
    ld.volatile.global.u32 %r12, [%rd10];
    ret;)",
                                       {}, 1, 32, ".shared .align 4 .b8 words[128];\n");
  EXPECT_EQ(kernel.counts.accesses(), 64U);
  EXPECT_EQ(reused(kernel, 0, 5), 32U);
}

TEST(Recorder, AttributesReuseToSourceLines) {
  const KernelLocality kernel = record(R"(
    .loc 1 10 0
    ld.global.u32 %r10, [%rd2];
    .loc 1 11 0
    st.global.u32 [%rd2], %r10;
    ret;)",
                                       {}, 1, 32, ".file 1 \"kernel.cu\"\n");
  ASSERT_EQ(kernel.lines.size(), 2U);
  const ReuseCounts& load = kernel.lines.at({.file = "kernel.cu", .line = 10});
  const ReuseCounts& store = kernel.lines.at({.file = "kernel.cu", .line = 11});
  EXPECT_EQ(load.accesses(), 32U);
  EXPECT_EQ(load.reused(NeighbourhoodBits(0), WindowBits(5)), 32U);
  EXPECT_EQ(store.accesses(), 32U);
  EXPECT_EQ(store.reused(NeighbourhoodBits(0), WindowBits(14)), 0U);
}

TEST(Recorder, CountsDistancesAndFootprints) {
  const KernelLocality kernel = record(kIncrement, {.interval = 40}, 1, 64);
  // Each warp loads and stores 32 words of one line.
  EXPECT_EQ(kernel.distances.first_accesses(), 2U);
  EXPECT_EQ(kernel.distances.reuses(0), 126U);
  ASSERT_EQ(kernel.footprints.size(), 1U);
  std::vector<std::uint64_t> accesses;
  for (const Footprint::Interval& each : kernel.footprints.front()) {
    accesses.push_back(each.accesses);
  }
  EXPECT_EQ(accesses, (std::vector<std::uint64_t>{40, 40, 40, 8}));
}

TEST(Recorder, KeepsWhatALaunchDidBeforeAFault) {
  Recorder recorder({});
  const std::string text = kernel_of("ld.volatile.global.u32 %r10, [%rd2]; trap;");
  EXPECT_THROW(device::test::run(text, 1, 32, 64, {.access_observers = &recorder}),
               exec::SimulatedFault);
  const KernelLocality kernel = recorder.kernels().front();
  EXPECT_EQ(kernel.launches, 1U);
  EXPECT_EQ(kernel.counts.accesses(), 32U);
}

TEST(Recorder, LeavesProgramsThatAreNotObservedAsTheyAre) {
  device::Device plain;
  const std::string text = kernel_of(kIncrement);
  EXPECT_TRUE(plain.load({{.file = "test.ptx", .text = text}}).decoded().plain_handlers.empty());
  Recorder recorder({});
  device::Device observed({.access_observers = &recorder});
  const exec::DecodedProgram& program =
      observed.load({{.file = "test.ptx", .text = text}}).decoded();
  std::size_t replaced = 0;
  for (std::size_t pc = 0; pc < program.instructions.size(); ++pc) {
    if (program.instructions[pc].handler != program.plain_handlers[pc]) ++replaced;
  }
  EXPECT_EQ(replaced, 2U);
}

}  // namespace
}  // namespace heddle::locality
