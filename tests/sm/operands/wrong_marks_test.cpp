// The value check finds wrong compiler marks. The tests make each mark of a compiled kernel wrong
// in turn (Gebhart's dissertation on on-chip storage for throughput processors, chapters 5 and 6).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "code/compile.h"
#include "ptx/parser.h"
#include "sm/operands/hierarchy_parameters.h"
#include "sm/operands/issued_code.h"

namespace heddle::sm::test {
namespace {

/// A kernel with one basic block and without loads.
const std::string kStraight = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry straight(.param .u64 values, .param .u32 factor)
{
  .reg .b32 %r<20>;
  .reg .b64 %at, %offset;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  ld.param.u32 %r3, [factor];
  mad.lo.u32 %r4, %r1, %r3, %r2;
  xor.b32 %r5, %r4, %r1;
  mul.lo.u32 %r6, %r5, %r4;
  not.b32 %r7, %r2;
  mad.lo.u32 %r8, %r6, %r7, %r5;
  mul.lo.u32 %r9, %r8, %r1;
  xor.b32 %r10, %r9, %r6;
  mul.wide.u32 %offset, %r1, 4;
  ld.param.u64 %at, [values];
  add.u64 %at, %at, %offset;
  st.global.u32 [%at], %r10;
  st.global.u32 [%at+4096], %r8;
  ret;
}
)";

code::Program compile_kernel(const std::optional<code::Hierarchy>& hierarchy = {}) {
  std::vector<ptx::Module> modules;
  modules.push_back(ptx::parse(kStraight, "test.ptx").module);
  return code::compile(modules, {.hierarchy = hierarchy});
}

std::uint32_t size_of(const code::Program& program) {
  return static_cast<std::uint32_t>(program.instructions.size());
}

// -- the last read of a value ---------------------------------------------------------------------

/// The number of wrong values if the warp is suspended after the instruction at `pc`.
std::uint64_t wrong_values_in_cache(const std::vector<Instruction>& instructions,
                                    std::uint32_t pc) {
  IssuedCode code{{"policy=register-cache", "main=flat", "entries=6", "check_values=yes"},
                  instructions};
  code.issue_all(0, pc).suspend().issue_all(pc + 1,
                                            static_cast<std::uint32_t>(instructions.size()) - 1);
  return code.counter_value("wrong_values");
}

TEST(WrongMarks, AreFoundOnReadsThatAreNotTheLast) {
  const code::Program program = compile_kernel();
  int wrongly_marked = 0;
  for (std::uint32_t pc = 0; pc < size_of(program); ++pc) {
    EXPECT_EQ(wrong_values_in_cache(program.instructions, pc), 0u) << "as compiled, " << pc;
    for (std::size_t i = 0; i < program.instructions[pc].sources.size(); ++i) {
      const Operand& source = program.instructions[pc].sources[i];
      if (!source.is_register() || source.last_use) continue;
      std::vector<Instruction> marked = program.instructions;
      marked[pc].sources[i].last_use = true;
      // One or two registers of 32 threads are read at least once more.
      EXPECT_GE(wrong_values_in_cache(marked, pc), source.width * 32u) << pc << ", source " << i;
      ++wrongly_marked;
    }
  }
  EXPECT_GE(wrongly_marked, 5);
}

TEST(WrongMarks, MissingOnLastReadsCostWriteBacksOnly) {
  const code::Program program = compile_kernel();
  const auto written_back = [&](const std::vector<Instruction>& instructions, std::uint32_t pc) {
    IssuedCode code{{"policy=register-cache", "main=flat", "entries=6", "check_values=yes"},
                    instructions};
    code.issue_all(0, pc).suspend().issue_all(pc + 1, size_of(program) - 1);
    EXPECT_EQ(code.counter_value("wrong_values"), 0u);
    return code.counter_value("written_back");
  };
  int marks = 0;
  for (std::uint32_t pc = 0; pc < size_of(program); ++pc) {
    const Instruction& instruction = program.instructions[pc];
    for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
      const Operand& source = instruction.sources[i];
      if (!source.is_register() || !source.last_use) continue;
      std::vector<Instruction> unmarked = program.instructions;
      unmarked[pc].sources[i].last_use = false;
      // A register that the instruction also writes is written back in any case.
      std::uint64_t replaced = 0;
      for (std::uint32_t word = source.index; word < source.index + source.width; ++word) {
        for (const Operand& result : instruction.destinations) {
          if (result.is_register() && result.index <= word && word < result.index + result.width) {
            ++replaced;
          }
        }
      }
      EXPECT_EQ(written_back(unmarked, pc),
                written_back(program.instructions, pc) + source.width - replaced)
          << pc << ", source " << i;
      ++marks;
    }
  }
  EXPECT_GE(marks, 5);
}

// -- places of values -----------------------------------------------------------------------------

constexpr std::uint32_t kEntries = 3;

code::Program compile_with_places() {
  OperandDescription description =
      configure<OperandDescription>({"policy=managed", "main=flat", "entries=3", "last_results=3"});
  return compile_kernel(description.hierarchy());
}

std::uint64_t wrong_values_if_managed(const code::Program& program) {
  IssuedCode code{
      {"policy=managed", "main=flat", "entries=3", "last_results=3", "check_values=yes"},
      program.instructions,
      program.placement};
  code.issue_all(0, size_of(program) - 1);
  return code.counter_value("wrong_values");
}

TEST(WrongMarks, AreFoundForReadPlaces) {
  const code::Program right = compile_with_places();
  EXPECT_EQ(wrong_values_if_managed(right), 0u);
  int main_reads = 0, upper_reads = 0;
  for (std::uint32_t pc = 0; pc < size_of(right); ++pc) {
    for (std::size_t i = 0; i < right.placement[pc].reads.size(); ++i) {
      const code::UpperPlace from = right.placement[pc].reads[i].from;
      for (const code::RegisterLevel level :
           {code::RegisterLevel::operand, code::RegisterLevel::last_result}) {
        const auto another = static_cast<std::uint8_t>((from.entry + 1) % kEntries);
        code::Program wrong = right;
        wrong.placement[pc].reads[i].from = {level, another};
        EXPECT_EQ(wrong_values_if_managed(wrong), 32u) << pc << ", read " << i;
      }
      ++(from.present() ? upper_reads : main_reads);
    }
  }
  EXPECT_GE(main_reads, 1);
  EXPECT_GE(upper_reads, 5);
}

TEST(WrongMarks, AreFoundForWritePlacesWhenTheValueIsRead) {
  const code::Program right = compile_with_places();
  int written = 0;
  for (std::uint32_t pc = 0; pc < size_of(right); ++pc) {
    for (std::size_t i = 0; i < right.placement[pc].writes.size(); ++i) {
      code::Program wrong = right;
      code::WritePlace& place = wrong.placement[pc].writes[i];
      if (place.upper.present()) {
        place.upper = {};
      } else {
        place.main = false;
      }
      EXPECT_GE(wrong_values_if_managed(wrong), 32u) << pc << ", result " << i;
      ++written;
    }
  }
  EXPECT_GE(written, 10);
}

}  // namespace
}  // namespace heddle::sm::test
