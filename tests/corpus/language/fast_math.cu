// The hardware's approximate functions, by name and by -use_fast_math.
extern "C" __global__ void program(const float* in, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = in[i], y = in[count + i];
  float results[] = {__sinf(x / 8),        __cosf(x / 8),  __expf(x / 4),   __logf(fabsf(x)),
                     __fdividef(x, y),     __powf(fabsf(x), y / 16), __exp10f(x / 16),
                     __log2f(fabsf(x)),    __saturatef(x), __tanf(x / 64),  x / y,
                     sqrtf(fabsf(y)),      rsqrtf(fabsf(y)), expf(y / 4),   1.0f / x};
  for (int k = 0; k < int(sizeof results / sizeof *results); ++k) out[k * count + i] = results[k];
}
