// Uniform vector instructions ('token', 'scalar-file'): cycles and counts of hand-worked probes.
// The units have `width` lanes, and a scheduler issues a vector instruction every 32 / width
// cycles, as on the machines 'uniform' and 'uniform-16'.

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr int kWidths[] = {8, 16, 32};

Settings lanes(int width, const Settings& more = {}) {
  const std::string lanes = std::to_string(width);
  return Settings{"units.integer.lanes=" + lanes, "units.fp32.lanes=" + lanes,
                  "units.fp64.lanes=" + lanes,    "units.special.lanes=" + lanes,
                  "units.shared_alu=yes",         "schedule.interval=" + std::to_string(32 / width),
                  "dependence.policy=scoreboard", "redundancy.policy=token",
                  "redundancy.reuse_entries=0"} +
         more;
}
const Settings kScalarFile{"redundancy.policy=scalar-file"};

/// %f20 to %f29 have the same value in all lanes, and the hardware knows: they are loaded from one
/// address.
const std::string kUniform = repeat(10, "ld.global.f32 %f2#, [%data+0x#00];\n");
/// Each lane has another value in them.
const std::string kDifferent = "mul.wide.u32 %l1, %lane, 4;\nadd.u64 %l1, %l1, %data;\n" +
                               repeat(10, "ld.global.f32 %f2#, [%l1+0x#00];\n");

ProbeRun measure(const std::string& setup, const std::string& body, const Settings& settings,
                 const std::vector<std::string>& keep) {
  return ProbeRun({.setup = setup, .body = clock(0) + body + clock(1), .keep = keep}, settings);
}
const std::vector<std::string> kResults = registers("%f", 10, 10) + registers("%f", 10, 20);
const std::string kSixMultiplyAdds = repeat(6, "fma.rn.f32 %f1#, %f2#, %f2#, %f2#;\n");

// -- computing in one lane ------------------------------------------------------------------------

TEST(UniformVectors, UniformInstructionTakesOneIssueCycle) {
  for (const int width : kWidths) {
    // The clock read is uniform, too: it takes the first cycle.
    EXPECT_EQ(measure(kUniform, kSixMultiplyAdds, lanes(width), kResults).cycles(), 1 + 6 * 1);
    const auto interval = 32 / static_cast<std::uint32_t>(width);
    EXPECT_EQ(measure(kDifferent, kSixMultiplyAdds, lanes(width), kResults).cycles(),
              1 + 6 * interval);
    const Settings none{"redundancy.policy=none"};
    EXPECT_EQ(measure(kUniform, kSixMultiplyAdds, lanes(width, none), kResults).cycles(),
              7 * interval);
  }
}

TEST(UniformVectors, ResultHasTheLatencyOfAVectorInstruction) {
  const std::string chain = repeat(5, "fma.rn.f32 %f20, %f20, %f20, %f20;\n");
  const Settings latency{"units.fp32.latency=12"};
  for (const int width : kWidths) {
    const auto slices = 32 / static_cast<std::uint32_t>(width);
    const std::uint32_t results = 1 + 4 * (12 + slices - 1);
    EXPECT_EQ(measure(kUniform, chain, lanes(width, latency), {"%f20"}).cycles(), results + 1);
    EXPECT_EQ(measure(kDifferent, chain, lanes(width, latency), {"%f20"}).cycles(),
              results + slices);
  }
}

