// Escape times of the Mandelbrot set: loops of very different length side by side.
template <typename T>
__device__ int escape_time(T cx, T cy, int limit) {
  T x = 0, y = 0, x2 = 0, y2 = 0;
  int iteration = 0;
  while (iteration < limit && x2 + y2 < T(4)) {
    y = T(2) * x * y + cy;
    x = x2 - y2 + cx;
    x2 = x * x;
    y2 = y * y;
    ++iteration;
  }
  return iteration;
}

extern "C" __global__ void mandelbrot_float(int* image, int width, int height, float left,
                                            float top, float step, int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px < width && py < height)
    image[py * width + px] = escape_time<float>(left + px * step, top + py * step, limit);
}

extern "C" __global__ void mandelbrot_double(int* image, int width, int height, double left,
                                             double top, double step, int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px < width && py < height)
    image[py * width + px] = escape_time<double>(left + px * step, top + py * step, limit);
}
