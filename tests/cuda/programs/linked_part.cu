// The other half of linked.cu.
__device__ int part_counter = 3;
__device__ int twice(int value) {
  ++part_counter;
  return 2 * value;
}
__global__ void part_kernel(int* out) { *out = part_counter; }
void launch_part(int* out) { part_kernel<<<1, 1>>>(out); }
