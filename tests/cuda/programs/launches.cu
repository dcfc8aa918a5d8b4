// Launches by calls rather than by <<<>>>, with structures as arguments.
#include "check.h"

struct Parameters {
  float scale;
  char small;
  double offset;
  int3 shape;
};

__global__ void apply(Parameters p, float* out, short add) {
  const unsigned i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  out[i] = p.scale * float(i) + float(p.offset) + float(p.small + add + p.shape.z);
}

int main() {
  float* out = nullptr;
  CALL(cudaMallocManaged(&out, 192 * sizeof(float)));
  Parameters parameters{2.0f, 3, 0.5, {1, 2, 4}};
  short add = 10;
  void* arguments[] = {&parameters, &out, &add};
  const auto right = [&] {
    for (int i = 0; i < 192; ++i) {
      if (out[i] != 2.0f * i + 17.5f) return false;
      out[i] = 0;
    }
    return true;
  };
  CALL(cudaLaunchKernel(reinterpret_cast<const void*>(apply), dim3(3, 2), dim3(32), arguments, 0,
                        nullptr));
  CALL(cudaDeviceSynchronize());
  EXPECT(right());
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = dim3(3, 2);
  configuration.blockDim = dim3(32);
  CALL(cudaLaunchKernelEx(&configuration, apply, parameters, out, add));
  CALL(cudaDeviceSynchronize());
  EXPECT(right());
  cudaKernel_t kernel = nullptr;
  CALL(cudaGetKernel(&kernel, apply));
  CALL(cudaLaunchKernel(kernel, dim3(3, 2), dim3(32), arguments, 0, nullptr));
  CALL(cudaDeviceSynchronize());
  EXPECT(right());
  EXPECT(cudaLaunchKernel(reinterpret_cast<const void*>(&add), dim3(1), dim3(1), arguments, 0,
                          nullptr) == cudaErrorInvalidDeviceFunction);
  return verdict();
}
