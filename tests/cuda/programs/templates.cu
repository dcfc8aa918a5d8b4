// Kernels made from templates, with classes whose member functions run on the device.
#include "check.h"

template <class T>
struct Polynomial {
  T a, b, c;
  __host__ __device__ T operator()(T x) const { return (a * x + b) * x + c; }
};

template <class T, int Step, class F>
__global__ void apply(T* values, int count, F function) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += Step * blockDim.x) {
    values[i] = function(values[i]);
  }
}

template <class T>
void try_type() {
  constexpr int kCount = 1000;
  T host[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = T(i % 17);
  T* device = nullptr;
  CALL(cudaMalloc(&device, sizeof host));
  CALL(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  const Polynomial<T> polynomial{T(2), T(3), T(5)};
  apply<T, 4><<<4, 64>>>(device, kCount, polynomial);
  CALL(cudaGetLastError());
  T result[kCount];
  CALL(cudaMemcpy(result, device, sizeof result, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < kCount; ++i) right &= result[i] == polynomial(host[i]);
  EXPECT(right);
  CALL(cudaFree(device));
}

int main() {
  try_type<int>();
  try_type<float>();
  try_type<double>();
  try_type<unsigned long long>();
  return verdict();
}
