// Tests of which loops are unrolled. Each copy of the loop's body contains one load, so the number
// of loads in the code tells how many copies there are.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "code/compile.h"
#include "ptx/parser.h"

namespace heddle::code {
namespace {

/// A kernel that sums an array. The arguments are inserted at the module's beginning, in the
/// kernel's header and after the loop's label.
std::string sum(const std::string& in_module, const std::string& in_head,
                const std::string& in_loop) {
  return ".version 7.0\n.target sm_75\n.address_size 64\n" + in_module +
         ".visible .entry sum(.param .u64 data, .param .u32 count, .param .u64 result)\n" +
         in_head +
         R"({
  .reg .pred %p<3>;
  .reg .b32 %r<6>;
  .reg .f32 %f<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [count];
  ld.param.u64 %rd2, [result];
  mov.u32 %r2, 0;
  mov.f32 %f1, 0f00000000;
$again:
)" + in_loop +
         R"(
  ld.global.f32 %f2, [%rd1];
  add.f32 %f1, %f1, %f2;
  add.s64 %rd1, %rd1, 4;
  add.s32 %r2, %r2, 1;
  setp.lt.s32 %p1, %r2, %r1;
  @%p1 bra $again;
  st.global.f32 [%rd2], %f1;
  ret;
}
)";
}

std::size_t count_loads(const std::string& text) {
  ptx::ParseResult parsed = ptx::parse(text, "test.ptx");
  EXPECT_TRUE(parsed.ok()) << render(parsed.diagnostics, "test.ptx", text);
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(parsed.module));
  std::size_t loads = 0;
  for (const Instruction& instruction : compile(modules).instructions) {
    if (instruction.operation == Operation::load) ++loads;
  }
  return loads;
}

constexpr const char* kNoUnroll = ".pragma \"nounroll\";\n";

TEST(Unrolling, MakesFourCopiesAndKeepsRemainderLoop) {
  EXPECT_EQ(count_loads(sum("", "", "")), 5U);
}

TEST(Unrolling, SkipsLoopWithNounrollPragma) { EXPECT_EQ(count_loads(sum("", "", kNoUnroll)), 1U); }

TEST(Unrolling, SkipsLoopsOfKernelOrModuleWithNounrollPragma) {
  EXPECT_EQ(count_loads(sum("", kNoUnroll, "")), 1U);
  EXPECT_EQ(count_loads(sum(kNoUnroll, "", "")), 1U);
}

TEST(Unrolling, IgnoresPragmaOutsideLoopHeader) {
  const std::string text = sum("", "", "");
  std::string marked = text;
  marked.insert(marked.find("$again:"), kNoUnroll);
  EXPECT_EQ(count_loads(marked), 5U);
}

}  // namespace
}  // namespace heddle::code
