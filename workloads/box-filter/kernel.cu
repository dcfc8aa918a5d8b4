// A box filter: every pixel becomes the mean of those around it, along rows in one pass and along
// columns in the other. A thread walks a whole row or column with a running sum, so that the work
// does not grow with the radius. Levels are whole numbers, whose sums floats hold exactly.

__device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ float4 operator-(float4 a, float4 b) {
  return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}
__device__ float4 operator*(float4 a, float factor) {
  return make_float4(a.x * factor, a.y * factor, a.z * factor, a.w * factor);
}

__device__ float4 levels_of(uchar4 pixel) {
  return make_float4(pixel.x, pixel.y, pixel.z, pixel.w);
}
__device__ float4 levels_of(unsigned int pixel) {
  return make_float4(pixel & 0xff, pixel >> 8 & 0xff, pixel >> 16 & 0xff, pixel >> 24);
}
__device__ unsigned int packed(float4 levels) {
  return __float2uint_rn(levels.x) | __float2uint_rn(levels.y) << 8 |
         __float2uint_rn(levels.z) << 16 | __float2uint_rn(levels.w) << 24;
}

__device__ float4 texel(cudaTextureObject_t image, int column, int row) {
  return levels_of(tex2D<uchar4>(image, column + 0.5f, row + 0.5f));
}

// A thread a row. Its neighbours are in other rows, so that nothing is coalesced: the texture's
// cache serves the reads. The texture unit repeats the edge.
extern "C" __global__ void box_rows(cudaTextureObject_t image, unsigned int* out, int width,
                                    int height, int radius) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= height) return;
  const float share = 1.0f / (2 * radius + 1);
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int column = -radius; column < radius; ++column) sum = sum + texel(image, column, row);
  for (int column = 0; column < width; ++column) {
    sum = sum + texel(image, column + radius, row);
    out[row * width + column] = packed(sum * share);
    sum = sum - texel(image, column - radius, row);
  }
}

// A thread a column: a warp reads and writes neighbouring pixels of a row.
extern "C" __global__ void box_columns(const unsigned int* in, unsigned int* out, int width,
                                       int height, int radius) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width) return;
  in += column;
  out += column;
  const float share = 1.0f / (2 * radius + 1);
  const int last = height - 1;
  // Of the window above the first row, all that lies over the edge is the edge again.
  float4 sum = levels_of(in[0]) * radius;
  for (int row = 0; row < radius; ++row) sum = sum + levels_of(in[min(row, last) * width]);
  for (int row = 0; row < height; ++row) {
    sum = sum + levels_of(in[min(row + radius, last) * width]);
    out[row * width] = packed(sum * share);
    sum = sum - levels_of(in[max(row - radius, 0) * width]);
  }
}
