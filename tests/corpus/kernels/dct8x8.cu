// Discrete cosine transform of 8 x 8 blocks of an image: rows then columns, eight threads a block.
constexpr float kA = 1.387039845322148f, kB = 1.306562964876377f, kC = 1.175875602419359f,
                kD = 0.785694958387102f, kE = 0.541196100146197f, kF = 0.275899379282943f,
                kNorm = 0.353553390593274f;

__device__ inline void transform_line(float* line, int step) {
  float x0 = line[0], x1 = line[step], x2 = line[2 * step], x3 = line[3 * step];
  float x4 = line[4 * step], x5 = line[5 * step], x6 = line[6 * step], x7 = line[7 * step];
  float p07 = x0 + x7, m07 = x0 - x7, p16 = x1 + x6, m16 = x1 - x6;
  float p25 = x2 + x5, m25 = x2 - x5, p34 = x3 + x4, m34 = x3 - x4;
  float outer = p07 + p34, inner = p16 + p25, outer_difference = p07 - p34,
        inner_difference = p16 - p25;
  line[0] = kNorm * (outer + inner);
  line[2 * step] = kNorm * (kB * outer_difference + kE * inner_difference);
  line[4 * step] = kNorm * (outer - inner);
  line[6 * step] = kNorm * (kE * outer_difference - kB * inner_difference);
  line[1 * step] = kNorm * (kA * m07 + kC * m16 + kD * m25 + kF * m34);
  line[3 * step] = kNorm * (kC * m07 - kF * m16 - kA * m25 - kD * m34);
  line[5 * step] = kNorm * (kD * m07 - kA * m16 + kF * m25 + kC * m34);
  line[7 * step] = kNorm * (kF * m07 - kD * m16 + kC * m25 - kA * m34);
}

// A block of 8 x 4 x 4 threads: four by four blocks of the image.
extern "C" __global__ void dct8x8(const float* source, float* destination, int pitch) {
  __shared__ float tile[32][33];
  int column = threadIdx.y * 8 + threadIdx.x, first_row = threadIdx.z * 8;
  int offset = (blockIdx.y * 32 + first_row) * pitch + blockIdx.x * 32 + column;
#pragma unroll
  for (int row = 0; row < 8; ++row) tile[first_row + row][column] = source[offset + row * pitch];
  __syncthreads();
  transform_line(&tile[first_row + threadIdx.x][threadIdx.y * 8], 1);
  __syncthreads();
  transform_line(&tile[first_row][column], 33);
#pragma unroll
  for (int row = 0; row < 8; ++row)
    destination[offset + row * pitch] = tile[first_row + row][column];
}