TEST(UniformVectors, InstructionOfSeveralPassesTakesOneSliceOfEach) {
  // A product takes four passes through the integer unit, and each pass four cycles. The last pass
  // starts 3 * 4 cycles after the first, and its last slice 3 cycles later.
  const Settings four = lanes(8, {"units.integer.multiplication.instructions=4",
                                  "units.integer.latency=12", "isa.optimisation=no"});
  const std::string uniform = "ld.global.u32 %r9, [%data+64];\n";
  const std::string different = uniform + "add.u32 %r9, %r9, %lane;\n";
  const std::string chain = repeat(5, "mul.lo.u32 %r9, %r9, %r9;\n");
  const std::uint32_t latency = 3 * 4 + 3 + 12;
  // The second clock read takes the unit after the last product.
  EXPECT_EQ(measure(uniform, chain, four, {"%r9"}).cycles(), 1 + 4 * latency + 4 * 1);
  EXPECT_EQ(measure(different, chain, four, {"%r9"}).cycles(), 1 + 4 * latency + 4 * 4);
  const std::string stream = repeat(6, "mul.lo.u32 %r1#, %r9, %r9;\n");
  const auto busy = [&](const std::string& setup) {
    const auto cycles = [&](const std::string& body) {
      return measure(setup, body, four, registers("%r", 6, 10))
          .counter("units.integer.busy_cycles");
    };
    return cycles(stream) - cycles("");
  };
  EXPECT_EQ(busy(uniform), 6 * 4 * 1);
  EXPECT_EQ(busy(different), 6 * 4 * 4);
}

TEST(UniformVectors, OneLaneTakesOneSliceOfANarrowUnit) {
  // A unit of two lanes has 16 slices.
  const Settings narrow = lanes(8, {"units.special.lanes=2", "units.special.latency=28"});
  const std::string one = "sqrt.approx.f32 %f20, %f20;\n";
  const auto cycles = [&](const std::string& setup, int count) {
    return measure(setup, repeat(count, one), narrow, {"%f20"}).cycles();
  };
  for (const std::string& setup : {kUniform, kDifferent}) {
    EXPECT_EQ(cycles(setup, 5) - cycles(setup, 1), 4 * (28 + 15));
  }
  const auto busy = [&](const std::string& setup) {
    return measure(setup, one, narrow, {"%f20"}).counter("units.special.busy_cycles");
  };
  EXPECT_EQ(busy(kUniform), 1);
  EXPECT_EQ(busy(kDifferent), 16);
}

/// How many uniform instructions `code` adds to a probe.
std::uint64_t detected_in(const std::string& setup, const std::string& code,
                          const std::vector<std::string>& keep, const Settings& settings) {
  return measure(setup, code, settings, keep).counter("redundancy.detected") -
         measure(setup, "", settings, keep).counter("redundancy.detected");
}

TEST(UniformVectors, SpecialRegistersOfTheWarpAreUniform) {
  const auto detected = [](const std::string& name) {
    return detected_in("", "mov.u32 %r9, " + name + ";\nadd.u32 %r10, %r9, 5;\n", {"%r10"},
                       lanes(8));
  };
  // The probe itself reads %ctaid.x and %ntid.x, and the compiler reads a register once.
  for (const char* same : {"%ctaid.y", "%ctaid.z", "%smid", "%nctaid.x", "%ntid.y"}) {
    EXPECT_EQ(detected(same), 2) << same;
  }
  for (const char* different : {"%tid.x", "%tid.y", "%tid.z", "%laneid", "%lanemask_lt"}) {
    EXPECT_EQ(detected(different), 0) << different;
  }
}

TEST(UniformVectors, EverySourceMustBeUniform) {
  const std::string setup = kUniform + "cvt.rn.f32.u32 %f1, %lane;\n";
  const auto detected = [&](const std::string& instruction) {
    return measure(setup, instruction, lanes(8), {"%f10", "%f1"}).counter("redundancy.detected");
  };
  const std::uint64_t with_vector = detected("fma.rn.f32 %f10, %f1, %f21, %f22;\n");
  EXPECT_EQ(detected("fma.rn.f32 %f10, %f20, %f21, %f22;\n"), with_vector + 1);
  EXPECT_EQ(detected("fma.rn.f32 %f10, %f20, %f1, %f22;\n"), with_vector);
  EXPECT_EQ(detected("fma.rn.f32 %f10, %f20, %f21, %f1;\n"), with_vector);
  // The result of a vector instruction is not known to be uniform, even if it is.
  EXPECT_EQ(detected("mul.rn.f32 %f10, %f1, 0f00000000;\nadd.rn.f32 %f10, %f10, %f20;\n"),
            with_vector);
}

