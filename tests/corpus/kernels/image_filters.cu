// Filters on images of bytes and of four bytes a pixel.
extern "C" __global__ void sobel(const unsigned char* source, unsigned char* destination,
                                 int width, int height, float scale) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    destination[y * width + x] = 0;
    return;
  }
  const unsigned char* p = source + y * width + x;
  int horizontal = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] -
                   p[-1 + width];
  int vertical = p[-1 - width] + 2 * p[-width] + p[1 - width] - p[-1 + width] - 2 * p[width] -
                 p[1 + width];
  int sum = int(scale * (abs(horizontal) + abs(vertical)));
  destination[y * width + x] = min(max(sum, 0), 255);
}

// A running sum along each row: one thread a row.
extern "C" __global__ void box_filter_rows(const float* source, float* destination, int width,
                                           int height, int radius) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  source += y * width;
  destination += y * width;
  float scale = 1.0f / float(2 * radius + 1);
  float sum = source[0] * float(radius);
  for (int x = 0; x < radius + 1; ++x) sum += source[x];
  destination[0] = sum * scale;
  for (int x = 1; x < width; ++x) {
    sum += source[min(x + radius, width - 1)];
    sum -= source[max(x - radius - 1, 0)];
    destination[x] = sum * scale;
  }
}

extern "C" __global__ void bilateral(const uchar4* source, uchar4* destination, int width,
                                     int height, int radius, float inverse_space,
                                     float inverse_colour) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  uchar4 centre = source[y * width + x];
  float red = 0, green = 0, blue = 0, total = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      int column = min(max(x + dx, 0), width - 1), row = min(max(y + dy, 0), height - 1);
      uchar4 pixel = source[row * width + column];
      int dr = pixel.x - centre.x, dg = pixel.y - centre.y, db = pixel.z - centre.z;
      float weight = expf(-(dx * dx + dy * dy) * inverse_space -
                          (dr * dr + dg * dg + db * db) * inverse_colour);
      red += weight * pixel.x;
      green += weight * pixel.y;
      blue += weight * pixel.z;
      total += weight;
    }
  destination[y * width + x] =
      make_uchar4((unsigned char)(red / total + 0.5f), (unsigned char)(green / total + 0.5f),
                  (unsigned char)(blue / total + 0.5f), centre.w);
}

// Median of nine by a network of exchanges.
extern "C" __global__ void median3x3(const unsigned short* source, unsigned short* destination,
                                     int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= width - 1 || y >= height - 1) return;
  int v[9];
#pragma unroll
  for (int i = 0; i < 9; ++i) v[i] = source[(y + i / 3 - 1) * width + x + i % 3 - 1];
  auto order = [&](int i, int j) {
    int low = min(v[i], v[j]);
    v[j] = max(v[i], v[j]);
    v[i] = low;
  };
  order(1, 2), order(4, 5), order(7, 8), order(0, 1), order(3, 4), order(6, 7), order(1, 2);
  order(4, 5), order(7, 8), order(0, 3), order(5, 8), order(4, 7), order(3, 6), order(1, 4);
  order(2, 5), order(4, 7), order(4, 2), order(6, 4), order(4, 2);
  destination[y * width + x] = v[4];
}
