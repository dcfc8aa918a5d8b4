// Forms of PTX that nvcc no longer writes, and special registers that few programs read.

#include <gmock/gmock.h>

#include "base/error.h"
#include "device/ptx_text.h"

namespace heddle::device::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PtxForm, RegisterPlusConstantIsTheirSum) {
  const std::vector<std::uint32_t> words =
      run(kernel_of("  mov.u32 %r5, 0xfffffffe;\n  mov.u64 %rd3, 0xfffffffe;\n"
                    "  mov.u16 %h1, 0xfffe;\n  st.global.u32 [%rd1], %r5+7;\n"
                    "  mad.lo.u32 %r6, %r5+3, %r5+-4, %r5+2;\n  st.global.u32 [%rd1+4], %r6;\n"
                    "  st.global.u64 [%rd1+8], %rd3+7;\n  add.u16 %h2, %h1+3, 0;\n"
                    "  cvt.u32.u16 %r7, %h2;\n  st.global.u32 [%rd1+16], %r7+0;\n  ret;"),
          1, 1, 5);
  EXPECT_THAT(words, ElementsAre(5U, 0xfffffffaU, 5U, 1U, 1U));
}

TEST(PtxForm, LocalVariableOutsideOfFunctionsIsTheSameInAllFunctionsOfAThread) {
  // The kernel's own variable, the frames of f and g, and the module's variables do not overlap.
  const std::string functions =
      ".local .align 4 .b32 a;\n.local .align 8 .b8 b[16];\n"
      ".func g() { .reg .b32 x; .local .b32 own[4]; st.local.u32 [own+12], 77;\n"
      "  ld.local.u32 x, [b+8]; add.u32 x, x, 100; st.local.u32 [b+8], x; ret; }\n"
      ".func f() { .reg .b32 x; .reg .b64 p; .local .b32 own[4]; st.local.u32 [own], 78;\n"
      "  ld.local.u32 x, [a]; mov.u64 p, b; cvta.local.u64 p, p; st.u32 [p+8], x; call g;\n"
      "  ld.local.u32 x, [own]; st.local.u32 [a], x; ret; }\n";
  const std::vector<std::uint32_t> words =
      run(kernel_of("  .local .b32 own[4];\n  st.local.u32 [own], 5;\n  st.local.u32 [a], %r4;\n"
                    "  call f;\n  ld.local.u32 %r5, [b+8];\n  ld.local.u32 %r6, [own];\n"
                    "  ld.local.u32 %r7, [a];\n  mad.lo.u32 %r5, %r6, 1000, %r5;\n"
                    "  mad.lo.u32 %r5, %r7, 10000, %r5;\n  st.global.u32 [%rd2], %r5;\n  ret;",
                    functions),
          1, 64, 64);
  for (std::uint32_t thread = 0; thread < 64; ++thread) {
    EXPECT_EQ(words[thread], 78 * 10000 + 5 * 1000 + 100 + thread);
  }
}

TEST(PtxForm, LocalVariablesOutsideOfFunctionsAreLimited) {
  try {
    run(kernel_of("  ret;", ".local .b8 a[524288];\n.local .b8 b;\n"), 1, 1, 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'b' in test.ptx: the local variables outside of "
                                        "functions take more than 512 KB"));
  }
}

TEST(PtxForm, EightBytesMakeARegister) {
  const std::vector<std::uint32_t> words =
      run(kernel_of("  .reg .b8 %c<8>;\n  mov.u64 %rd3, 0x8877665544332211;\n"
                    "  mov.b64 {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, %rd3;\n"
                    "  mov.b64 %rd4, {%c7, %c6, %c5, %c4, %c3, %c2, %c1, %c0};\n"
                    "  st.global.u64 [%rd1], %rd4;\n  ret;"),
          1, 1, 2);
  EXPECT_THAT(words, ElementsAre(0x55667788U, 0x11223344U));
}

TEST(ReservedSharedMemory, IsApartFromTheKernels) {
  // Sizes in the order total, aggregate, capacity; then the distances of the reserved regions.
  const std::vector<std::uint32_t> words =
      run(kernel_of("  .shared .align 4 .b8 own[20];\n  st.shared.u32 [own+16], 9;\n"
                    "  mov.u32 %r5, %reserved_smem_offset_begin;\n"
                    "  mov.u32 %r6, %reserved_smem_offset_end;\n"
                    "  mov.u32 %r7, %reserved_smem_offset_1;\n  mov.u32 %r8, %total_smem_size;\n"
                    "  mov.u32 %r9, %aggr_smem_size;\n  mov.u32 %r10, %reserved_smem_offset_cap;\n"
                    "  mov.u32 %r14, %reserved_smem_offset_0;\n  st.shared.u32 [%r5], 1;\n"
                    "  st.shared.u32 [%r6+-4], 2;\n  ld.shared.u32 %r11, [own+16];\n"
                    "  st.global.u32 [%rd1], %r8;\n  st.global.u32 [%rd1+4], %r9;\n"
                    "  st.global.u32 [%rd1+8], %r10;\n  sub.u32 %r12, %r6, %r5;\n"
                    "  st.global.u32 [%rd1+12], %r12;\n  sub.u32 %r13, %r6, %r7;\n"
                    "  st.global.u32 [%rd1+16], %r13;\n  st.global.u32 [%rd1+20], %r11;\n"
                    "  sub.u32 %r14, %r14, %r5;\n  st.global.u32 [%rd1+24], %r14;\n  ret;"),
          1, 1, 7);
  EXPECT_EQ(words[1] - words[0], 1024U);
  EXPECT_EQ(words[2], 1024U);
  EXPECT_EQ(words[3], 1024U);
  EXPECT_GE(words[4], 288U) << "cooperative groups use 288 bytes of region 1";
  EXPECT_EQ(words[5], 9U) << "the kernel's own variable was overwritten";
  EXPECT_EQ(words[6], 0U);
}

}  // namespace
}  // namespace heddle::device::test
