// Device code of two files, linked (-rdc=true, with linked_part.cu).
#include "check.h"

extern __device__ int part_counter;
extern __device__ int twice(int value);
void launch_part(int* out);

__global__ void use(int* out) { out[1] = twice(21) + part_counter; }

int main() {
  int* out = nullptr;
  CALL(cudaMallocManaged(&out, 2 * sizeof(int)));
  use<<<1, 1>>>(out);
  launch_part(out);
  CALL(cudaDeviceSynchronize());
  EXPECT(out[1] == 46 && out[0] == 4);
  return verdict();
}