TEST(UniformVectors, LoadsFromOneAddressAreBroadcast) {
  const auto broadcast = [](const std::string& setup, const std::string& load) {
    const auto count = [&](const std::string& code) {
      return measure(setup, code, lanes(8), {"%r9"}).counter("redundancy.broadcast_loads");
    };
    return count(load) - count("");
  };
  const std::string per_lane = "mul.wide.u32 %l1, %lane, 4;\nadd.u64 %l1, %l1, %data;\n";
  // Equal in all lanes, but not known to be.
  const std::string zero =
      "and.b32 %r8, %lane, 32;\ncvt.u64.u32 %l1, %r8;\nadd.u64 %l1, %l1, %data;\n";
  EXPECT_EQ(broadcast("", "ld.global.u32 %r9, [%data+64];\n"), 1);
  EXPECT_EQ(broadcast(zero, "ld.global.u32 %r9, [%l1+64];\n"), 1);
  EXPECT_EQ(broadcast(per_lane, "ld.global.u32 %r9, [%l1+64];\n"), 0);
  const std::string half = "setp.lt.u32 %p1, %lane, 16;\nmov.u32 %r9, %lane;\n";
  EXPECT_EQ(broadcast(half, "@%p1 ld.global.u32 %r9, [%data+64];\n"), 0);
}

TEST(UniformVectors, MissingThreadsMakeInstructionsVectorInstructions) {
  // Blocks of 48 threads: the second warp has 16 threads.
  const std::string kernel = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  add.u32 %r2, %r1, 7;
  mul.lo.u32 %r3, %r2, %r1;
  st.global.u32 [%rd1], %r3;
  ret;
})";
  const auto detected = [&](std::uint32_t threads) {
    ChipRun run(kernel, kPlain + lanes(8));
    run.launch("k", {1, 1, 1}, {threads, 1, 1}, run.zeros<std::uint32_t>(1));
    return run.counter("redundancy.detected");
  };
  const std::uint64_t of_a_warp = detected(32);
  EXPECT_GE(of_a_warp, 3);
  EXPECT_EQ(detected(48), of_a_warp);
  EXPECT_EQ(detected(63), of_a_warp);
  EXPECT_EQ(detected(64), 2 * of_a_warp);
  EXPECT_EQ(detected(16), 0);
}

// -- a uniform register is written in part --------------------------------------------------------

/// %r9 is uniform; %p1 holds for half of the lanes.
const std::string kHalf = "ld.global.u32 %r9, [%data+64];\nsetp.lt.u32 %p1, %lane, 16;\n";

TEST(UniformVectors, PartialWriteOfAUniformRegisterIsPrecededByACopy) {
  struct Case {
    const char* code;
    std::uint64_t copies, source_copies;
  };
  for (const Case& each :
       {Case{"@%p1 add.u32 %r9, %r9, 2;\n", 1, 1}, Case{"@%p1 add.u32 %r9, %lane, 2;\n", 1, 0},
        // All lanes are written: no lane keeps the old value.
        Case{"add.u32 %r9, %r9, %lane;\n", 0, 0}, Case{"add.u32 %r9, %lane, 2;\n", 0, 0},
        // The second write finds a vector.
        Case{"@%p1 add.u32 %r9, %r9, 2;\n@%p1 mul.lo.u32 %r9, %r9, 3;\n", 1, 1},
        // A register that is not uniform.
        Case{"add.u32 %r9, %r9, %lane;\n@%p1 add.u32 %r9, %r9, 2;\n", 0, 0}}) {
    const ProbeRun run = measure(kHalf, each.code, lanes(8), {"%r9"});
    EXPECT_EQ(run.counter("redundancy.copies"), each.copies) << each.code;
    EXPECT_EQ(run.counter("redundancy.source_copies"), each.source_copies) << each.code;
  }
}

TEST(UniformVectors, DivergentPathCopiesOnlyWhatItWrites) {
  const std::string setup = kHalf + "ld.global.u32 %r8, [%data+128];\n";
  const auto copies = [&](const std::string& side) {
    return measure(setup, "@!%p1 bra MEET;\n" + side + "MEET:\nadd.u32 %r9, %r9, %r8;\n", lanes(8),
                   {"%r8", "%r9"})
        .counter("redundancy.copies");
  };
  EXPECT_EQ(copies("add.u32 %r9, %r9, 2;\nadd.u32 %r9, %r9, %r8;\n"), 1);
  EXPECT_EQ(copies("add.u32 %r9, %r9, 2;\nadd.u32 %r8, %r9, 2;\n"), 2);
}

