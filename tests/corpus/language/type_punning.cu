// Unions, bit fields, unaligned bytes and memcpy between representations.
union Number {
  float f;
  unsigned u;
  unsigned char bytes[4];
};

struct Packed {
  unsigned a : 5;
  int b : 7;
  unsigned c : 17;
  unsigned long long d : 40;
};

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Number number;
  number.u = in[i];
  number.bytes[3] = 0x42;
  out[i] = __float_as_uint(number.f * 2.0f);
  Packed packed = {};
  packed.a = in[i];
  packed.b = int(in[i] >> 5);
  packed.c = in[i] >> 9;
  packed.d = (unsigned long long)in[i] * 1000003;
  packed.b += 3;
  out[count + i] = packed.a + packed.b * 64 + packed.c;
  out[2 * count + i] = unsigned(packed.d >> 20);
  unsigned char bytes[12];
  memcpy(bytes + 3, &in[i], 4);
  bytes[0] = bytes[1] = bytes[2] = 1;
  bytes[7] = bytes[8] = 2;
  unsigned word;
  memcpy(&word, bytes + 4, 4);
  out[3 * count + i] = word;
  memset(bytes, int(in[i]), sizeof bytes);
  memcpy(&word, bytes + 5, 4);
  out[4 * count + i] = word;
}
