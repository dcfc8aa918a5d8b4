#include "kernel.h"

using namespace mri_fhd;

// Read by all threads of a warp at the same time.
__constant__ Sample samples[kMostSamples];

// One thread a sample: what was measured times the conjugate of phi, the coil's answer.
extern "C" __global__ void rho_phi(const float* phi_real, const float* phi_imaginary,
                                   const float* data_real, const float* data_imaginary, float* real,
                                   float* imaginary, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  real[i] = phi_real[i] * data_real[i] + phi_imaginary[i] * data_imaginary[i];
  imaginary[i] = phi_real[i] * data_imaginary[i] - phi_imaginary[i] * data_real[i];
}

// One thread a voxel: adds `count` samples' waves, as strong as they were measured, where the voxel
// is. Sines and cosines are those of the special function unit.
extern "C" __global__ void fh_d(const float* x, const float* y, const float* z, float* real,
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
    const float cosine = __cosf(angle);
    const float sine = __sinf(angle);
    real_sum += sample.real * cosine - sample.imaginary * sine;
    imaginary_sum += sample.imaginary * cosine + sample.real * sine;
  }
  real[voxel] = real_sum;
  imaginary[voxel] = imaginary_sum;
}