TEST(UniformVectors, CopyTakesAnIssueSlotOfAVectorInstruction) {
  const std::string partial = "@%p1 add.u32 %r9, %r9, 2;\n";
  const std::string different = "add.u32 %r9, %r9, %lane;\n";
  for (const int width : kWidths) {
    const auto interval = 32 / static_cast<std::uint32_t>(width);
    EXPECT_EQ(measure(kHalf, partial, lanes(width), {"%r9"}).cycles(), 1 + 2 * interval);
    EXPECT_EQ(measure(kHalf + different, partial, lanes(width), {"%r9"}).cycles(), 1 + interval);
    const ProbeRun run = measure(kHalf, partial, lanes(width), {"%r9"});
    EXPECT_EQ(run.counter("scheduler.selected"), run.counter("sm.warp_instructions"));
  }
}

TEST(UniformVectors, UniformSourceOfItsOwnVectorResultNeedsNoCopy) {
  // V1 = V1 + V2, with V1 uniform and V2 not. The scalar is in a lane of the last slice, so no
  // slice finds it overwritten.
  for (const int width : kWidths) {
    const auto interval = 32 / static_cast<std::uint32_t>(width);
    const ProbeRun run = measure(kHalf, "add.u32 %r9, %r9, %lane;\n", lanes(width), {"%r9"});
    EXPECT_EQ(run.cycles(), 1 + interval);
    EXPECT_EQ(run.counter("redundancy.copies"), 0);
  }
}

// -- the scalar register file ---------------------------------------------------------------------

TEST(ScalarFile, DetectsLikeTokensIfItHasSpace) {
  for (const char* entries : {"128", "0"}) {
    const Settings file =
        kScalarFile + Settings{std::string("redundancy.scalar_registers=") + entries};
    const ProbeRun scalar = measure(kUniform, kSixMultiplyAdds, lanes(8, file), kResults);
    const ProbeRun token = measure(kUniform, kSixMultiplyAdds, lanes(8), kResults);
    EXPECT_EQ(scalar.counter("redundancy.detected"), token.counter("redundancy.detected"));
    EXPECT_EQ(scalar.cycles(), token.cycles());
    EXPECT_EQ(scalar.counter("redundancy.scalar.full"), 0);
  }
}

/// Reads the numbers of the block, and stores them and sums of them.
const std::string kBlockNumbers = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<12>;
  .reg .b64 %rd<3>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ctaid.y;
  mov.u32 %r3, %ctaid.z;
  mov.u32 %r4, %nctaid.x;
  mov.u32 %r5, %smid;
  ld.param.u64 %rd1, [out];
  mov.u32 %r6, %tid.x;
  mul.wide.u32 %rd2, %r6, 4;
  add.u64 %rd1, %rd1, %rd2;
  add.u32 %r1, %r1, %r6;
  add.u32 %r2, %r2, %r6;
  st.global.u32 [%rd1], %r1;
  st.global.u32 [%rd1+512], %r2;
  mov.u32 %r7, %ctaid.x;
  st.global.u32 [%rd1+1024], %r3;
  st.global.u32 [%rd1+1536], %r5;
  st.global.u32 [%rd1+2048], %r7;
  ret;
})";

struct ScalarUse {
  std::uint64_t detected;
  std::uint64_t full;
  friend bool operator==(const ScalarUse&, const ScalarUse&) = default;
};

/// Runs kBlockNumbers, one block at a time on each multiprocessor.
ScalarUse scalar_use(std::uint32_t entries, std::uint32_t blocks, std::uint32_t warps = 1,
                     const Settings& more = {}) {
  ChipRun chip(kBlockNumbers,
               kPlain +
                   lanes(8, kScalarFile + Settings{"sm.blocks=1", "redundancy.scalar_registers=" +
                                                                      std::to_string(entries)}) +
                   more);
  chip.launch("k", {blocks, 1, 1}, {32 * warps, 1, 1}, chip.zeros<std::uint32_t>(1024));
  return {chip.counter("redundancy.detected"), chip.counter("redundancy.scalar.full")};
}

