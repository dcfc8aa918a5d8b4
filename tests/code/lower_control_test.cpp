// Tests of lowering control flow, warp and texture instructions; refusals; source lines; register
// limits.

#include "lower_harness.h"

namespace heddle::code::test {
namespace {

/// The text of a whole kernel, with its exit.
std::string lowered_kernel(const std::string& body) {
  return lowered_function(kernel_around(body), "k");
}

TEST(LowerControl, BeginsBlocksAtLabelsAndAfterBranches) {
  EXPECT_EQ(
      lowered_kernel(
          "LOOP:\nadd.u32 %r1, %r1, 1;\n@%p1 bra LOOP;\n@!%p2 bra END;\nbra LOOP;\nEND:\nret;"),
      "add.u32 %r1 <- %r1, 0x1\n@%p1 branch -> 0\n"
      "-- 1\n@!%p2 branch -> 3\n"
      "-- 2\nbranch -> 0\n"
      "-- 3\nexit\n");
}

TEST(LowerControl, AddsReturnAtFunctionEnd) {
  EXPECT_EQ(lowered_kernel("add.u32 %r1, %r1, 1;"), "add.u32 %r1 <- %r1, 0x1\nexit\n");
  EXPECT_EQ(lowered_kernel("@%p1 exit;"), "@%p1 exit\n-- 1\nexit\n");
  EXPECT_EQ(lowered_kernel("bra END;\nEND:"), "branch -> 1\n-- 1\nexit\n");
  EXPECT_EQ(lowered_kernel(""), "exit\n");
}

TEST(LowerControl, KeepsUnreachableCodeInSeparateBlock) {
  EXPECT_EQ(lowered_kernel("exit;\nadd.u32 %r1, %r1, 1;"),
            "exit\n-- 1\nadd.u32 %r1 <- %r1, 0x1\nexit\n");
}

TEST(LowerControl, TranslatesIndexedBranchToTable) {
  const std::string text =
      kernel_around("T: .branchtargets A, B, A;\nbrx.idx %r1, T;\nA:\nexit;\nB:\ntrap;");
  EXPECT_EQ(lowered_function(text, "k"),
            "branch_indexed.u32 <- %r1 -> 0\n-- 1\nexit\n-- 2\ntrap\n");
  const CompilationUnit unit = lower_text(text);
  ASSERT_EQ(unit.bodies[0].branch_tables.size(), 1U);
  EXPECT_EQ(unit.bodies[0].branch_tables[0], (std::vector<BlockIndex>{1, 2, 1}));
}

TEST(LowerControl, TranslatesAllBarrierForms) {
  EXPECT_EQ(lowered("bar.sync 0;"), "barrier <- 0x0, _");
  EXPECT_EQ(lowered("barrier.sync.aligned %r1, 64;"), "barrier <- %r1, 0x40");
  EXPECT_EQ(lowered("bar.arrive 1, 128;"), "barrier <- 0x1, 0x80 barrier=1");
  EXPECT_EQ(lowered("bar.red.popc.u32 %r1, 0, !%p1;"), "barrier.u32 %r1 <- 0x0, _, !%p1 barrier=2");
  EXPECT_EQ(lowered("barrier.red.or.pred %p1, 2, 96, %p2;"),
            "barrier.pred %p1 <- 0x2, 0x60, %p2 barrier=4");
  EXPECT_EQ(lowered("bar.warp.sync 0xffffffff;"), "warp_sync.b32 <- 0xffffffff");
}

TEST(LowerControl, TranslatesStackInstructions) {
  EXPECT_EQ(lowered("alloca.u64 %d1, %d2, 32;"), "alloca.u64 %d1 <- %d2 offset=32");
  EXPECT_EQ(lowered("alloca.u64 %d1, %d2;"), "alloca.u64 %d1 <- %d2 offset=8");
  EXPECT_EQ(lowered("stacksave.u64 %d1;\nstackrestore.u64 %d1;"),
            "stack_save.u64 %d1\nstack_restore.u64 <- %d1");
}

TEST(LowerControl, TranslatesSleepBreakpointAndHints) {
  EXPECT_EQ(lowered("nanosleep.u32 %r1;"), "nanosleep.u32 <- %r1");
  EXPECT_EQ(lowered("brkpt;"), "breakpoint");
  EXPECT_EQ(lowered("pmevent 7;"), "");
  EXPECT_EQ(lowered("griddepcontrol.wait;"), "");
}

TEST(LowerWarp, TranslatesShuffles) {
  EXPECT_EQ(lowered("shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;"),
            "shfl.b32 %r1, %p1 <- %r2, 0x10, 0x1f, 0xffffffff shuffle=1");
  EXPECT_EQ(lowered("shfl.sync.bfly.b32 %r1, %r2, %r3, 31, %r4;"),
            "shfl.b32 %r1 <- %r2, %r3, 0x1f, %r4 shuffle=2");
}

TEST(LowerWarp, TranslatesVotesInEitherSpelling) {
  EXPECT_EQ(lowered("vote.sync.any.pred %p1, !%p2, %r1;"), "vote.pred %p1 <- !%p2, %r1 vote=1");
  EXPECT_EQ(lowered("vote.sync.ballot.b32 %r1, %p1, -1;"),
            "vote.b32 %r1 <- %p1, 0xffffffff vote=3");
  EXPECT_EQ(lowered("vote.ballot.sync.b32 %r1, %p1, -1;"),
            "vote.b32 %r1 <- %p1, 0xffffffff vote=3");
}

TEST(LowerWarp, TranslatesMatchReduxAndElect) {
  EXPECT_EQ(lowered("match.any.sync.b64 %r1, %d1, -1;"), "match.b64 %r1 <- %d1, 0xffffffff");
  EXPECT_EQ(lowered("match.all.sync.b32 %r1|%p1, %r2, -1;"),
            "match.b32 %r1, %p1 <- %r2, 0xffffffff match_all");
  EXPECT_EQ(lowered("redux.sync.max.s32 %r1, %r2, -1;"),
            "redux.s32 %r1 <- %r2, 0xffffffff reduction=5");
  EXPECT_EQ(lowered("elect.sync %r1|%p1, -1;"), "elect.b32 %r1, %p1 <- 0xffffffff");
  EXPECT_EQ(lowered("elect.sync _|%p1, -1;"), "elect.b32 t0, %p1 <- 0xffffffff");
  EXPECT_EQ(lowered("activemask.b32 %r1;"), "activemask.b32 %r1");
}

TEST(LowerTextures, PutsCoordinatesAfterHandleWithoutPadding) {
  EXPECT_EQ(lowered("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {%r1}];"),
            "texture.f32.s32 %f1, %f2, %f3, %f4 <- %d1, %r1 vector=4 geometry=0");
  EXPECT_EQ(lowered("tex.3d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%d1, {%f1, %f2, %f3, %f3}];"),
            "texture.s32.f32 %r1, %r2, %r3, %r4 <- %d1, %f1, %f2, %f3 vector=4 geometry=2");
  EXPECT_EQ(lowered("tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %f5, %f6, %f6}];"),
            "texture.f32.f32 %f1, %f2, %f3, %f4 <- %d1, %r1, %f5, %f6 vector=4 geometry=4");
}

TEST(LowerTextures, PutsLevelAndGradientsAfterCoordinates) {
  EXPECT_EQ(lowered("tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5, %f6}], %f7;"),
            "texture.f32.f32 %f1, %f2, %f3, %f4 <- %d1, %f5, %f6, %f7 vector=4 level=1");
  EXPECT_EQ(lowered("tex.grad.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5, %f6}], "
                    "{%f7, %f8}, {%f9, %f10};"),
            "texture.f32.f32 %f1, %f2, %f3, %f4 <- %d1, %f5, %f6, %f7, %f8, %f9, %f10 vector=4 "
            "level=2");
}

TEST(LowerTextures, TranslatesGathersQueriesAndSurfaces) {
  EXPECT_EQ(lowered("tld4.a.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5, %f6}];"),
            "texture.f32.f32 %f1, %f2, %f3, %f4 <- %d1, %f5, %f6 vector=4 gather=3");
  EXPECT_EQ(lowered("txq.height.b32 %r1, [%d1];"), "texture_query.b32 %r1 <- %d1 query=1");
  EXPECT_EQ(lowered("suq.width.b32 %r1, [%d1];"), "texture_query.b32 %r1 <- %d1 of_surface");
  EXPECT_EQ(lowered("suld.b.2d.v2.b32.clamp {%r1, %r2}, [%d1, {%r3, %r4}];"),
            "surface_load.b32.s32 %r1, %r2 <- %d1, %r3, %r4 vector=2 boundary=1");
  EXPECT_EQ(lowered("sust.b.1d.v4.b32.zero [%d1, {%r1}], {%r2, %r3, %r4, %r5};"),
            "surface_store.b32.s32 <- %d1, %r1, %r2, %r3, %r4, %r5 vector=4 geometry=0 boundary=2");
  EXPECT_EQ(lowered("sured.b.add.2d.u32.trap [%d1, {%r1, %r2}], %r3;"),
            "surface_reduce.u32.s32 <- %d1, %r1, %r2, %r3");
}

TEST(LowerRefusals, TurnUnsupportedInstructionIntoTrapAndNameIt) {
  const std::string body = "add.u32 %r1, %r1, 1;\nmbarrier.init.shared.b64 [%r1], 1;";
  EXPECT_EQ(lowered_kernel(body), "add.u32 %r1 <- %r1, 0x1\ntrap\n");
  const CompilationUnit unit = lower_text(kernel_around(body));
  ASSERT_EQ(unit.program.functions[0].unsupported.size(), 1U);
  const Unsupported& what = unit.program.functions[0].unsupported[0];
  EXPECT_NE(what.message.find("mbarrier.init.shared.b64"), std::string::npos) << what.message;
  EXPECT_EQ(what.places.front().ptx_line,
            7U);  // Lines 1 to 3 are the header, 4 and 5 begin the kernel, 6 is the addition.
}

TEST(LowerRefusals, MergeEqualReasonsAndListFirstPlaces) {
  std::string body;
  for (int i = 0; i < 1000; ++i) body += "mbarrier.init.shared.b64 [%r1], 1;\n";
  body +=
      "mbarrier.inval.shared.b64 [%r1];\nwmma.store.d.sync.aligned.row.m16n16k16.shared.f32 "
      "[%r1], {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};\n";
  const CompilationUnit unit = lower_text(kernel_around(body));
  const std::vector<Unsupported>& refused = unit.program.functions[0].unsupported;
  ASSERT_EQ(refused.size(), 3U);
  EXPECT_EQ(refused[0].count, 1000U);
  const std::vector<std::string> lines = describe_unsupported(unit.program, refused, 2);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0],
            "'mbarrier.init.shared.b64': Heddle does not execute it (test.ptx:6); 999 more like "
            "this: test.ptx:7, test.ptx:8, test.ptx:9, ...");
  EXPECT_EQ(lines[1], "'mbarrier.inval.shared.b64': Heddle does not execute it (test.ptx:1006)");
  EXPECT_EQ(lines[2], "and 1 more");
}

