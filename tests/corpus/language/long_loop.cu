// Code that the optimiser unrolls and software-pipelines: many values alive at once across calls.
__device__ __noinline__ float shaped(float x) { return x * 0.5f + 1.0f; }

extern "C" __global__ void program(const float* in, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float v[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) v[k] = in[(i + k) % count];
  float sum = shaped(v[0]);
#pragma unroll
  for (int k = 0; k < 40; ++k) sum = sum * 0.75f + v[k] * v[(k * 7 + 3) % 40];
  sum = shaped(sum);
#pragma unroll
  for (int k = 0; k < 40; ++k) sum += v[39 - k] * float(k);
  out[i] = sum;
}
