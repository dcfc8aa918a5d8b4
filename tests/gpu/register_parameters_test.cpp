// Functions that pass and return predicates and vectors in registers, in timed and functional runs.
// The expected values are worked out by hand.

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "device/ptx_text.h"
#include "gpu/chip_run.h"

namespace heddle::gpu::test {
namespace {

using Words = std::vector<std::uint32_t>;

/// Runs a kernel of one warp on an array of 32 zeroed words. Returns the array after a functional
/// run and after a timed run.
std::array<Words, 2> results_of(const std::string& body, const std::string& functions) {
  const std::string ptx = device::test::kernel_of(body, functions);
  ChipRun run(ptx, machine_of({}));
  const device::DevicePointer out = run.zeros<std::uint32_t>(32);
  run.launch("k", {1}, {32}, out);
  return {device::test::run(ptx, 1, 32, 32), run.download<std::uint32_t>(out, 32)};
}

template <class Expected>
void expect_results(const std::string& body, const std::string& functions, Expected expected) {
  Words words;
  for (std::uint32_t thread = 0; thread < 32; ++thread) words.push_back(expected(thread));
  for (const Words& got : results_of(body, functions)) EXPECT_EQ(got, words);
}

constexpr const char* kPredicates = R"(
.func (.reg .pred r) but_not(.reg .pred a, .reg .pred b)
{
  .reg .pred n;
  not.pred n, b;
  and.pred r, a, n;
  ret;
}
)";

TEST(RegisterParameters, PassAndReturnPredicates) {
  expect_results(R"(
  and.b32 %r5, %r1, 1;
  setp.ne.u32 %p1, %r5, 0;
  setp.gt.u32 %p2, %r1, 20;
  call (%p3), but_not, (%p1, %p2);
  call (%p4), but_not, (!%p1, %p2);
  selp.u32 %r6, 1, 0, %p3;
  selp.u32 %r7, 2, 0, %p4;
  add.u32 %r6, %r6, %r7;
  st.global.u32 [%rd2], %r6;
  ret;)",
                 kPredicates, [](std::uint32_t i) { return i > 20       ? 0U
                                                           : i % 2 != 0 ? 1U
                                                                        : 2U; });
}

TEST(RegisterParameters, ReturnPredicatesToCallingLanesOnly) {
  expect_results(R"(
  setp.lt.u32 %p1, %r1, 8;
  setp.lt.u32 %p2, %r1, 16;
  setp.eq.u32 %p3, %r1, %r1;
  setp.ne.u32 %p5, %r1, %r1;
  @%p2 call (%p3), but_not, (%p1, %p5);
  selp.u32 %r6, 1, 0, %p3;
  st.global.u32 [%rd2], %r6;
  ret;)",
                 kPredicates, [](std::uint32_t i) { return i < 8 || i >= 16 ? 1U : 0U; });
}

TEST(RegisterParameters, PassAndReturnVectors) {
  expect_results(R"(
  .reg .v4 .u32 q, turned;
  .reg .v2 .f32 v, w;
  mov.u32 q.x, %r1;
  mov.u32 q.y, 200;
  mov.u32 q.z, 3000;
  mov.u32 q.w, 40000;
  call (turned), turn, (q, 7);
  // 40007, i, 200, 3000
  mul.lo.u32 %r5, turned.y, 2;
  add.u32 %r5, %r5, turned.x;
  sub.u32 %r5, %r5, turned.z;
  sub.u32 %r5, %r5, turned.w;
  cvt.rn.f32.u32 v.x, %r1;
  mov.f32 v.y, 0f42C80000; // 100
  call (w), swap, (v);
  sub.f32 %f1, w.x, w.y;
  cvt.rzi.s32.f32 %r6, %f1;
  add.u32 %r5, %r5, %r6;
  st.global.u32 [%rd2], %r5;
  ret;)",
                 R"(
.func (.reg .v4 .u32 r) turn(.reg .v4 .u32 x, .reg .u32 more)
{
  add.u32 r.x, x.w, more;
  mov.u32 r.y, x.x;
  mov.u32 r.z, x.y;
  mov.u32 r.w, x.z;
  ret;
}
.func (.reg .v2 .f32 r) swap(.reg .v2 .f32 x)
{
  mov.f32 r.x, x.y;
  mov.f32 r.y, x.x;
  ret;
}
)",
                 [](std::uint32_t i) { return 2 * i + 40007 - 200 - 3000 + (100 - i); });
}

TEST(RegisterParameters, KeepPlacesOfNarrowVectorsAndMixedParameters) {
  expect_results(R"(
  .reg .v2 .b16 half;
  .reg .v2 .b64 long;
  mov.u16 half.x, 11;
  mov.u16 half.y, 300;
  cvt.u64.u32 long.x, %r1;
  mov.u64 long.y, 5000;
  setp.gt.u32 %p1, %r1, 9;
  mov.u16 %h1, 1;
  call (%r5), sum, (%h1, half, %p1, long);
  st.global.u32 [%rd2], %r5;
  ret;)",
                 R"(
.func (.reg .u32 r) sum(.reg .b16 one, .reg .v2 .b16 half, .reg .pred twice, .reg .v2 .b64 long)
{
  .reg .u32 t;
  cvt.u32.u16 r, one;
  cvt.u32.u16 t, half.x;
  add.u32 r, r, t;
  cvt.u32.u16 t, half.y;
  add.u32 r, r, t;
  cvt.u32.u64 t, long.x;
  add.u32 r, r, t;
  cvt.u32.u64 t, long.y;
  add.u32 r, r, t;
  @twice add.u32 r, r, r;
  ret;
}
)",
                 [](std::uint32_t i) { return (1 + 11 + 300 + i + 5000) * (i > 9 ? 2 : 1); });
}

TEST(RegisterParameters, FollowThePrototypeOfAnIndirectCall) {
  expect_results(R"(
  .reg .v2 .u32 v, w;
  mov.u32 v.x, %r1;
  mov.u32 v.y, 50;
  setp.lt.u32 %p1, %r1, 4;
  P: .callprototype (.reg .pred _, .reg .v2 .u32 _) _ (.reg .v2 .u32 _, .reg .pred _);
  mov.u64 %rd5, choose;
  call (%p2, w), %rd5, (v, %p1), P;
  @%p2 add.u32 w.x, w.x, w.y;
  st.global.u32 [%rd2], w.x;
  ret;)",
                 R"(
.func (.reg .pred small, .reg .v2 .u32 r) choose(.reg .v2 .u32 x, .reg .pred p)
{
  mov.pred small, p;
  mov.u32 r.x, x.y;
  mov.u32 r.y, x.x;
  ret;
}
)",
                 [](std::uint32_t i) { return i < 4 ? 50 + i : 50; });
}

}  // namespace
}  // namespace heddle::gpu::test
