// Stepwise execution of blocks, as by a timing model. Its results must equal those of whole
// launches.

#include <gmock/gmock.h>

#include <array>
#include <functional>
#include <string>

#include "base/file.h"
#include "device/ptx_text.h"
#include "device/stepped_run.h"
#include "exec/fault/fault_report.h"
#include "source_file.h"

namespace heddle::device::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A device with one kernel and its arguments. Each test makes two: one for a whole launch, one for
/// stepwise execution.
struct Scene {
  std::unique_ptr<Device> device;
  Kernel kernel;
  Arguments arguments;
  std::string printed;
};
using MakeArguments = std::function<void(Device&, Arguments&)>;

std::unique_ptr<Scene> make_scene(const PtxSource& source, const std::string& kernel,
                                  const MakeArguments& make) {
  auto scene = std::make_unique<Scene>();
  scene->device = std::make_unique<Device>(
      DeviceOptions{.memory = {.capacity = std::uint64_t{1} << 28, .gap = 0},
                    .print = [s = scene.get()](std::string_view text) { s->printed += text; }});
  scene->kernel = scene->device->find_kernel(scene->device->load({source}), kernel);
  make(*scene->device, scene->arguments);
  return scene;
}

/// The memory that was allocated before the launch. Addresses are allocated upwards.
std::vector<std::byte> memory_of(Device& device, std::uint64_t bytes) {
  const std::byte* const begin = device.memory().host(exec::kGlobalBase);
  return {begin, begin + bytes};
}

/// Runs a kernel as a whole launch and step by step, and compares the resulting memory. Returns the
/// number of deferred atomics, which are performed after the epoch in which they were issued.
std::uint64_t expect_same_memory(const PtxSource& source, const std::string& kernel,
                                 const LaunchConfiguration& configuration,
                                 const MakeArguments& make,
                                 const SteppedRun::Options& options = {}) {
  const auto reference = make_scene(source, kernel, make);
  const std::uint64_t bytes = reference->device->memory().used();
  reference->device->launch(reference->kernel, configuration, reference->arguments);
  const auto stepped = make_scene(source, kernel, make);
  const PreparedLaunch prepared(*stepped->device, stepped->kernel, configuration,
                                stepped->arguments);
  SteppedRun run(prepared.launch, options);
  run.run();
  EXPECT_TRUE(memory_of(*stepped->device, bytes) == memory_of(*reference->device, bytes));
  EXPECT_EQ(stepped->printed.size(), reference->printed.size());
  return run.deferred_atomics();
}

PtxSource corpus_file(const std::string& name) {
  std::string file = source_file("tests/corpus/" + name + ".ptx");
  return {.file = file, .text = read_file(file)};
}

/// Arguments of program(in, out, count), with 4 input words and space for 64 results per thread.
void language_arguments(Device& device, Arguments& arguments) {
  std::mt19937 random(5);
  std::vector<std::uint32_t> in(256 * 4);
  for (std::uint32_t& word : in) word = static_cast<std::uint32_t>(random() % 1000 + 4);
  arguments.add(device.upload(in, "in"));
  arguments.add(device.upload(std::vector<std::uint32_t>(256 * 64), "out"));
  arguments.add(256);
}

/// Runs programs of tests/corpus/language both ways.
void expect_same_language_programs(const SteppedRun::Options& options = {}) {
  for (const char* const name :
       {"barriers",         "calls",          "cooperative",       "device_heap",
        "divergence",       "async_copy",     "function_pointers", "local_arrays",
        "recursion",        "shared_atomics", "shared_memory",     "spaces",
        "stack_allocation", "switch_table",   "vector_access",     "virtual_functions",
        "printing",         "warp_functions", "warp_reduction",    "wide_integers"}) {
    SCOPED_TRACE(name);
    const bool has_large_blocks = std::string(name) == "barriers";
    expect_same_memory(corpus_file("language/" + std::string(name)), "program",
                       has_large_blocks ? LaunchConfiguration{{2}, {128}, 4096}
                                        : LaunchConfiguration{{4}, {64}, 4096},
                       language_arguments, options);
  }
}

