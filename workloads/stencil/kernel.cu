// One time step of heat flow in a solid: a cell's new temperature from its own and its six
// neighbours'. A thread goes along z through all of the solid at its x and y, and keeps the cells
// below, at and above in registers, so that it loads each of them once. The solid's surface stays
// as warm as it is, and threads on it have nothing to do.
extern "C" __global__ void stencil(const float* before, float* after, int nx, int ny, int nz,
                                   float own_weight, float side_weight) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
    const int plane = nx * ny;
    int cell = plane + y * nx + x;
    float below = before[cell - plane];
    float at = before[cell];
    // Not unrolled: a block of 1024 threads leaves few registers for each.
#pragma unroll 1
    for (int z = 1; z < nz - 1; ++z) {
      const float above = before[cell + plane];
      const float sides = before[cell - 1] + before[cell + 1] + before[cell - nx] +
                          before[cell + nx] + below + above;
      after[cell] = own_weight * at + side_weight * sides;
      below = at;
      at = above;
      cell += plane;
    }
  }
}
