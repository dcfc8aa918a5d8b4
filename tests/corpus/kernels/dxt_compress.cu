// Compresses 4 x 4 pixel blocks to DXT1: end points by the bounding box, indices by the nearest of
// four colours. A half warp a block of pixels.
__device__ inline unsigned to_565(int r, int g, int b) {
  return (r * 31 + 127) / 255 << 11 | (g * 63 + 127) / 255 << 5 | (b * 31 + 127) / 255;
}
__device__ inline int3 from_565(unsigned c) {
  int r = c >> 11 & 31, g = c >> 5 & 63, b = c & 31;
  return make_int3(r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2);
}

extern "C" __global__ void dxt1_compress(const uchar4* pixels, uint2* blocks, int block_count) {
  int block = blockIdx.x * (blockDim.x / 16) + threadIdx.x / 16, pixel = threadIdx.x % 16;
  if (block >= block_count) return;
  unsigned group = 0xffffu << (threadIdx.x & 16);
  uchar4 colour = pixels[block * 16 + pixel];
  int low_r = colour.x, low_g = colour.y, low_b = colour.z;
  int high_r = low_r, high_g = low_g, high_b = low_b;
#pragma unroll
  for (int step = 1; step < 16; step *= 2) {
    low_r = min(low_r, __shfl_xor_sync(group, low_r, step, 16));
    low_g = min(low_g, __shfl_xor_sync(group, low_g, step, 16));
    low_b = min(low_b, __shfl_xor_sync(group, low_b, step, 16));
    high_r = max(high_r, __shfl_xor_sync(group, high_r, step, 16));
    high_g = max(high_g, __shfl_xor_sync(group, high_g, step, 16));
    high_b = max(high_b, __shfl_xor_sync(group, high_b, step, 16));
  }
  unsigned c0 = to_565(high_r, high_g, high_b), c1 = to_565(low_r, low_g, low_b);
  if (c0 < c1) {
    unsigned swapped = c0;
    c0 = c1;
    c1 = swapped;
  }
  int3 palette[4];
  palette[0] = from_565(c0);
  palette[1] = from_565(c1);
  palette[2] = make_int3((2 * palette[0].x + palette[1].x) / 3,
                         (2 * palette[0].y + palette[1].y) / 3,
                         (2 * palette[0].z + palette[1].z) / 3);
  palette[3] = make_int3((palette[0].x + 2 * palette[1].x) / 3,
                         (palette[0].y + 2 * palette[1].y) / 3,
                         (palette[0].z + 2 * palette[1].z) / 3);
  unsigned best = 0;
  int best_error = 1 << 30;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    int dr = colour.x - palette[i].x, dg = colour.y - palette[i].y, db = colour.z - palette[i].z;
    int error = dr * dr + dg * dg + db * db;
    if (error < best_error) {
      best_error = error;
      best = i;
    }
  }
  unsigned indices = c0 == c1 ? 0 : best << 2 * pixel;
#pragma unroll
  for (int step = 1; step < 16; step *= 2) indices |= __shfl_xor_sync(group, indices, step, 16);
  if (pixel == 0) blocks[block] = make_uint2(c1 << 16 | c0, indices);
}
