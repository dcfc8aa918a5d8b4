// One step of a D3Q19 lattice-Boltzmann fluid on a periodic box: nineteen loads and stores a cell.
constexpr int kDirections = 19;
__constant__ signed char lattice[kDirections][3] = {
    {0, 0, 0},   {1, 0, 0},  {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1},  {0, 0, -1},
    {1, 1, 0},   {-1, 1, 0}, {1, -1, 0},  {-1, -1, 0}, {1, 0, 1}, {-1, 0, 1}, {1, 0, -1},
    {-1, 0, -1}, {0, 1, 1},  {0, -1, 1},  {0, 1, -1}, {0, -1, -1}};

// The direction that points the other way.
__host__ __device__ constexpr int opposite(int d) {
  if (d == 0) return 0;
  return d < 7 ? ((d - 1) ^ 1) + 1 : 2 * (7 + (d - 7) / 4 * 4) + 3 - d;
}

extern "C" __global__ void lbm_step(const float* __restrict__ source, float* destination,
                                    const unsigned char* obstacle, int nx, int ny, int nz,
                                    float omega) {
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = blockIdx.y, z = blockIdx.z;
  if (x >= nx) return;
  int cells = nx * ny * nz, cell = (z * ny + y) * nx + x;
  float f[kDirections];
  float density = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
  for (int d = 0; d < kDirections; ++d) {
    f[d] = source[d * cells + cell];
    density += f[d];
    ux += lattice[d][0] * f[d];
    uy += lattice[d][1] * f[d];
    uz += lattice[d][2] * f[d];
  }
  ux /= density;
  uy /= density;
  uz /= density;
  float common = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
  bool solid = obstacle[cell];
#pragma unroll
  for (int d = 0; d < kDirections; ++d) {
    int cx = lattice[d][0], cy = lattice[d][1], cz = lattice[d][2];
    float weight = d == 0 ? 1.0f / 3.0f : d < 7 ? 1.0f / 18.0f : 1.0f / 36.0f;
    float along = 3.0f * (cx * ux + cy * uy + cz * uz);
    float equilibrium = weight * density * (common + along + 0.5f * along * along);
    float value = (1.0f - omega) * f[d] + omega * equilibrium;
    int to_x = x + cx, to_y = y + cy, to_z = z + cz;
    to_x = to_x < 0 ? nx - 1 : to_x >= nx ? 0 : to_x;
    to_y = to_y < 0 ? ny - 1 : to_y >= ny ? 0 : to_y;
    to_z = to_z < 0 ? nz - 1 : to_z >= nz ? 0 : to_z;
    if (solid) value = f[opposite(d)];  // A solid cell sends back what came.
    destination[d * cells + (to_z * ny + to_y) * nx + to_x] = value;
  }
}
