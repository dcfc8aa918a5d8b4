// Structures of mixed members as kernel arguments, copied, passed and returned by value.
struct Inner {
  char tag;
  double weight;
  short pair[3];
};

struct Outer {
  int id;
  Inner inner[2];
  unsigned char mask : 3;
  unsigned char rest : 5;
  long long big;
};

struct alignas(16) Wide {
  float values[12];
};

__device__ __noinline__ Outer swapped(Outer o) {
  Inner first = o.inner[0];
  o.inner[0] = o.inner[1];
  o.inner[1] = first;
  o.big = -o.big;
  o.mask = o.mask + 1;
  return o;
}

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count, Outer outer,
                                   Wide wide, char last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Outer changed = swapped(outer);
  if (in[i] & 1) changed = swapped(changed);
  unsigned which = in[i] / 2 % 2;
  out[i] = changed.id + changed.inner[which].tag + changed.inner[which].pair[in[i] % 3];
  out[count + i] = __float_as_uint(wide.values[in[i] % 12] + float(changed.inner[0].weight));
  out[2 * count + i] = unsigned(changed.big >> 32) ^ unsigned(changed.big);
  out[3 * count + i] = changed.mask << 16 | changed.rest << 8 | (unsigned char)last;
}
