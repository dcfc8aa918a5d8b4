#pragma once

#include <string>

namespace heddle::gpu::test {

/// Each thread doubles its element of an array. The compiled instructions, numbered by pc:
///   0  read_special R0            3  load R0, [R2:3]            5  store [R2:3], R0
///   1  move R2                    4  add R0, R0, R0             6  exit
///   2  mad_wide R2:3, R0, R2, c[0x160]
inline const std::string kTwice = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 values)
{
  .reg .b32 %thread, %value;
  .reg .b64 %at, %offset;
  mov.u32 %thread, %tid.x;
  mul.wide.u32 %offset, %thread, 4;
  ld.param.u64 %at, [values];
  add.u64 %at, %at, %offset;
  ld.global.u32 %value, [%at];
  add.u32 %value, %value, %value;
  st.global.u32 [%at], %value;
  ret;
}
)";

}  // namespace heddle::gpu::test
