#include "kernel.h"

using namespace mri_q;

// Read by all threads of a warp at the same time.
__constant__ Sample samples[kMostSamples];

// One thread a sample: the square of a complex number's magnitude.
extern "C" __global__ void phi_magnitude(const float* real, const float* imaginary,
                                         float* magnitude, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  magnitude[i] = real[i] * real[i] + imaginary[i] * imaginary[i];
}

// One thread a voxel: adds `count` samples' waves where the voxel is. Sines and cosines are those
// of the special function unit: they are what the GPU does this so fast for.
extern "C" __global__ void q_matrix(const float* x, const float* y, const float* z, float* real,
                                    float* imaginary, int voxels, int count) {
  const int voxel = blockIdx.x * blockDim.x + threadIdx.x;
  if (voxel >= voxels) return;
  const float at_x = x[voxel];
  const float at_y = y[voxel];
  const float at_z = z[voxel];
  float real_sum = real[voxel];
  float imaginary_sum = imaginary[voxel];
  for (int i = 0; i < count; ++i) {
    const Sample sample = samples[i];
    const float angle = 6.2831853f * (sample.x * at_x + sample.y * at_y + sample.z * at_z);
    real_sum += sample.magnitude * __cosf(angle);
    imaginary_sum += sample.magnitude * __sinf(angle);
  }
  real[voxel] = real_sum;
  imaginary[voxel] = imaginary_sum;
}
