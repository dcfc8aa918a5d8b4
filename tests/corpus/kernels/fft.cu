// Fourier transforms: a radix-2 transform of a block in shared memory, and a radix-8 butterfly
// wholly in registers.
extern "C" __global__ void fft_radix2(const float2* input, float2* output, int log2_size) {
  extern __shared__ float2 line[];
  int size = 1 << log2_size, thread = threadIdx.x;
  input += blockIdx.x * size;
  output += blockIdx.x * size;
  for (int i = thread; i < size; i += blockDim.x) line[__brev(i) >> (32 - log2_size)] = input[i];
  for (int half = 1; half < size; half *= 2) {
    __syncthreads();
    for (int butterfly = thread; butterfly < size / 2; butterfly += blockDim.x) {
      int position = butterfly & (half - 1);
      int low = 2 * butterfly - position, high = low + half;
      float sine, cosine;
      sincospif(-float(position) / float(half), &sine, &cosine);
      float2 a = line[low], b = line[high];
      float2 turned = {b.x * cosine - b.y * sine, b.x * sine + b.y * cosine};
      line[low] = make_float2(a.x + turned.x, a.y + turned.y);
      line[high] = make_float2(a.x - turned.x, a.y - turned.y);
    }
  }
  __syncthreads();
  for (int i = thread; i < size; i += blockDim.x) output[i] = line[i];
}

__device__ inline double2 operator+(double2 a, double2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline double2 operator-(double2 a, double2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ inline double2 times(double2 a, double2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__device__ inline double2 times_minus_i(double2 a) { return {a.y, -a.x}; }

__device__ inline void fft4(double2& a, double2& b, double2& c, double2& d) {
  double2 s = a + c, t = a - c, u = b + d, v = times_minus_i(b - d);
  a = s + u, b = t + v, c = s - u, d = t - v;
}

// Each thread transforms eight values that lie `count` apart.
extern "C" __global__ void fft_radix8(const double2* input, double2* output, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  double2 v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = input[k * count + i];
  fft4(v[0], v[2], v[4], v[6]);
  fft4(v[1], v[3], v[5], v[7]);
  constexpr double kHalf = 0.70710678118654752440;
  v[3] = times(v[3], make_double2(kHalf, -kHalf));
  v[5] = times_minus_i(v[5]);
  v[7] = times(v[7], make_double2(-kHalf, -kHalf));
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    output[k * count + i] = v[2 * k] + v[2 * k + 1];
    output[(k + 4) * count + i] = v[2 * k] - v[2 * k + 1];
  }
}
