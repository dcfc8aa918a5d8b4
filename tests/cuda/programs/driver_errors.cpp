// Tests the errors that the driver API returns for invalid calls and for kernels that fail.
#include <cstring>

#include "driver_check.h"

const char kText[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry store(.param .u64 to) { .reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
    "ld.param.u64 %rd1, [to]; mov.u32 %r1, 1; st.global.u32 [%rd1], %r1; ret; }\n";

int main() {
  CUdeviceptr memory = 0;
  CUcontext context = nullptr, other = nullptr, current = nullptr;
  int device = 7, count = 0;
  EXPECT(cuDeviceGet(&device, 0) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cuMemAlloc(&memory, 4) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  CALL(cuInit(0));
  CALL(cuDeviceGetCount(&count));
  EXPECT(count == 1);
  EXPECT(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  CALL(cuDeviceGet(&device, 0));
  char name[64], uuid[16];
  CALL(cuDeviceGetName(name, sizeof name, device));
  EXPECT(std::strncmp(name, "Heddle ", 7) == 0);
  CALL(cuDeviceGetName(name, 4, device));
  EXPECT(std::strcmp(name, "Hed") == 0);
  CALL(cuDeviceGetUuid(reinterpret_cast<CUuuid*>(uuid), device));

  // Calls need a current context.
  EXPECT(cuMemAlloc(&memory, 4) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
  CALL(cuCtxCreate(&context, nullptr, CU_CTX_SCHED_SPIN, device));
  unsigned flags = 0;
  CALL(cuCtxGetFlags(&flags));
  EXPECT(flags == CU_CTX_SCHED_SPIN);
  CALL(cuMemAlloc(&memory, 4));
  CALL(cuCtxPopCurrent(&current));
  EXPECT(current == context);
  EXPECT(cuMemFree(memory) == CUDA_ERROR_INVALID_CONTEXT);
  CALL(cuCtxGetCurrent(&current));
  EXPECT(current == nullptr);
  CALL(cuCtxCreate(&other, nullptr, 0, device));
  EXPECT(other != context);
  CALL(cuCtxPushCurrent(context));
  CALL(cuMemFree(memory));
  CALL(cuCtxSetCurrent(other));
  CALL(cuCtxGetCurrent(&current));
  EXPECT(current == other);
  CALL(cuCtxDestroy(other));
  EXPECT(cuCtxPushCurrent(other) == CUDA_ERROR_INVALID_CONTEXT);
  CALL(cuCtxSetCurrent(context));
  CALL(cuCtxGetDevice(&device));
  EXPECT(device == 0);

  // Errors have names and texts.
  const char* text = nullptr;
  CALL(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text));
  EXPECT(std::strcmp(text, "CUDA_ERROR_INVALID_VALUE") == 0);
  CALL(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  EXPECT(std::strcmp(text, "an illegal memory access was encountered") == 0);
  EXPECT(cuGetErrorName(static_cast<CUresult>(12345), &text) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(text == nullptr);

  // Unsupported calls return an error each time.
  for (int i = 0; i < 2; ++i) {
    EXPECT(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                      CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER) ==
           CUDA_ERROR_NOT_SUPPORTED);
  }
  const void* table = nullptr;
  EXPECT(cuGetExportTable(&table, reinterpret_cast<CUuuid*>(uuid)) == CUDA_ERROR_NOT_SUPPORTED);

  // A fault remains until its context is destroyed.
  CUfunction store = load(kText, "store");
  CALL(cuMemAlloc(&memory, 4));
  void* arguments[] = {&memory};
  launch(store, 1, 1, arguments);
  CALL(cuCtxSynchronize());
  CUdeviceptr nowhere = 0;
  arguments[0] = &nowhere;
  launch(store, 1, 1, arguments);
  EXPECT(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT(cuMemAlloc(&memory, 4) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CALL(cuCtxDestroy(context));
  CALL(cuCtxCreate(&context, nullptr, 0, device));
  store = load(kText, "store");
  CALL(cuMemAlloc(&memory, 4));
  arguments[0] = &memory;
  launch(store, 1, 1, arguments);
  int value = 0;
  CALL(cuMemcpyDtoH(&value, memory, sizeof value));
  EXPECT(value == 1);
  return verdict();
}