TEST(Step, ReproducesMemoryOfLanguagePrograms) { expect_same_language_programs(); }

TEST(Step, ReproducesMemoryOfLanguageProgramsInParts) {
  expect_same_language_programs({.in_parts = true});
}

TEST(Step, EpochLengthDoesNotAffectRaceFreePrograms) {
  for (const int steps : {1, 7, 1000}) {
    for (const std::uint32_t sms : {1u, 4u}) {
      expect_same_memory(corpus_file("language/divergence"), "program", {{4}, {64}},
                         language_arguments, {.multiprocessors = sms, .steps_per_epoch = steps});
    }
  }
}

TEST(Step, RunsMultiprocessorsOnSeparateHostThreads) {
  expect_same_memory(corpus_file("language/spaces"), "program", {{4}, {64}}, language_arguments,
                     {.steps_per_epoch = 200, .with_host_threads = true});
  expect_same_memory(corpus_file("language/shared_atomics"), "program", {{4}, {64}},
                     language_arguments, {.steps_per_epoch = 200, .with_host_threads = true});
}

TEST(Step, AddsUpAtomicsOfAllMultiprocessors) {
  const std::uint64_t deferred = expect_same_memory(
      corpus_file("kernels/histogram"), "histogram256", {{3}, {96}},
      [](Device& device, Arguments& arguments) {
        std::mt19937 random(40);
        std::vector<std::uint32_t> words(700);
        for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
        arguments.add(device.upload(words, "words"));
        arguments.add(device.upload(std::vector<std::uint32_t>(256), "histogram"));
        arguments.add(700);
      },
      {.with_host_threads = true});
  EXPECT_GT(deferred, 0u);
}

TEST(Step, WarpReadsBackItsStoresInTheSameEpoch) {
  // Each thread walks over its 16 words and adds each to the next.
  const std::string ptx = kernel_of(R"(
  mul.wide.u32 %rd3, %r1, 64;
  add.u64 %rd3, %rd1, %rd3;
  mov.u32 %r10, 0;
  st.global.u32 [%rd3], %r1;
LOOP: ld.global.u32 %r11, [%rd3];
  ld.global.u32 %r12, [%rd3+4];
  add.u32 %r12, %r11, %r12;
  add.u32 %r12, %r12, 3;
  st.global.u32 [%rd3+4], %r12;
  add.u64 %rd3, %rd3, 4;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p1, %r10, 15;
  @%p1 bra LOOP;
  ret;)");
  for (const int steps : {1, 30, 100000}) {
    expect_same_memory({.file = "test.ptx", .text = ptx}, "k", {{4}, {96}},
                       [](Device& device, Arguments& arguments) {
                         std::vector<std::uint32_t> words(4 * 96 * 16);
                         for (std::size_t i = 0; i < words.size(); ++i) {
                           words[i] = static_cast<std::uint32_t>(i * 17);
                         }
                         arguments.add(device.upload(words));
                       },
                       {.steps_per_epoch = steps});
  }
}

/// A block of a kernel that has been started, and is executed step by step.
struct Stepper {
  explicit Stepper(const std::string& body, std::uint32_t threads = 32,
                   const std::string& declarations = "")
      : module(device.load({{.file = "test.ptx", .text = kernel_of(body, declarations)}})),
        out(device.allocate(4096, "out")),
        prepared(device, device.find_kernel(module, "k"), {.grid = {1}, .block = {threads}},
                 arguments()),
        block(prepared.launch) {
    block.start(0);
  }
  Arguments arguments() const {
    Arguments values;
    values.add(out);
    return values;
  }
  /// Steps a warp until its next instruction has this operation.
  void run_to(code::Operation operation, std::uint32_t warp = 0) {
    while (next(warp).operation != operation) block.step(block.warp(warp));
  }
  std::uint32_t pc(std::uint32_t warp = 0) { return block.warp(warp).stack.top().pc; }
  const code::Instruction& next(std::uint32_t warp = 0) {
    return prepared.launch.program->instructions[pc(warp)];
  }
  exec::WarpContext& context(std::uint32_t warp = 0) { return block.warp(warp).context; }

