// Memory of the program's own that it registers, for kernels and copies.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "check.h"

__global__ void add(int* values, int n, int amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += amount;
}

int main() {
  // Neither begins at a page, nor do they end at one.
  const int n = 3001;
  std::vector<int> values(n + 2);
  for (int i = 0; i < n + 2; ++i) values[i] = i;
  int* const host = values.data() + 1;
  EXPECT(cudaHostRegister(nullptr, 4, 0) == cudaErrorInvalidValue);
  CALL(cudaHostRegister(host, n * sizeof(int), cudaHostRegisterMapped));
  EXPECT(cudaHostRegister(host + 1, 4, 0) == cudaErrorHostMemoryAlreadyRegistered);
  int* device = nullptr;
  CALL(cudaHostGetDevicePointer(&device, host, 0));
  add<<<(n + 127) / 128, 128>>>(device, n, 10);
  CALL(cudaDeviceSynchronize());
  bool right = values[0] == 0 && values[n + 1] == n + 1;
  for (int i = 1; i <= n; ++i) right = right && values[i] == i + 10;
  EXPECT(right);
  // What the host writes in between, the next kernel sees; so it does what a copy wrote.
  host[5] = 1000;
  const int seven = 7;
  CALL(cudaMemcpy(device + 6, &seven, sizeof seven, cudaMemcpyHostToDevice));
  CALL(cudaMemset(device + 7, 0, sizeof(int)));
  EXPECT(host[6] == 7 && host[7] == 0);
  add<<<1, 32>>>(device, 32, 1);
  int result[3];
  CALL(cudaMemcpy(result, device + 5, sizeof result, cudaMemcpyDeviceToHost));
  EXPECT(result[0] == 1001 && result[1] == 8 && result[2] == 1);
  int* other = nullptr;
  CALL(cudaMalloc(&other, sizeof result));
  CALL(cudaMemcpy(other, device + 5, sizeof result, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(result, other, sizeof result, cudaMemcpyDefault));
  EXPECT(result[0] == 1001);
  cudaPointerAttributes attributes{};
  CALL(cudaPointerGetAttributes(&attributes, host + 3));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == host + 3 &&
         attributes.devicePointer == device + 3);
  CALL(cudaPointerGetAttributes(&attributes, device + 3));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == host + 3);
  unsigned flags = 0;
  CALL(cudaHostGetFlags(&flags, host));
  EXPECT((flags & cudaHostRegisterMapped) != 0);
  EXPECT(cudaFree(device) == cudaErrorInvalidValue);
  CALL(cudaHostUnregister(host));
  EXPECT(cudaHostUnregister(host) == cudaErrorHostMemoryNotRegistered);
  EXPECT(cudaHostGetDevicePointer(&device, host, 0) == cudaErrorInvalidValue);
  // Of the stack.
  int local[4] = {1, 2, 3, 4};
  CALL(cudaHostRegister(local, sizeof local, cudaHostRegisterDefault));
  CALL(cudaHostGetDevicePointer(&device, local + 2, 0));
  add<<<1, 2>>>(device, 2, 5);
  CALL(cudaDeviceSynchronize());
  EXPECT(local[0] == 1 && local[1] == 2 && local[2] == 8 && local[3] == 9);
  CALL(cudaDeviceReset());
  EXPECT(cudaHostUnregister(local) == cudaErrorHostMemoryNotRegistered);
  return verdict();
}
