// The mathematical functions in single precision, as the compiler's default has them.
extern "C" __global__ void program(const float* in, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = in[i], y = in[count + i];
  float results[] = {sinf(x),         cosf(x),          tanf(x),        expf(x / 4),   logf(fabsf(x)),
                     powf(fabsf(x), y / 4), sqrtf(fabsf(x)),  cbrtf(x),       atan2f(x, y),  asinf(x / 64),
                     sinhf(x / 8),    tanhf(x),         erff(x / 8),    lgammaf(fabsf(x) + 0.5f),
                     fmodf(x, y),     hypotf(x, y),     floorf(x),      rintf(x),      truncf(x),
                     log1pf(fabsf(x)), expm1f(x / 16),  exp2f(x / 8),   log10f(fabsf(x)),
                     rsqrtf(fabsf(x)), x / y,           fmaf(x, y, 1.0f), ldexpf(x, 5), roundf(y),
                     copysignf(x, y), log2f(fabsf(y)),  sinpif(x / 3),  remainderf(x, y)};
  for (int k = 0; k < int(sizeof results / sizeof *results); ++k) out[k * count + i] = results[k];
}
