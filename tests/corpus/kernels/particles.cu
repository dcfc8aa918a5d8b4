// Particle methods: forces inside neighbouring boxes (double precision), Q of a magnetic resonance
// image (sine and cosine), and the Coulomb potential on a plane with four points a thread.
struct Particle {
  double charge, x, y, z;
};

struct alignas(16) Force {
  double x, y, z, w;
};

extern "C" __global__ void box_forces(const Particle* particles, const int* neighbours,
                                      const int* neighbour_counts, Force* forces, double alpha) {
  constexpr int kPerBox = 32;
  __shared__ Particle others[kPerBox];
  int box = blockIdx.x, i = box * kPerBox + threadIdx.x;
  double a2 = 2.0 * alpha * alpha;
  Particle self = particles[i];
  Force force = {};
  for (int k = 0; k < 1 + neighbour_counts[box]; ++k) {
    int other_box = k == 0 ? box : neighbours[box * 26 + k - 1];
    __syncthreads();
    others[threadIdx.x] = particles[other_box * kPerBox + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < kPerBox; ++j) {
      double dx = self.x - others[j].x, dy = self.y - others[j].y, dz = self.z - others[j].z;
      double u = exp(-a2 * (dx * dx + dy * dy + dz * dz));
      double scale = 2.0 * u * others[j].charge;
      force.x += scale * dx;
      force.y += scale * dy;
      force.z += scale * dz;
      force.w += others[j].charge * u;
    }
  }
  forces[i] = force;
}

__constant__ float4 mri_samples[64];

extern "C" __global__ void mri_q(const float* x, const float* y, const float* z, float* q_real,
                                 float* q_imaginary, int samples, int voxels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= voxels) return;
  float vx = x[i], vy = y[i], vz = z[i], real = q_real[i], imaginary = q_imaginary[i];
  for (int k = 0; k < samples; ++k) {
    float angle = 6.2831853071795864769f *
                  (mri_samples[k].x * vx + mri_samples[k].y * vy + mri_samples[k].z * vz);
    real += mri_samples[k].w * cosf(angle);
    imaginary += mri_samples[k].w * sinf(angle);
  }
  q_real[i] = real;
  q_imaginary[i] = imaginary;
}

__constant__ float4 coulomb_atoms[64];

extern "C" __global__ void coulomb_plane(float* energy, int atoms, float spacing, int pitch) {
  int column = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  float x = spacing * column, y = spacing * row, step = spacing * blockDim.x;
  float sum[4] = {};
  for (int i = 0; i < atoms; ++i) {
    float dx = x - coulomb_atoms[i].x, dy = y - coulomb_atoms[i].y;
    float rest = dy * dy + coulomb_atoms[i].z;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      float across = dx + k * step;
      sum[k] += coulomb_atoms[i].w * rsqrtf(across * across + rest);
    }
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) energy[row * pitch + column + k * blockDim.x] += sum[k];
}