TEST(LowerRefusals, AreLimitedInNumberPerKernel) {
  std::vector<Unsupported> all;
  for (int i = 0; i < 5000; ++i) {
    add_unsupported(all, "reason " + std::to_string(i), {.ptx_line = 1});
  }
  EXPECT_EQ(all.size(), 100U);
  EXPECT_EQ(all.back().count, 4901U) << "expected the last entry to count all after the first 99";
}

TEST(LowerRefusals, KeepGuardOnTrap) {
  EXPECT_EQ(lowered_kernel("@%p1 mbarrier.init.shared.b64 [%r1], 1;\nadd.u32 %r1, %r1, 1;"),
            "@%p1 trap\n-- 1\nadd.u32 %r1 <- %r1, 0x1\nexit\n");
}

TEST(LowerRefusals, NameUnsupportedFeature) {
  EXPECT_NE(refusal("mov.u32 %r1, %cluster_ctarank;").find("%cluster_ctarank"), std::string::npos);
  for (const char* const bulk :
       {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 16, "
        "[%r2];",
        "cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], 48;",
        "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%d1, {%r1}], [%r2];",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [%r1], 16;",
        "cp.async.bulk.commit_group;", "cp.async.bulk.wait_group 0;"}) {
    EXPECT_NE(refusal(bulk).find("does not execute bulk copies"), std::string::npos) << bulk;
  }
  EXPECT_NE(refusal("cp.async.mbarrier.arrive.shared.b64 [%r1];").find("barriers in memory"),
            std::string::npos);
  EXPECT_NE(refusal("barrier.cluster.arrive;").find("cluster"), std::string::npos);
  EXPECT_NE(refusal("ld.shared::cluster.u32 %r1, [%r2];").find("cluster"), std::string::npos);
  EXPECT_NE(refusal("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f6}];",
                    ".global .texref image;\n")
                .find("references"),
            std::string::npos);
}