TEST(ScalarFile, InstructionStaysAVectorInstructionIfNoneIsFree) {
  const ScalarUse all = scalar_use(0, 1);
  EXPECT_EQ(all.full, 0);
  const ScalarUse one = scalar_use(1, 1);
  EXPECT_LT(one.detected, all.detected);
  EXPECT_GT(one.full, 0);
  EXPECT_EQ(one.detected + one.full, all.detected);
  // Warps that end give their scalar registers back: each of 20 blocks finds them free.
  EXPECT_EQ(scalar_use(8, 20).detected, 20 * scalar_use(8, 1).detected);
}

TEST(ScalarFile, BelongsToOneSubCore) {
  // The least that suffices for one warp does not suffice for two.
  std::uint32_t entries = 1;
  while (scalar_use(entries, 1).full > 0) ++entries;
  EXPECT_GT(scalar_use(entries, 1, 2).full, 0);
  const Settings two{"sm.sub_cores=2", "schedule.schedulers=1"};
  EXPECT_EQ(scalar_use(entries, 1, 2, two), (ScalarUse{2 * scalar_use(entries, 1).detected, 0}));
}

TEST(ScalarFile, ReplacesAccessesToTheVectorFile) {
  const auto count = [](const std::string& body, const std::string& counter) {
    return measure(kUniform + "cvt.rn.f32.u32 %f1, %lane;\n", body, lanes(8, kScalarFile),
                   {"%f10", "%f20", "%f21"})
        .counter(counter);
  };
  const auto added = [&](const std::string& body, const std::string& counter) {
    return count(body, counter) - count("add.rn.f32 %f10, %f1, %f1;\n", counter);
  };
  // Two registers are read, and one is written, which a store reads at the end of the probe.
  const std::string uniform = "fma.rn.f32 %f10, %f20, %f21, %f20;\n";
  EXPECT_EQ(added(uniform, "redundancy.scalar.reads"), 2 + 1);
  EXPECT_EQ(added(uniform, "redundancy.scalar.writes"), 1);
  // A vector instruction reads the uniform register from the scalar file.
  const std::string mixed = "add.rn.f32 %f10, %f20, %f1;\n";
  EXPECT_EQ(added(mixed, "redundancy.scalar.reads"), 1);
  EXPECT_EQ(added(mixed, "redundancy.scalar.writes"), 0);
}

// -- the reuse buffer -----------------------------------------------------------------------------

/// Two warps compute the same, the second some cycles later. Each measures the time until a vector
/// instruction has issued that needs the result.
struct Reuse {
  std::uint32_t apart;          ///< Cycles from the first warp's computation to the second's.
  std::uint32_t second_cycles;  ///< The cycles that the second warp measures.
};

/// Two schedulers with a pipe each, so that the warps do not delay each other.
const Settings kTwoSchedulers{"schedule.schedulers=2", "units.integer.pipes=2",
                              "units.fp32.pipes=2", "units.shared_alu=no"};

Reuse reuse_with(int delay, const Settings& more) {
  const std::string setup = kUniform +
                            "cvt.rn.f32.u32 %f1, %lane;\nmov.u32 %r10, %lane;\n"
                            "setp.eq.u32 %p1, %warp, 0;\n";
  const std::string body = "@%p1 bra FIRST;\n" + repeat(delay, "mul.lo.u32 %r10, %r10, %r10;\n") +
                           "bra MEASURE;\nFIRST:\n" + repeat(10, "mul.lo.u32 %r10, %r10, %r10;\n") +
                           "MEASURE:\n" + clock(0) + "mul.rn.f32 %f10, %f20, %f21;\n" +
                           "add.rn.f32 %f11, %f10, %f1;\n" + clock(1);
  const ProbeRun run({.setup = setup, .body = body, .keep = {"%f11", "%r10"}},
                     lanes(32, kTwoSchedulers +
                                   Settings{"units.fp32.latency=9", "units.integer.latency=1",
                                            "redundancy.reuse_entries=8"} +
                                   more),
                     2);
  EXPECT_GT(run.stamp(0, 1), run.stamp(0, 0));
  return {run.stamp(0, 1) - run.stamp(0, 0), run.cycles(0, 1)};
}

