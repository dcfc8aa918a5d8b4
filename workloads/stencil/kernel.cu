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
    const int first = plane + y * nx + x;
    const float* cell = before + first;
    const float* const end = cell + (nz - 2) * plane;
    float* result = after + first;
    float below = cell[-plane];
    float at = cell[0];
    // One pointer to all that is read, and not unrolled: a block of 1024 threads leaves few
    // registers for each.
#pragma unroll 1
    while (cell < end) {
      const float above = cell[plane];
      const float sides = cell[-1] + cell[1] + cell[-nx] + cell[nx] + below + above;
      *result = own_weight * at + side_weight * sides;
      below = at;
      at = above;
      cell += plane;
      result += plane;
    }
  }
}
