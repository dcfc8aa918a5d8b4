// The little of CUDA that the programs need which clang compiles without CUDA's own headers.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))

struct ThreadIndex {
  __declspec(property(get = read_x)) unsigned x;
  __declspec(property(get = read_y)) unsigned y;
  __device__ static unsigned read_x() { return __nvvm_read_ptx_sreg_tid_x(); }
  __device__ static unsigned read_y() { return __nvvm_read_ptx_sreg_tid_y(); }
};
struct BlockIndex {
  __declspec(property(get = read_x)) unsigned x;
  __declspec(property(get = read_y)) unsigned y;
  __device__ static unsigned read_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
  __device__ static unsigned read_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
};
struct BlockExtent {
  __declspec(property(get = read_x)) unsigned x;
  __device__ static unsigned read_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
};
extern const __device__ ThreadIndex threadIdx;
extern const __device__ BlockIndex blockIdx;
extern const __device__ BlockExtent blockDim;

__device__ inline void __trap() { __builtin_trap(); }
__device__ inline unsigned __float_as_uint(float value) {
  return __builtin_bit_cast(unsigned, value);
}
__device__ inline int __double2loint(double value) {
  return int(__builtin_bit_cast(unsigned long long, value));
}
__device__ inline int __double2hiint(double value) {
  return int(__builtin_bit_cast(unsigned long long, value) >> 32);
}
__device__ inline unsigned long long atomicAdd(unsigned long long* to, unsigned long long value) {
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}
__device__ inline int min(int a, int b) { return a < b ? a : b; }
__device__ inline int max(int a, int b) { return a > b ? a : b; }
__device__ inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
__device__ inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
__device__ inline int abs(int a) { return a < 0 ? -a : a; }
struct float4 {
  float x, y, z, w;
};
__device__ inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
__device__ inline void memcpy(void* to, const void* from, unsigned long bytes) {
  __builtin_memcpy(to, from, bytes);
}
__device__ inline void memset(void* to, int value, unsigned long bytes) {
  __builtin_memset(to, value, bytes);
}
