// Tests launches with the driver API: arguments by pointers and in one buffer, attributes of
// kernels, occupancy, streams and events.
#include <cstddef>
#include <cstring>

#include "driver_check.h"

const char kText[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry line(.param .u64 to, .param .u8 small, .param .f64 slope, .param .u32 shift)\n"
    "{ .reg .b32 %r<8>; .reg .b64 %rd<5>; .reg .f64 %d<4>;\n"
    "ld.param.u64 %rd1, [to]; ld.param.u8 %r1, [small]; ld.param.f64 %d1, [slope];\n"
    "ld.param.u32 %r2, [shift]; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;\n"
    "mad.lo.u32 %r6, %r3, %r4, %r5; mul.wide.u32 %rd2, %r6, 8; add.u64 %rd3, %rd1, %rd2;\n"
    "cvt.rn.f64.u32 %d2, %r6; add.u32 %r7, %r1, %r2; cvt.rn.f64.u32 %d3, %r7;\n"
    "fma.rn.f64 %d3, %d1, %d2, %d3; st.global.f64 [%rd3], %d3; ret; }\n"
    ".extern .shared .align 4 .b8 room[];\n"
    ".visible .entry shared(.param .u64 to)\n{ .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [to]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
    "mov.u64 %rd3, room; add.u64 %rd3, %rd3, %rd2; st.shared.u32 [%rd3], %r1;\n"
    "ld.shared.u32 %r2, [%rd3]; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r2; ret; }\n"
    ".visible .entry nothing() { ret; }\n";

CUdeviceptr memory = 0;

/// Checks the 8 values that kernel `line` writes with small = 3, slope = 0.5 and shift = 4, and
/// clears them.
void expect_line(int line) {
  double values[8];
  CALL(cuMemcpyDtoH(values, memory, sizeof values));
  bool right = true;
  for (int i = 0; i < 8; ++i) right = right && values[i] == 0.5 * i + 7;
  expect(right, "the values of a line", line);
  CALL(cuMemsetD8(memory, 0, sizeof values));
}

int host_calls = 0;

int main() {
  begin();
  CUmodule module = nullptr;
  CALL(cuModuleLoadData(&module, kText));
  CUfunction line = nullptr, shared = nullptr, nothing = nullptr;
  CALL(cuModuleGetFunction(&line, module, "line"));
  CALL(cuModuleGetFunction(&shared, module, "shared"));
  CALL(cuModuleGetFunction(&nothing, module, "nothing"));
  CALL(cuMemAlloc(&memory, 1 << 16));

  unsigned char small = 3;
  double slope = 0.5;
  unsigned shift = 4;
  void* arguments[] = {&memory, &small, &slope, &shift};
  CALL(cuLaunchKernel(line, 2, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  expect_line(__LINE__);

  // Pass all arguments in one buffer, each at its offset.
  struct Piece {
    CUdeviceptr to;
    unsigned char small;
    double slope;
    unsigned shift;
  } piece = {memory, small, slope, shift};
  size_t bytes = offsetof(Piece, shift) + sizeof shift;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &piece, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  CALL(cuLaunchKernel(line, 2, 1, 1, 4, 1, 1, 0, nullptr, nullptr, extra));
  expect_line(__LINE__);
  bytes = offsetof(Piece, shift);
  EXPECT(cuLaunchKernel(line, 2, 1, 1, 4, 1, 1, 0, nullptr, nullptr, extra) ==
         CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLaunchKernel(line, 2, 1, 1, 4, 1, 1, 0, nullptr, arguments, extra) ==
         CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLaunchKernel(line, 2, 1, 1, 4, 1, 1, 0, nullptr, nullptr, nullptr) ==
         CUDA_ERROR_INVALID_VALUE);
  CALL(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));

  size_t offset = 0, size = 0;
  CALL(cuFuncGetParamInfo(line, 2, &offset, &size));
  EXPECT(offset == 16 && size == 8);
  EXPECT(cuFuncGetParamInfo(line, 4, &offset, &size) == CUDA_ERROR_INVALID_VALUE);

  // Launch with attributes.
  CUlaunchAttribute attribute;
  std::memset(&attribute, 0, sizeof attribute);
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  CUlaunchConfig configuration = {2, 1, 1, 4, 1, 1, 0, nullptr, &attribute, 1};
  CALL(cuLaunchKernelEx(&configuration, line, arguments, nullptr));
  expect_line(__LINE__);
  CALL(cuLaunchCooperativeKernel(line, 2, 1, 1, 4, 1, 1, 0, nullptr, arguments));
  expect_line(__LINE__);
  configuration.gridDimX = 1 << 20;
  EXPECT(cuLaunchKernelEx(&configuration, nothing, nullptr, nullptr) ==
         CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  EXPECT(cuLaunchKernelEx(&configuration, nothing, nullptr, nullptr) == CUDA_ERROR_NOT_SUPPORTED);

  // Use dynamic shared memory.
  void* to[] = {&memory};
  CALL(cuLaunchKernel(shared, 1, 1, 1, 64, 1, 1, 64 * 4, nullptr, to, nullptr));
  int values[64];
  CALL(cuMemcpyDtoH(values, memory, sizeof values));
  EXPECT(values[0] == 0 && values[63] == 63);
  EXPECT(cuLaunchKernel(shared, 1, 1, 1, 64, 1, 1, 1 << 20, nullptr, to, nullptr) ==
         CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLaunchKernel(shared, 1, 1, 1, 5000, 1, 1, 0, nullptr, to, nullptr) ==
         CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, to, nullptr) ==
         CUDA_ERROR_INVALID_HANDLE);

  int max_threads = 0, registers = 0, block = 0, grid = 0, blocks = 0, sms = 0;
  CALL(cuFuncGetAttribute(&max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, line));
  CALL(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, line));
  EXPECT(max_threads >= 256 && registers > 4);
  CALL(cuOccupancyMaxPotentialBlockSize(&grid, &block, line, nullptr, 0, 0));
  CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, line, block, 0));
  CALL(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  EXPECT(blocks > 0 && grid == blocks * sms);
  CALL(cuOccupancyMaxPotentialBlockSize(&grid, &block, line, nullptr, 0, 96));
  EXPECT(block <= 96);

  CUstream stream = nullptr;
  CUevent first = nullptr, last = nullptr;
  CALL(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CALL(cuEventCreate(&first, CU_EVENT_DEFAULT));
  CALL(cuEventCreate(&last, CU_EVENT_DEFAULT));
  CALL(cuEventRecord(first, stream));
  CALL(cuLaunchKernel(line, 64, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
  CALL(cuEventRecord(last, stream));
  CALL(cuStreamWaitEvent(stream, last, 0));
  CALL(cuLaunchHostFunc(
      stream, [](void* data) { ++*static_cast<int*>(data); }, &host_calls));
  CALL(cuStreamAddCallback(
      stream,
      [](CUstream, CUresult result, void* data) {
        // With Heddle, a callback may call CUDA.
        int count = 0;
        if (result == CUDA_SUCCESS && cuDeviceGetCount(&count) == CUDA_SUCCESS) {
          *static_cast<int*>(data) += count;
        }
      },
      &host_calls, 0));
  CALL(cuStreamSynchronize(stream));
  EXPECT(host_calls == 2);
  EXPECT(cuEventQuery(last) == CUDA_SUCCESS && cuStreamQuery(stream) == CUDA_SUCCESS);
  float milliseconds = -1;
  CALL(cuEventElapsedTime(&milliseconds, first, last));
  EXPECT(milliseconds >= 0 && milliseconds < 10);
  CALL(cuEventDestroy(last));
  EXPECT(cuEventQuery(last) == CUDA_ERROR_INVALID_HANDLE);
  CALL(cuStreamDestroy(stream));
  EXPECT(cuStreamSynchronize(stream) == CUDA_ERROR_INVALID_HANDLE);
  return verdict();
}