  Device device{DeviceOptions{.memory = {.capacity = std::uint64_t{1} << 24}}};
  const LoadedModule& module;
  DevicePointer out;
  PreparedLaunch prepared;
  exec::Block block;
};

TEST(Step, ReportsLanesAndAddressesAfterAnAccess) {
  Stepper stepper(R"(
  setp.lt.u32 %p1, %r4, 5;
  @%p1 st.global.u32 [%rd2+8], %r4;
  ret;)");
  stepper.run_to(code::Operation::store);
  stepper.block.step(stepper.block.warp(0));
  EXPECT_EQ(stepper.context().path_active, 0xffffffffu);
  EXPECT_EQ(stepper.context().active, 0x1fu);
  for (std::size_t lane = 0; lane < 5; ++lane) {
    EXPECT_EQ(stepper.context().address()[lane], stepper.out + lane * 4 + 8);
  }
}

TEST(Step, EnterReportsTheNextInstructionWithoutExecutingIt) {
  Stepper stepper(R"(
  setp.lt.u32 %p1, %r4, 5;
  @%p1 st.global.u32 [%rd2], %r3;
  ret;)");
  stepper.run_to(code::Operation::store);
  const std::uint32_t pc = stepper.pc();
  for (int again = 0; again < 2; ++again) {
    const exec::Decoded& decoded = stepper.block.enter(stepper.block.warp(0));
    EXPECT_EQ(decoded.index, pc);
    EXPECT_EQ(stepper.context().path_active, 0xffffffffu);
    EXPECT_EQ(stepper.context().active, 0x1fu);
    EXPECT_EQ(stepper.pc(), pc);
  }
  EXPECT_EQ(stepper.device.download<std::uint32_t>(stepper.out, 1)[0], 0u);
  stepper.block.execute(stepper.block.warp(0), stepper.block.enter(stepper.block.warp(0)));
  EXPECT_EQ(stepper.pc(), pc + 1);
  EXPECT_EQ(stepper.device.download<std::uint32_t>(stepper.out, 1)[0], 32u);
}

TEST(Step, SkipLeavesNoEffects) {
  Stepper stepper(R"(
  st.global.u32 [%rd2], %r3;
  st.global.u32 [%rd2+256], %r3;
  ret;)");
  stepper.run_to(code::Operation::store);
  const std::uint32_t pc = stepper.pc();
  exec::Warp& warp = stepper.block.warp(0);
  exec::Block::skip(warp, stepper.block.enter(warp));
  EXPECT_EQ(stepper.pc(), pc + 1);
  while (!stepper.block.finished()) stepper.block.step(warp);
  const std::vector<std::uint32_t> out = stepper.device.download<std::uint32_t>(stepper.out, 65);
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[64], 32u);
}

TEST(Step, CallerSetsTheWarpsClock) {
  Stepper stepper(R"(
  mov.u32 %r5, %clock;
  st.global.u32 [%rd2], %r5;
  ret;)");
  stepper.context().clock = 12345;
  while (!stepper.block.finished()) stepper.block.step(stepper.block.warp(0));
  EXPECT_EQ(stepper.context().clock, 12345u);
  EXPECT_EQ(stepper.device.download<std::uint32_t>(stepper.out, 1)[0], 12345u);
}

