// Atomics on global memory: what they return where one thread owns the cell, and what they leave
// where all threads share it.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned* shared = out + 12 * count;  // 16 words that all threads share, zero at the start.
  unsigned* own = out + i;
  unsigned value = in[i];
  own[0] = value;
  unsigned old = atomicAdd(own, 5u);
  own[count] = old;
  old = atomicInc(own, 1000u);
  own[2 * count] = old ^ atomicDec(own, 77u);
  old = atomicMin((int*)own, 50);
  own[3 * count] = old + atomicMax(own, 60u);
  old = atomicExch(own, value ^ 1);
  own[4 * count] = old + atomicCAS(own, value ^ 1, 9u);
  old = atomicAnd(own, 13u);
  old |= atomicOr(own, 64u) << 8;
  own[5 * count] = old | atomicXor(own, 3u) << 16;
  own[6 * count] = __float_as_uint(2.5f);
  own[7 * count] = __float_as_uint(atomicAdd((float*)(own + 6 * count), 0.25f));
  own[8 * count] = atomicSub(own, 1u);
  atomicAdd(&shared[0], value & 0xff);
  atomicMax(&shared[1], value);
  atomicMin((int*)&shared[2], int(value));
  atomicXor(&shared[3], value);
  atomicOr(&shared[4], 1u << value % 32);
  atomicAnd(&shared[5], ~(1u << value % 7));
  atomicInc(&shared[6], 99u);
  atomicDec(&shared[7], 99u);
  atomicAdd((float*)&shared[8], 1.0f);
  atomicAdd((double*)&shared[10], 0.5);
  atomicAdd((unsigned long long*)&shared[12], (unsigned long long)value);
  atomicMax((long long*)&shared[14], (long long)(int)value << 20);
}
