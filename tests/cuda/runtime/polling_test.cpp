// Which kernels may poll memory.

#include "cuda/runtime/polling.h"

#include <gtest/gtest.h>

#include <string>

#include "code/compile.h"
#include "ptx/parser.h"

namespace heddle::cuda {
namespace {

/// Whether the kernel `k` of a module may poll.
bool may_poll_in(const std::string& functions) {
  const std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n" + functions;
  std::vector<ptx::Module> modules;
  modules.push_back(ptx::parse(text, "test.ptx").module);
  const code::Program program = code::compile(modules);
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    if (program.functions[f].name == "k") return may_poll(program, f);
  }
  ADD_FAILURE() << "no kernel k";
  return false;
}

/// A kernel that repeats `read` until its result is not 0.
std::string loop_with(const std::string& read) {
  return ".visible .entry k(.param .u64 p) {\n.reg .pred %q;\n.reg .b32 %r;\n.reg .b64 %d;\n"
         "ld.param.u64 %d, [p];\nL: " +
         read + "\nsetp.eq.u32 %q, %r, 0;\n@%q bra L;\nret;\n}\n";
}

TEST(MayPoll, NeedsALoopWithAReadThatIsRepeated) {
  EXPECT_TRUE(may_poll_in(loop_with("ld.volatile.global.u32 %r, [%d];")));
  EXPECT_TRUE(may_poll_in(loop_with("ld.acquire.sys.u32 %r, [%d];")));
  EXPECT_TRUE(may_poll_in(loop_with("ld.relaxed.gpu.global.u32 %r, [%d];")));
  EXPECT_TRUE(may_poll_in(loop_with("ld.global.cv.u32 %r, [%d];")));
  EXPECT_TRUE(may_poll_in(loop_with("atom.global.add.u32 %r, [%d], 0;")));
  EXPECT_FALSE(may_poll_in(loop_with("ld.global.u32 %r, [%d];")));
  EXPECT_FALSE(may_poll_in(loop_with("ld.volatile.shared.u32 %r, [%d];")));
  EXPECT_FALSE(
      may_poll_in(".visible .entry k(.param .u64 p) {\n.reg .b32 %r;\n.reg .b64 %d;\n"
                  "ld.param.u64 %d, [p];\natom.global.add.u32 %r, [%d], 1;\n"
                  "st.global.u32 [%d+4], %r;\nret;\n}\n"));
}

TEST(MayPoll, IncludesFunctionsThatTheKernelCalls) {
  const std::string callee =
      ".func (.reg .b32 %r) read(.reg .b64 %d) { ld.volatile.global.u32 %r, [%d]; ret; }\n";
  EXPECT_TRUE(may_poll_in(callee + loop_with("call (%r), read, (%d);")));
  EXPECT_FALSE(may_poll_in(callee + loop_with("ld.global.u32 %r, [%d];")));
}

}  // namespace
}  // namespace heddle::cuda
