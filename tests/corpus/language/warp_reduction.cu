// Reductions of a warp in one instruction (compute capability 8.0).
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  unsigned value = in[i];
  out[i] = __reduce_add_sync(~0u, value);
  out[count + i] = __reduce_min_sync(~0u, value);
  out[2 * count + i] = __reduce_max_sync(~0u, int(value));
  out[3 * count + i] = __reduce_and_sync(~0u, value | 0xffff);
  out[4 * count + i] = __reduce_or_sync(~0u, value & 0xf0f0);
  out[5 * count + i] = __reduce_xor_sync(~0u, value);
  unsigned part = 7;
  if (lane < 11) part = __reduce_add_sync(0x7ff, value);
  out[6 * count + i] = part;
}