TEST(LowerPlaces, KeepsLineAndSourceOfEveryInstruction) {
  std::vector<ptx::Module> modules;
  const std::string text =
      ".file 1 \"a.cu\"\n.file 2 \"b.cuh\"\n.visible .entry %s() {\n.reg .b32 %r<3>;\n"
      ".loc 1 10 5\nadd.u32 %r1, %r1, 1;\n.loc 2 20 7\nadd.u32 %r2, %r1, 1;\nret;\n}\n";
  const auto named = [&](const std::string& name) {
    std::string out = text;
    return out.replace(out.find("%s"), 2, name);
  };
  modules.push_back(parse_module(named("one"), "one.ptx"));
  modules.push_back(parse_module(named("two"), "two.ptx"));
  const CompilationUnit unit = lower(modules);
  EXPECT_EQ(unit.program.source_files.size(), 3U);  // "", a.cu and b.cuh, once each.
  for (const Function& body : unit.bodies) {
    const auto& code = body.blocks[0].instructions;
    EXPECT_EQ(code[0].ptx_line, 9U);
    const SourcePlace& first = unit.program.source_lines.at(code[0].source);
    const SourcePlace& second = unit.program.source_lines.at(code[1].source);
    EXPECT_EQ(unit.program.source_files.at(first.file), "a.cu");
    EXPECT_EQ(first.line, 10U);
    EXPECT_EQ(first.column, 5U);
    EXPECT_EQ(unit.program.source_files.at(second.file), "b.cuh");
    EXPECT_EQ(second.line, 20U);
  }
}

TEST(LowerLimits, ComputesRegisterLimitFromDirectives) {
  const auto limit = [](const std::string& directives) {
    return lower_text(".visible .entry k() " + directives + " { ret; }").bodies[0].max_registers;
  };
  EXPECT_EQ(limit(""), 0U);
  EXPECT_EQ(limit(".maxnreg 40"), 40U);
  EXPECT_EQ(limit(".maxntid 1024, 1, 1 .minnctapersm 2"), 32U);
  EXPECT_EQ(limit(".maxntid 192, 1, 1 .minnctapersm 3"), 112U);  // 65536 / 576, in units of 8.
  EXPECT_EQ(limit(".reqntid 16, 16 .minnctapersm 2"), 128U);
  EXPECT_EQ(limit(".maxntid 32, 1, 1 .minnctapersm 1"), 255U);
}

}  // namespace
}  // namespace heddle::code::test