TEST(Step, WarpReadsTheMultiprocessorOfItsBlock) {
  Stepper stepper(R"(
  mov.u32 %r5, %smid;
  mov.u32 %r6, %nsmid;
  mad.lo.u32 %r5, %r6, 100, %r5;
  st.global.u32 [%rd2], %r5;
  ret;)");
  stepper.block.place_on(7, 16);
  stepper.block.start(0);
  while (!stepper.block.finished()) stepper.block.step(stepper.block.warp(0));
  EXPECT_EQ(stepper.device.download<std::uint32_t>(stepper.out, 1)[0], 1607u);
}

TEST(Step, LastWarpAtABarrierReleasesTheOthers) {
  Stepper stepper("bar.sync 0;\n ret;", 96);
  exec::Block& block = stepper.block;
  EXPECT_EQ(block.running_warps(), 0b111u);
  for (const std::uint32_t warp : {2u, 0u}) {
    stepper.run_to(code::Operation::barrier, warp);
    block.step(block.warp(warp));
  }
  EXPECT_EQ(block.waiting_warps(), 0b101u);
  EXPECT_EQ(block.running_warps(), 0b010u);
  stepper.run_to(code::Operation::barrier, 1);
  block.step(block.warp(1));
  EXPECT_EQ(block.waiting_warps(), 0u);
  EXPECT_EQ(block.running_warps(), 0b111u);
  EXPECT_EQ(stepper.context(1).active, 0xffffffffu);
}

TEST(Step, EndingWarpReleasesWaitingWarps) {
  Stepper stepper(R"(
  setp.ge.u32 %p1, %r4, 64;
  @%p1 exit;
  bar.sync 0;
  ret;)",
                  96);
  exec::Block& block = stepper.block;
  for (const std::uint32_t warp : {0u, 1u}) {
    stepper.run_to(code::Operation::barrier, warp);
    block.step(block.warp(warp));
  }
  EXPECT_EQ(block.waiting_warps(), 0b011u);
  while ((block.running_warps() & 0b100) != 0) block.step(block.warp(2));
  EXPECT_EQ(block.running_warps(), 0b011u) << "the third warp must have ended";
  EXPECT_EQ(block.waiting_warps(), 0u);
  for (const std::uint32_t warp : {0u, 1u}) {
    EXPECT_FALSE(block.finished());
    while ((block.running_warps() >> warp & 1) != 0) block.step(block.warp(warp));
  }
  EXPECT_TRUE(block.finished());
}

TEST(Step, DeadlockNamesWaitingWarpIfEachWarpIsABlock) {
  Device device{DeviceOptions{.memory = {.capacity = std::uint64_t{1} << 24}}};
  const LoadedModule& module =
      device.load({{.file = "test.ptx", .text = kernel_of("bar.sync 3;\n ret;")}});
  Arguments arguments;
  arguments.add(device.allocate(4096, "out"));
  PreparedLaunch prepared(device, device.find_kernel(module, "k"), {.grid = {1}, .block = {64}},
                          arguments);
  prepared.launch.splits_blocks_into_warps = true;
  exec::Block block(prepared.launch);
  block.start(1);
  block.wait_at_barrier(block.warp(0), {.id = 3});
  EXPECT_THAT(exec::deadlock_fault(block, {}).what(),
              AllOf(HasSubstr("barrier 3"), HasSubstr("waiting: warp 1"),
                    Not(HasSubstr("not waiting there"))));
}

TEST(Step, DeferredAtomicWaitsToBePerformed) {
  Stepper stepper(R"(
  atom.global.add.u32 %r5, [%rd1], 1;
  st.global.u32 [%rd2+4], %r5;
  ret;)");
  exec::DeferredAtomic atomic;
  stepper.run_to(code::Operation::atomic);
  const std::uint32_t pc = stepper.pc();
  ASSERT_TRUE(stepper.block.step_atomic(stepper.block.warp(0), atomic));
  EXPECT_EQ(stepper.pc(), pc + 1) << "the warp must continue at the next instruction";
  EXPECT_EQ(atomic.lanes(), LaneMask::all());
  EXPECT_EQ(stepper.device.download<std::uint32_t>(stepper.out, 1)[0], 0u);
  atomic.perform(atomic.lanes());
  atomic.deliver(stepper.context());
  while (!stepper.block.finished()) stepper.block.step(stepper.block.warp(0));
  const std::vector<std::uint32_t> out = stepper.device.download<std::uint32_t>(stepper.out, 33);
  EXPECT_EQ(out[0], 32u);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i + 1], i);
}

