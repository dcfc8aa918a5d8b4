#pragma once

// The kernel that makes the samples, for every form of the program.

// The normal distribution's inverse at 1/2 + q, by the rational functions of Wichura (algorithm
// AS 241, single precision): one for the middle, one for both tails. His third, for r > 5 before
// 1.6 is taken off, is left out: q is at least 2^-24 away from 1/2, where r is 4.1.
__device__ float inverse_normal(float q) {
  if (fabsf(q) <= 0.425f) {
    const float r = 0.180625f - q * q;
    return q * (((59.109374720f * r + 159.29113202f) * r + 50.434271938f) * r + 3.3871327179f) /
           (((67.187563600f * r + 78.757757664f) * r + 17.895169469f) * r + 1.0f);
  }
  const float r = sqrtf(-logf(0.5f - fabsf(q))) - 1.6f;
  const float z = (((0.17023821103f * r + 1.3067284816f) * r + 2.7568153900f) * r + 1.4234372777f) /
                  ((0.12021132975f * r + 0.73700164250f) * r + 1.0f);
  return q < 0.0f ? -z : z;
}

// Sample i: the binary digits of i mirrored at the point (van der Corput's sequence), all shifted
// by the same random digits, taken to a normal distribution. 23 digits are kept, and the middle
// between two neighbours is taken, so that q is exact and never -1/2.
extern "C" __global__ void normal_samples(float* samples, int paths, unsigned shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= paths) return;
  const int digits = static_cast<int>(__brev(i) ^ shift) >> 9;
  samples[i] = inverse_normal((static_cast<float>(digits) + 0.5f) * 0x1p-23f);
}
