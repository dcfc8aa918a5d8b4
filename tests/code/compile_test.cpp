// Tests of the whole compilation, from PTX to machine code with physical registers.

#include "code/compile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "code/allocate/allocate.h"
#include "code/compilation_unit.h"
#include "code/effects.h"
#include "code/listing.h"
#include "code/optimise/passes.h"
#include "code/verify.h"
#include "ptx/parser.h"
#include "source_file.h"

namespace heddle::code {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<ptx::Module> modules_of(const std::string& text, const std::string& file = "test.ptx") {
  ptx::ParseResult parsed = ptx::parse(text, file);
  EXPECT_TRUE(parsed.ok()) << render(parsed.diagnostics, file, text);
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(parsed.module));
  return modules;
}

constexpr const char* kHeader = ".version 7.0\n.target sm_75\n.address_size 64\n";

constexpr const char* kScale = R"(
.visible .entry scale(.param .u64 data, .param .u32 count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  setp.ge.s32 %p1, %r2, %r1;
  @%p1 bra $done;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.s32 %rd3, %r2, 4;
  add.s64 %rd4, %rd2, %rd3;
  add.s64 %rd5, %rd4, 16;
  ld.global.u32 %r3, [%rd5];
  add.s32 %r4, %r3, 1;
  st.global.u32 [%rd5+4], %r4;
$done:
  ret;
}
)";

/// A kernel with ten values that stay live and a chain of eight products, each of which only the
/// next one reads. The compiler could keep all products in one register.
std::string chain_of_products() {
  std::string text = std::string(kHeader) + R"(
.visible .entry chain(.param .u64 data)
{
  .reg .b32 %r<11>;
  .reg .b32 %t<9>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [data];
  mov.u32 %t0, %tid.x;
)";
  for (int i = 1; i <= 10; ++i) {
    text += fmt::format("  ld.global.u32 %r{}, [%rd1+{}];\n", i, 4 * i);
  }
  for (int i = 1; i <= 8; ++i) text += fmt::format("  mul.lo.u32 %t{}, %t{}, %r1;\n", i, i - 1);
  for (int i = 1; i <= 10; ++i) {
    text += fmt::format("  st.global.u32 [%rd1+{}], %r{};\n", 400 + 4 * i, i);
  }
  return text + "  st.global.u32 [%rd1], %t8;\n  ret;\n}\n";
}

TEST(Compile, KeepsRequestedRegisterReuseDistance) {
  const auto registers_of_products = [](std::uint32_t distance) {
    const Program program =
        compile(modules_of(chain_of_products()), {.register_reuse_distance = distance});
    std::set<std::uint32_t> registers;
    for (const Instruction& instruction : program.instructions) {
      if (instruction.operation != Operation::mul_lo) continue;
      registers.insert(instruction.destinations[0].index);
    }
    return registers.size();
  };
  EXPECT_EQ(registers_of_products(0), 1u);
  EXPECT_GE(registers_of_products(kDefaultReuseDistance), 3u);
}

TEST(Compile, BranchesAroundShortPathIfPredicationIsOff) {
  const std::string text = std::string(kHeader) + R"(
.visible .entry side(.param .u64 data)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  setp.ge.s32 %p1, %r1, 5;
  @%p1 bra $after;
  add.s32 %r1, %r1, 7;
  st.global.u32 [%rd1], %r1;
$after:
  st.global.u32 [%rd1+4], %r1;
  ret;
}
)";
  const auto listing = [&](bool predication) {
    const Program program = compile(modules_of(text), {.predication = predication});
    return listing_of(program, program.functions[0]);
  };
  EXPECT_THAT(listing(true), Not(HasSubstr("branch")));
  EXPECT_THAT(listing(false), HasSubstr("branch"));
}

TEST(Compile, UsesGuardedExitWideMultiplyAddAndDisplacements) {
  const Program program = compile(modules_of(std::string(kHeader) + kScale));
  ASSERT_EQ(program.functions.size(), 1U);
  const std::string text = listing_of(program, program.functions[0]);
  // The early return becomes a guarded exit. One wide multiply-add computes the address, with the
  // pointer parameter as an operand; the displacements are in the load and the store.
  EXPECT_THAT(text, HasSubstr("exit"));
  EXPECT_THAT(text, Not(HasSubstr("branch")));
  EXPECT_THAT(text, HasSubstr("mad_wide"));
  EXPECT_THAT(text, HasSubstr("c[0x160]"));
  EXPECT_THAT(text, HasSubstr("+16]"));
  EXPECT_THAT(text, HasSubstr("+20]"));
  EXPECT_THAT(text, Not(HasSubstr("convert_address")));
  EXPECT_EQ(program.functions[0].end - program.functions[0].entry, 9U) << text;
}

std::vector<Operation> operations_of(const Program& program) {
  std::vector<Operation> operations;
  for (const Instruction& instruction : program.instructions) {
    operations.push_back(instruction.operation);
  }
  return operations;
}

