// printf on the device with all kinds of conversions.
#include <cstdio>

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int written = 0;
  if (i == 0) {
    printf("plain text, 100%%\n");
    written = printf("%d %u %x %X %o %c|%5d|%-5d|%05d|%+d\n", -7, 7u, 255, 255, 8, 'h', 42, 42, 42,
                     42);
    printf("%lld %llu %llx %hd\n", -5000000000ll, 18000000000000000000ull, 0xfeedfacecafeull,
           short(-3));
    printf("%f %.2f %8.3f %e %g %G\n", 1.5, 2.345678, 3.14159, 12345.678, 0.0001, 1e20);
    printf("%s and %10s|%-6s|%.3s\n", "text", "right", "left", "cut off");
    printf("%*d %.*f\n", 6, 17, 3, 2.0);
  }
  if (i < 3) printf("thread %d of %d holds %u\n", i, count, in[i]);
  out[i] = written;
}
