// The mathematical functions in double precision.
extern "C" __global__ void program(const double* in, double* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  double x = in[i], y = in[count + i];
  double results[] = {sin(x),        cos(x),          tan(x),         exp(x / 4),    log(fabs(x)),
                      pow(fabs(x), y / 4), sqrt(fabs(x)),   cbrt(x),        atan2(x, y),   asin(x / 64),
                      sinh(x / 8),   tanh(x),         erf(x / 8),     lgamma(fabs(x) + 0.5),
                      fmod(x, y),    hypot(x, y),     floor(x),       rint(x),       trunc(x),
                      log1p(fabs(x)), expm1(x / 16),  exp2(x / 8),    log10(fabs(x)), rsqrt(fabs(x)),
                      x / y,         fma(x, y, 1.0),  ldexp(x, 5),    round(y),      copysign(x, y),
                      log2(fabs(y)), sinpi(x / 3),    remainder(x, y)};
  for (int k = 0; k < int(sizeof results / sizeof *results); ++k) out[k * count + i] = results[k];
}