TEST(ReuseBuffer, ResultCanBeUsedFromTheCycleInWhichItExists) {
  bool was_just_too_early = false;
  bool was_just_in_time = false;
  for (int delay = 15; delay < 40; ++delay) {
    const Reuse reuse = reuse_with(delay, {});
    // The product takes 9 cycles, or 1 if it is reused.
    EXPECT_EQ(reuse.second_cycles, reuse.apart >= 9 ? 1 + 1 + 1 : 1 + 9 + 1) << reuse.apart;
    was_just_too_early = was_just_too_early || reuse.apart == 8;
    was_just_in_time = was_just_in_time || reuse.apart == 9;
  }
  EXPECT_TRUE(was_just_too_early);
  EXPECT_TRUE(was_just_in_time);
}

TEST(ReuseBuffer, IsOffWithoutEntries) {
  EXPECT_EQ(reuse_with(39, {"redundancy.reuse_entries=0"}).second_cycles, 1 + 9 + 1);
}

/// A loop of ten iterations over `body`.
std::uint64_t hits_in_loop(const std::string& body, const Settings& more) {
  const auto hits = [&](int iterations) {
    const std::string loop = "mov.u32 %r20, 0;\nLOOP:\n" + body +
                             "add.u32 %r20, %r20, 1;\nsetp.lt.u32 %p2, %r20, " +
                             std::to_string(iterations) + ";\n@%p2 bra LOOP;\n";
    const ProbeRun run(
        {.setup = kUniform, .body = clock(0) + loop + clock(1), .keep = registers("%f", 10, 10)},
        lanes(8, Settings{"redundancy.reuse_entries=8", "units.fp32.latency=2",
                          "units.integer.latency=2"} +
                     more));
    EXPECT_EQ(run.counter("redundancy.reuse.wrong_results"), 0);
    return run.counter("redundancy.reuse.hits");
  };
  return hits(12) - hits(2);
}

/// As many products of the same uniform values as there are numbers.
std::string products(int count) { return repeat(count, "mul.rn.f32 %f1#, %f2#, %f2#;\n"); }

TEST(ReuseBuffer, KeepsTheLastInstructions) {
  // The loop's counter and comparison change in each iteration, and take two entries.
  EXPECT_EQ(hits_in_loop(products(1), {}), 10 * 1);
  EXPECT_EQ(hits_in_loop(products(6), {}), 10 * 6);
  // Nine instructions in turn, in eight entries: each is evicted before it is used.
  EXPECT_EQ(hits_in_loop(products(7), {}), 0);
  EXPECT_EQ(hits_in_loop(products(7), {"redundancy.reuse_entries=9"}), 10 * 7);
}

TEST(ReuseBuffer, BelongsToOneSubCore) {
  EXPECT_EQ(reuse_with(39, {}).second_cycles, 1 + 1 + 1);
  const Settings two{"sm.sub_cores=2", "schedule.schedulers=1"};
  EXPECT_EQ(reuse_with(39, two).second_cycles, 1 + 9 + 1);
}

TEST(ReuseBuffer, HoldsTheNumberOfTheBlock) {
  const Settings as_written{"isa.optimisation=no"};
  EXPECT_EQ(hits_in_loop("mov.u32 %r10, %ctaid.x;\nmov.u32 %r11, %ctaid.z;\n", as_written), 10 * 2);
  EXPECT_EQ(hits_in_loop("mov.u32 %r10, %warpid;\nmov.u32 %r11, %clock;\n", as_written), 0);
}

