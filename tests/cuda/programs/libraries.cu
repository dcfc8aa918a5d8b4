// PTX that the program loads while it runs.
#include <cstring>

#include "check.h"

const char kText[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 amount = 5;\n"
    ".visible .entry add(.param .u64 values) {\n"
    ".reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [values]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
    "add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r2, [%rd3]; ld.global.u32 %r3, [amount];\n"
    "add.u32 %r2, %r2, %r3; st.global.u32 [%rd3], %r2; ret; }\n";

int main() {
  cudaLibrary_t library = nullptr;
  CALL(cudaLibraryLoadData(&library, kText, nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 0;
  CALL(cudaLibraryGetKernelCount(&count, library));
  EXPECT(count == 1);
  cudaKernel_t kernel = nullptr, same = nullptr;
  CALL(cudaLibraryGetKernel(&kernel, library, "add"));
  CALL(cudaLibraryEnumerateKernels(&same, 1, library));
  EXPECT(same == kernel);
  EXPECT(cudaLibraryGetKernel(&same, library, "subtract") == cudaErrorSymbolNotFound);
  int* values = nullptr;
  CALL(cudaMallocManaged(&values, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) values[i] = i;
  void* amount = nullptr;
  size_t bytes = 0;
  CALL(cudaLibraryGetGlobal(&amount, &bytes, library, "amount"));
  EXPECT(bytes == 4);
  const int more = 1000;
  void* arguments[] = {&values};
  CALL(cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, nullptr));
  CALL(cudaMemcpy(amount, &more, sizeof more, cudaMemcpyHostToDevice));
  CALL(cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, nullptr));
  CALL(cudaDeviceSynchronize());
  EXPECT(values[0] == 1005 && values[31] == 1036);
  CALL(cudaLibraryUnload(library));
  EXPECT(cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, nullptr) != cudaSuccess);
  EXPECT(cudaLibraryLoadData(&library, ".version nonsense", nullptr, nullptr, 0, nullptr, nullptr,
                             0) == cudaErrorInvalidPtx);
  return verdict();
}
