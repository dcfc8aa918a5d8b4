// Reading and writing surfaces, with each way to treat what lies outside.
extern "C" __global__ void program(cudaSurfaceObject_t source, cudaSurfaceObject_t target,
                                   unsigned* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned value;
  surf2Dread(&value, source, x * 4, y);
  unsigned clamped = surf2Dread<unsigned>(source, (x + 3) * 4, y - 1, cudaBoundaryModeClamp);
  unsigned zero = surf2Dread<unsigned>(source, (x - 2) * 4, y + 1, cudaBoundaryModeZero);
  surf2Dwrite(value * 3, target, (width - 1 - x) * 4, y);
  out[(y * width + x) * 2] = clamped;
  out[(y * width + x) * 2 + 1] = zero;
}
