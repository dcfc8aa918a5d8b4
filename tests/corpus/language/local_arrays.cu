// Arrays in local memory that are indexed by data, of words, bytes, doubles and structures.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned counts[16] = {};
  unsigned char bytes[32] = {};
  double doubles[4] = {1.0, 2.0, 4.0, 8.0};
  for (int k = 0; k < 32; ++k) {
    unsigned value = in[(i + k) % count];
    ++counts[value % 16];
    bytes[value % 32] = k;
    bytes[k] ^= value >> 8;
    doubles[value % 4] += value % 8;
  }
  out[i] = counts[in[i] % 16] * 100 + counts[15];
  unsigned mixed = 0;
  for (int k = 0; k < 32; ++k) mixed = mixed * 31 + bytes[(k * in[i]) % 32];
  out[count + i] = mixed;
  out[2 * count + i] = unsigned(doubles[in[i] % 4]);
  struct Pair {
    unsigned short a;
    unsigned b;
  } pairs[5];
  for (int k = 0; k < 5; ++k) pairs[(k * 3 + in[i]) % 5] = {(unsigned short)(k * 1000), in[i] >> k};
  out[3 * count + i] = pairs[1].a + pairs[in[i] % 5].b;
}