TEST(Step, AtomicWithoutActiveLanesIsDeferredWithoutLanes) {
  Stepper stepper(R"(
  setp.gt.u32 %p1, %r4, 100;
  @%p1 atom.global.add.u32 %r5, [%rd1], 1;
  st.global.u32 [%rd2+4], %r5;
  ret;)");
  exec::DeferredAtomic atomic;
  stepper.run_to(code::Operation::atomic);
  const std::uint32_t pc = stepper.pc();
  ASSERT_TRUE(stepper.block.step_atomic(stepper.block.warp(0), atomic));
  EXPECT_TRUE(atomic.lanes().empty());
  EXPECT_EQ(stepper.pc(), pc + 1);
}

TEST(Step, DoesNotDeferAtomicOnSharedMemory) {
  Stepper stepper(R"(
  mov.u32 %r10, s;
  atom.shared.add.u32 %r5, [%r10], 1;
  st.global.u32 [%rd2], %r5;
  ret;)",
                  32, ".shared .align 4 .b32 s[4];\n");
  exec::DeferredAtomic atomic;
  stepper.run_to(code::Operation::atomic);
  EXPECT_FALSE(stepper.block.step_atomic(stepper.block.warp(0), atomic));
  EXPECT_TRUE(atomic.in_shared_memory());
  EXPECT_EQ(stepper.next().operation, code::Operation::atomic)
      << "capturing must not execute the atomic";
  while (!stepper.block.finished()) stepper.block.step(stepper.block.warp(0));
  EXPECT_EQ(stepper.device.download<std::uint32_t>(stepper.out, 32)[31], 31u);
}

TEST(Step, ReportsFaultsLikeARun) {
  const std::string function =
      ".func f(.param .b32 n)\n{\n .reg .b32 %r<4>;\n .local .b8 l[600];\n"
      " ld.param.b32 %r1, [n];\n"
      " { .param .b32 a;\n st.param.b32 [a], %r1;\n call f, (a);\n }\n ret;\n}\n";
  for (const char* const body :
       {"ld.global.u32 %r5, [%rd1+4096];", "st.global.u32 [%rd2+2], %r4;",
        "mov.u64 %rd5, 0; st.global.u32 [%rd5], %r4;", "atom.global.add.u32 %r5, [%rd1+8192], 1;",
        "setp.eq.u32 %p1, %r4, 7; @%p1 trap;", "bar.sync %r4;",
        "{ .param .b32 a; st.param.b32 [a], %r1; call f, (a); }"}) {
    SCOPED_TRACE(body);
    const std::string text = std::string(body) + "\n st.global.u32 [%rd2], %r5;\n ret;";
    const std::string expected = fault_of(kernel_of(text, function), 1, 32);
    Stepper stepper(text, 32, function);
    try {
      exec::DeferredAtomic atomic;
      while (!stepper.block.finished()) {
        if (stepper.next().operation == code::Operation::atomic) {
          stepper.block.step_atomic(stepper.block.warp(0), atomic);
        } else {
          stepper.block.step(stepper.block.warp(0));
        }
      }
      ADD_FAILURE() << "no fault";
    } catch (const exec::SimulatedFault& fault) {
      EXPECT_EQ(std::string(fault.what()), expected);
      EXPECT_THAT(std::string(fault.what()), HasSubstr("block (0,0,0), thread ("));
    }
  }
}

}  // namespace
}  // namespace heddle::device::test
