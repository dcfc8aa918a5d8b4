// Tests of lowering shared memory: where its variables lie.

#include "lower_harness.h"

namespace heddle::code::test {
namespace {

const FunctionInfo& info_of(const CompilationUnit& unit, const std::string& name) {
  return unit.program.functions[function_index(unit, name)];
}

/// The shared-memory offsets of the variables that a function names, in order of their uses.
std::vector<std::uint32_t> places_in(const CompilationUnit& unit, const std::string& name) {
  std::vector<std::uint32_t> out;
  for (const BasicBlock& block : unit.bodies[function_index(unit, name)].blocks) {
    for (const Instruction& in : block.instructions) {
      for (const Operand& operand : in.sources) {
        if (operand.kind == Operand::Kind::variable) {
          out.push_back(unit.program.variables[operand.index].shared_offset);
        }
      }
    }
  }
  return out;
}

TEST(SharedMemory, PacksKernelVariablesAligned) {
  const CompilationUnit unit = lower_text(
      ".visible .entry k() {\n.shared .align 1 .b8 a[3];\n.shared .align 8 .b8 b[16];\n"
      ".shared .align 4 .b8 unused[400];\n.reg .b32 %r<3>;\n"
      "st.shared.u8 [a], 1;\nst.shared.u32 [b], 1;\nret;\n}\n");
  EXPECT_EQ(places_in(unit, "k"), (std::vector<std::uint32_t>{0, 8}));
  EXPECT_EQ(info_of(unit, "k").shared_bytes, 24U);
}

TEST(SharedMemory, PlacesModuleVariablePerKernel) {
  const CompilationUnit unit = lower_text(
      ".shared .align 4 .b8 a[100];\n.shared .align 4 .b8 b[40];\n"
      ".visible .entry j() { st.shared.u32 [a], 1; st.shared.u32 [b], 2; ret; }\n"
      ".visible .entry k() { st.shared.u32 [b], 2; ret; }\n");
  EXPECT_EQ(places_in(unit, "j"), (std::vector<std::uint32_t>{0, 100}));
  EXPECT_EQ(places_in(unit, "k"), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(info_of(unit, "j").shared_bytes, 140U);
  EXPECT_EQ(info_of(unit, "k").shared_bytes, 40U);
}

TEST(SharedMemory, PlacesDeviceFunctionVariableOnceForAllKernels) {
  const CompilationUnit unit = lower_text(
      ".shared .align 4 .b8 a[100];\n.shared .align 4 .b8 b[40];\n"
      ".func f { st.shared.u32 [b], 1; ret; }\n"
      ".visible .entry j() { st.shared.u32 [a], 1; call f; ret; }\n"
      ".visible .entry k() { st.shared.u32 [b], 2; call f; ret; }\n"
      ".visible .entry l() { st.shared.u32 [a], 2; ret; }\n");
  EXPECT_EQ(places_in(unit, "f"), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(places_in(unit, "k"), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(places_in(unit, "j"), (std::vector<std::uint32_t>{40}));
  EXPECT_EQ(places_in(unit, "l"), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(info_of(unit, "j").shared_bytes, 140U);
  EXPECT_EQ(info_of(unit, "k").shared_bytes, 40U);
  EXPECT_EQ(info_of(unit, "l").shared_bytes, 100U);
}

TEST(SharedMemory, OverlapsVariablesThatNoKernelReachesTogether) {
  const CompilationUnit unit = lower_text(
      ".func f { .shared .align 4 .b8 a[100]; st.shared.u32 [a], 1; ret; }\n"
      ".func g { .shared .align 4 .b8 b[40]; st.shared.u32 [b], 1; ret; }\n"
      ".visible .entry j() { call f; ret; }\n.visible .entry k() { call g; ret; }\n");
  EXPECT_EQ(info_of(unit, "j").shared_bytes, 100U);
  EXPECT_EQ(info_of(unit, "k").shared_bytes, 40U);
}

TEST(SharedMemory, CountsAddressTakenFunctionsForIndirectCalls) {
  const CompilationUnit unit = lower_text(
      ".func f { .shared .align 4 .b8 a[12]; st.shared.u32 [a], 1; ret; }\n"
      ".func g { .shared .align 4 .b8 b[40]; st.shared.u32 [b], 1; ret; }\n"
      ".global .u64 table[1] = {f};\n"
      ".visible .entry k() {\n.reg .b64 %d<2>;\nld.global.u64 %d1, [table];\n"
      "P: .callprototype _ ();\ncall %d1, P;\nret;\n}\n");
  EXPECT_TRUE(info_of(unit, "k").calls_indirectly);
  EXPECT_EQ(info_of(unit, "k").shared_bytes, 12U);
}

TEST(SharedMemory, ReadsDynamicMemoryOffsetAtRunTime) {
  const std::string text =
      ".extern .shared .align 128 .b8 all[];\n"
      ".visible .entry k() {\n.reg .b32 %r<3>;\n.shared .align 4 .b8 own[20];\n"
      "mov.u32 %r1, all;\nst.shared.u32 [all+8], %r1;\nst.shared.u32 [own], %r1;\nret;\n}\n"
      ".visible .entry j() {\n.shared .align 4 .b8 own2[20];\nst.shared.u32 [own2], 1;\nret;\n}\n";
  const std::string out = lowered_function(text, "k");
  EXPECT_EQ(out.find("read_special.u32 t0 special=26\n"
                     "move.b32 %r1 <- t0\n"
                     "read_special.u32 t1 special=26\n"
                     "store.u32 <- t1, %r1 shared offset=8\n"),
            0U)
      << out;
  const CompilationUnit unit = lower_text(text);
  EXPECT_EQ(info_of(unit, "k").shared_bytes, 128U);  // Rounded up to the alignment of `all`.
  EXPECT_EQ(info_of(unit, "j").shared_bytes, 20U);
}

TEST(SharedMemory, ReservesCudasPartOnlyForKernelsThatCanReadItsPlace) {
  const CompilationUnit unit = lower_text(
      ".func f { .reg .b32 %r; mov.u32 %r, %reserved_smem_offset_1; st.shared.u32 [%r], 1; ret; }\n"
      ".visible .entry j() { .shared .align 4 .b8 a[20]; st.shared.u32 [a], 1; call f; ret; }\n"
      ".visible .entry k() { .shared .align 4 .b8 b[20]; st.shared.u32 [b], 1; ret; }\n"
      ".visible .entry l() { .reg .b32 %r; mov.u32 %r, %reserved_smem_offset_cap; ret; }\n");
  EXPECT_EQ(info_of(unit, "j").reserved_shared_bytes, 1024U);
  EXPECT_EQ(info_of(unit, "j").shared_bytes, 1044U);
  EXPECT_EQ(info_of(unit, "k").reserved_shared_bytes, 0U);
  EXPECT_EQ(info_of(unit, "k").shared_bytes, 20U);
  EXPECT_EQ(info_of(unit, "l").shared_bytes, 0U);
}

}  // namespace
}  // namespace heddle::code::test