TEST(Compile, KeepsEachInstructionOfPtxIfOptimisationIsOff) {
  const Program program = compile(modules_of(std::string(kHeader) + kScale),
                                  {.optimisation = false, .scheduling = false});
  // One operation for each line of kScale, in its order.
  EXPECT_THAT(operations_of(program),
              ElementsAre(Operation::move, Operation::move, Operation::read_special,
                          Operation::setp, Operation::branch, Operation::convert_address,
                          Operation::mul_wide, Operation::add, Operation::add, Operation::load,
                          Operation::add, Operation::store, Operation::exit))
      << listing_of(program, program.functions[0]);
}

const CompileOptions kParameterOperands{
    .optimisation = false, .parameter_operands = true, .scheduling = false};

TEST(Compile, ReadsParametersAsOperandsOfPtxAsItIsWritten) {
  const Program program = compile(modules_of(std::string(kHeader) + kScale), kParameterOperands);
  // The lines of kScale without its two reads of parameters and the conversion of an address.
  EXPECT_THAT(operations_of(program),
              ElementsAre(Operation::read_special, Operation::setp, Operation::branch,
                          Operation::mul_wide, Operation::add, Operation::add, Operation::load,
                          Operation::add, Operation::store, Operation::exit));
  const std::string text = listing_of(program, program.functions[0]);
  EXPECT_THAT(text, HasSubstr("c[0x168]")) << "the comparison reads the second parameter";
  EXPECT_THAT(text, HasSubstr("c[0x160]")) << "the first sum reads the first parameter";
}

TEST(Compile, KeepsParametersInRegistersWhereOperandsCannotReplaceThem) {
  const std::string text = std::string(kHeader) + R"(
.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n) {
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  ld.param.u64 %rd2, [q];
  ld.param.u32 %r1, [n];
  cvta.to.global.u64 %rd3, %rd1;
  ld.global.u64 %rd4, [%rd3];
  cvta.to.global.u64 %rd5, %rd4;
  st.global.u32 [%rd5], %r1;
  mov.u32 %r2, %tid.x;
  setp.eq.u32 %p1, %r2, 0;
  ld.param.u32 %r3, [n];
  @%p1 mov.u32 %r3, 5;
  add.u32 %r4, %r3, %r2;
  mov.u32 %r5, %r1;
  add.u32 %r6, %r5, %r2;
  add.u64 %rd6, %rd4, %rd2;
  st.global.u32 [%rd6], %r4;
  st.global.u32 [%rd6+4], %r6;
  ret;
})";
  EXPECT_THAT(
      operations_of(compile(modules_of(text), kParameterOperands)),
      ElementsAre(Operation::move,  // n, which is stored.
                  Operation::move,  // p, which is an address.
                  Operation::load, Operation::store, Operation::read_special, Operation::setp,
                  Operation::move, Operation::move,  // %r3 has two definitions.
                  Operation::add,
                  Operation::move,  // As it is written.
                  Operation::add, Operation::add, Operation::store, Operation::store,
                  Operation::exit));
}

/// The operations of a kernel that computes a product and a sum in integers, in floats without and
/// with a rounding mode, and by an fma. Loads and stores, and the move of the parameter, are left
/// out.
std::vector<Operation> operations_of_sums(MultiplyAdd multiply_add) {
  const std::string text = std::string(kHeader) + R"(
.visible .entry k(.param .u64 p) {
  .reg .f32 %f<8>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  ld.volatile.global.u32 %r1, [%rd1];
  mul.lo.s32 %r2, %r1, %r1;
  add.s32 %r3, %r2, 3;
  st.volatile.global.u32 [%rd1], %r3;
  ld.volatile.global.f32 %f1, [%rd1];
  mul.f32 %f2, %f1, %f1;
  add.f32 %f3, %f2, %f1;
  st.volatile.global.f32 [%rd1], %f3;
  mul.rn.f32 %f4, %f1, %f1;
  add.rn.f32 %f5, %f4, %f1;
  st.volatile.global.f32 [%rd1], %f5;
  fma.rn.f32 %f6, %f1, %f1, %f5;
  st.volatile.global.f32 [%rd1], %f6;
  ret;
}
)";
  const Program program =
      compile(modules_of(text), {.multiply_add = multiply_add, .scheduling = false});
  std::vector<Operation> operations;
  for (const Instruction& instruction : program.instructions) {
    const Operation operation = instruction.operation;
    if (operation == Operation::load || operation == Operation::store ||
        operation == Operation::move) {
      continue;
    }
    operations.push_back(operation);
  }
  return operations;
}

TEST(Compile, FusesProductsAndSumsUnlessTheyAreRoundedEach) {
  EXPECT_THAT(operations_of_sums(MultiplyAdd::fused),
              ElementsAre(Operation::mad_lo, Operation::fma, Operation::mul_lo, Operation::add,
                          Operation::fma, Operation::exit));
}

TEST(Compile, KeepsProductsAndSumsSeparateOnRequest) {
  EXPECT_THAT(operations_of_sums(MultiplyAdd::separate),
              ElementsAre(Operation::mul_lo, Operation::add, Operation::mul_lo, Operation::add,
                          Operation::mul_lo, Operation::add, Operation::fma, Operation::exit));
}

