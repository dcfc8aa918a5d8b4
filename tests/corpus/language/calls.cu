// Functions that are not inlined: many arguments of many types, pointers to locals, large structures
// given back, and calls made by a part of the warp.
struct Matrix {
  float cell[3][3];
};

__device__ __noinline__ double many(int a, unsigned char b, short c, long long d, float e, double f,
                                    bool g, unsigned h, const int* i, char j, float4 k, int l) {
  return a + b + c + double(d) + e + f + (g ? 100 : 0) + h + *i + j + k.x * k.w + l;
}

__device__ __noinline__ Matrix product(Matrix a, const Matrix& b) {
  Matrix result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      float sum = 0;
      for (int k = 0; k < 3; ++k) sum += a.cell[i][k] * b.cell[k][j];
      result.cell[i][j] = sum;
    }
  return result;
}

__device__ __noinline__ void divide(unsigned a, unsigned b, unsigned* quotient,
                                    unsigned* remainder) {
  *quotient = a / b;
  *remainder = a % b;
}

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned value = in[i];
  int local = value % 50;
  double sum = many(value % 11, (unsigned char)value, (short)value, (long long)value << 8,
                    value % 3, value % 5 * 0.5, value & 1, value % 100, &local, (char)(value % 90),
                    make_float4(value % 4, 1, 2, 3), -3);
  out[i] = __double2loint(sum);
  out[count + i] = __double2hiint(sum);
  Matrix matrix;
  for (int k = 0; k < 9; ++k) matrix.cell[k / 3][k % 3] = float((value >> k) % 4);
  Matrix squared = product(matrix, matrix);
  if (value % 2) squared = product(squared, matrix);
  out[2 * count + i] = __float_as_uint(squared.cell[value % 3][value / 3 % 3]);
  unsigned quotient, remainder;
  divide(value, value % 1000 + 1, &quotient, &remainder);
  out[3 * count + i] = quotient;
  out[4 * count + i] = remainder;
}