TEST(ReuseBuffer, DistinguishesBlocks) {
  // The first warp of each block finds no entry with its block's number. The second one follows
  // when the first has issued all its instructions, and finds it.
  const auto hits = [](std::uint32_t blocks, std::uint32_t warps) {
    ChipRun chip(R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.y;
  mov.u32 %r2, %laneid;
  mov.u32 %r2, %laneid;
  mov.u32 %r2, %laneid;
  mov.u32 %r2, %laneid;
  st.global.u32 [%rd1], %r1;
  ret;
})",
                 kPlain + lanes(8, {"chip.sms=1", "sm.blocks=1", "redundancy.reuse_entries=8",
                                    "isa.optimisation=no", "schedule.policy=greedy-oldest",
                                    "units.integer.latency=1"}));
    chip.launch("k", {1, blocks, 1}, {32 * warps, 1, 1}, chip.zeros<std::uint32_t>(1));
    EXPECT_EQ(chip.counter("redundancy.reuse.wrong_results"), 0);
    return chip.counter("redundancy.reuse.hits");
  };
  EXPECT_EQ(hits(5, 1), 0);
  EXPECT_EQ(hits(1, 2), 1);
  EXPECT_EQ(hits(5, 2), 5);
}

TEST(ReuseBuffer, ComparesAllSources) {
  // The counter is a source of each, and differs in each iteration.
  EXPECT_EQ(hits_in_loop("cvt.rn.f32.u32 %f9, %r20;\nfma.rn.f32 %f10, %f9, %f20, %f21;\n", {}), 0);
  EXPECT_EQ(hits_in_loop("cvt.rn.f32.u32 %f9, %r20;\nfma.rn.f32 %f10, %f20, %f9, %f21;\n", {}), 0);
  EXPECT_EQ(hits_in_loop("cvt.rn.f32.u32 %f9, %r20;\nfma.rn.f32 %f10, %f20, %f21, %f9;\n", {}), 0);
}

TEST(ReuseBuffer, HoldsWideValuesOnlyIfItsEntriesAreWide) {
  const std::string wide = "add.u64 %l10, %data, 8;\ncvt.rn.f32.u64 %f10, %l10;\n";
  EXPECT_EQ(hits_in_loop(wide, {}), 0);
  EXPECT_GE(hits_in_loop(wide, {"redundancy.reuse_operand_bits=64"}), 10 * 2);
}

TEST(ReuseBuffer, AloneConvertsNoInstruction) {
  const Settings alone{"redundancy.reuse_entries=8", "redundancy.convert=no"};
  const ProbeRun run = measure(kUniform, kSixMultiplyAdds, lanes(8, alone), kResults);
  EXPECT_EQ(run.cycles(), 7 * 4);
  EXPECT_GT(run.counter("redundancy.detected"), 6);
  EXPECT_EQ(run.counter("redundancy.converted"), 0);
  EXPECT_EQ(hits_in_loop(products(6), {"redundancy.convert=no"}), 10 * 6);
  // No register is kept in one place only, so nothing is copied.
  EXPECT_EQ(measure(kHalf, "@%p1 add.u32 %r9, %r9, 2;\n", lanes(8, alone), {"%r9"})
                .counter("redundancy.copies"),
            0);
}

// -- error detection ------------------------------------------------------------------------------

TEST(ErrorDetection, StoresEveryUniformRegisterASecondTime) {
  const std::string setup = kUniform + kHalf + "cvt.rn.f32.u32 %f1, %lane;\nmov.u32 %r1, %lane;\n";
  struct Case {
    const char* code;
    std::uint64_t comparisons, second_copies;
  };
  for (const Case& each : {Case{"fma.rn.f32 %f10, %f20, %f21, %f22;\n", 1, 1},
                           // Two registers.
                           Case{"mul.wide.u32 %l10, %r9, %r9;\n", 1, 2},
                           // A predicate has its bits for all lanes in any case.
                           Case{"setp.lt.u32 %p2, %r9, 7;\n", 1, 0},
                           // Broadcast by a load, not computed.
                           Case{"ld.global.f32 %f10, [%data+64];\n", 0, 1},
                           Case{"ld.global.v2.f32 {%f10, %f11}, [%data+64];\n", 0, 2},
                           // Computed in all lanes.
                           Case{"fma.rn.f32 %f10, %f1, %f21, %f22;\n", 0, 0},
                           Case{"@%p1 mul.rn.f32 %f10, %f20, %f21;\n", 0, 0}}) {
    for (const Settings& design : {Settings{}, kScalarFile}) {
      const Settings checked =
          lanes(8, design + Settings{"redundancy.detect_errors=yes", "isa.optimisation=no"});
      const auto added = [&](const std::string& counter) {
        return measure(setup, each.code, checked, {}).counter("redundancy.errors." + counter) -
               measure(setup, "", checked, {}).counter("redundancy.errors." + counter);
      };
      EXPECT_EQ(added("comparisons"), each.comparisons) << each.code;
      EXPECT_EQ(added("second_copies"), each.second_copies) << each.code;
    }
  }
}