TEST(Compile, ReportsKernelResources) {
  const Program program = compile(modules_of(std::string(kHeader) + kScale));
  const std::vector<KernelSummary> kernels = summaries_of(program);
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].name, "scale");
  EXPECT_GE(kernels[0].registers, 6U);
  EXPECT_LE(kernels[0].registers, 10U);
  EXPECT_EQ(kernels[0].spill_stores, 0U);
  EXPECT_EQ(kernels[0].blocks, 1U);
  EXPECT_TRUE(kernels[0].unsupported.empty());
}

TEST(Compile, PutsProgramCountersInBranches) {
  const Program program = compile(modules_of(std::string(kHeader) + R"(
.visible .entry loop(.param .u64 data, .param .u32 count)
{
  .reg .pred %p<3>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, 0;
$again:
  atom.global.add.u32 %r3, [%rd1], %r2;
  setp.eq.s32 %p2, %r3, 7;
  @%p2 bra $skip;
  bar.sync 0;
$skip:
  add.s32 %r2, %r2, %r3;
  setp.lt.s32 %p1, %r2, %r1;
  @%p1 bra $again;
  st.global.u32 [%rd1], %r2;
  ret;
}
)"));
  const FunctionInfo& function = program.functions[0];
  std::uint32_t branches = 0;
  for (std::uint32_t counter = function.entry; counter < function.end; ++counter) {
    const Instruction& instruction = program.instructions[counter];
    if (instruction.operation != Operation::branch) continue;
    ++branches;
    ASSERT_GE(instruction.target, function.entry);
    ASSERT_LT(instruction.target, function.end);
    ASSERT_NE(instruction.reconvergence, kNone);
    if (instruction.target > counter) {
      EXPECT_EQ(instruction.reconvergence, instruction.target);
    } else {
      EXPECT_EQ(instruction.reconvergence, counter + 1);
      EXPECT_EQ(program.instructions[instruction.target].operation, Operation::atomic);
    }
  }
  EXPECT_EQ(branches, 2U);
}

TEST(Compile, ObeysRegisterLimit) {
  std::string text = std::string(kHeader) + R"(
.visible .entry many(.param .u64 data)
{
  .reg .b32 %r<60>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [data];
)";
  for (int i = 0; i < 50; ++i) {
    text += "  ld.volatile.global.u32 %r" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) +
            "];\n";
  }
  for (int i = 0; i < 50; ++i) {
    text += "  st.volatile.global.u32 [%rd1+" + std::to_string(4 * i) + "], %r" +
            std::to_string(49 - i) + ";\n";
  }
  text += "  ret;\n}\n";
  const Program ample = compile(modules_of(text));
  EXPECT_GT(ample.functions[0].registers, 50U);
  EXPECT_EQ(ample.functions[0].spill_stores, 0U);
  const Program tight = compile(modules_of(text), {.max_registers = 32});
  EXPECT_LE(tight.functions[0].registers, 32U);
  EXPECT_GT(tight.functions[0].spill_stores, 0U);
  EXPECT_GT(tight.functions[0].spill_loads, 0U);
  EXPECT_GE(tight.functions[0].frame_bytes, 4 * tight.functions[0].spill_stores);
}

TEST(Compile, ProducesValidCodeAfterEachPassOnCorpus) {
  const std::filesystem::path folder = source_file("tests/corpus/kernels");
  const std::vector<std::pair<std::string, std::function<void(Function&)>>> passes = {
      {"lowering", [](Function&) {}},
      {"control flow", simplify_control_flow},
      {"webs", split_webs},
      {"propagation", [](Function& function) { propagate_values(function); }},
      {"displacement", [](Function& function) { displace_addresses(function); }},
      {"combination", [](Function& function) { combine_operations(function); }},
      {"dead code", [](Function& function) { remove_dead_code(function); }},
      {"if conversion", [](Function& function) { convert_branches(function); }},
      {"unrolling", unroll_loops},
      {"all", [](Function& function) { optimise(function); }},
      {"schedule", [](Function& function) { schedule_blocks(function, 60); }},
      {"operand forms", limit_operand_forms},
  };
  std::size_t functions = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".ptx") continue;
    CompilationUnit unit = lower(modules_of(read_file(entry.path()), entry.path().string()));
    for (Function& function : unit.bodies) {
      ++functions;
      for (const auto& [name, pass] : passes) {
        pass(function);
        ASSERT_EQ(find_defect(function, CodeForm::virtual_registers), std::nullopt)
            << entry.path() << " after " << name;
      }
      const Allocation allocation = allocate(function, {});
      ASSERT_EQ(
          find_defect(function, CodeForm::allocated, {allocation.registers, allocation.predicates}),
          std::nullopt)
          << entry.path();
    }
  }
  EXPECT_GE(functions, 40U);
}

}  // namespace
}  // namespace heddle::code