TEST(ErrorDetection, StoresReusedResultsASecondTime) {
  // Ten iterations of two products. The first of each is computed, and the others are reused.
  const auto run = [](const std::string& body, const char* entries) {
    const std::string loop = "mov.u32 %r20, 0;\nLOOP:\n" + body +
                             "add.u32 %r20, %r20, 1;\nsetp.lt.u32 %p2, %r20, 10;\n@%p2 bra LOOP;\n";
    return measure(
        kUniform, loop,
        lanes(8, {std::string("redundancy.reuse_entries=") + entries,
                  "redundancy.detect_errors=yes", "isa.optimisation=no", "units.fp32.latency=2"}),
        {});
  };
  for (const char* entries : {"0", "8"}) {
    const auto added = [&](const std::string& counter) {
      return run(products(2), entries).counter(counter) - run("", entries).counter(counter);
    };
    EXPECT_EQ(added("redundancy.errors.second_copies"), 2 * 10);
    const std::uint64_t reused = entries[0] == '0' ? 0 : 2 * 9;
    EXPECT_EQ(added("redundancy.errors.comparisons"), 2 * 10 - reused);
    EXPECT_EQ(added("redundancy.errors.parities"), reused);
  }
}

TEST(ErrorDetection, StoresNothingTwiceWithoutConversion) {
  const Settings alone{"redundancy.convert=no", "redundancy.detect_errors=yes"};
  EXPECT_EQ(measure(kUniform, kSixMultiplyAdds, lanes(8, alone), kResults)
                .counter("redundancy.errors.second_copies"),
            0);
}

// -- combinations ---------------------------------------------------------------------------------

TEST(UniformVectors, BypassForwardsOnlyWhatAllLanesCompute) {
  const std::string chain = repeat(5, "fma.rn.f32 %f20, %f20, %f20, %f20;\n");
  for (const char* policy : {"scoreboard", "commit-scoreboard"}) {
    const Settings bypass{"units.bypass=yes",     "units.register_cycles=3",
                          "units.fp32.latency=8", "units.integer.latency=8",
                          "units.fp64.latency=8", std::string("dependence.policy=") + policy};
    const auto cycles = [&](const std::string& setup, const Settings& more) {
      return measure(setup, chain, lanes(32, bypass + more), {"%f20"}).cycles();
    };
    EXPECT_EQ(cycles(kDifferent, {}), 1 + 4 * (8 - 3) + 1) << policy;
    EXPECT_EQ(cycles(kUniform, {}), 1 + 4 * 8 + 1) << policy;
    EXPECT_EQ(cycles(kUniform, {"redundancy.policy=none"}), 1 + 4 * (8 - 3) + 1) << policy;
  }
}

TEST(UniformVectors, RejectsWarpsOfOtherThreads) {
  for (const char* policy : {"token", "scalar-file"}) {
    EXPECT_THROW(machine_of({"divergence.policy=large-warp", "divergence.large_warp=256",
                             std::string("redundancy.policy=") + policy}),
                 InputError);
  }
}

TEST(UniformVectors, RejectsOddSizesOfReusedValues) {
  EXPECT_THROW(machine_of({"redundancy.policy=token", "redundancy.reuse_operand_bits=48"}),
               InputError);
}

}  // namespace
}  // namespace heddle::gpu::test
