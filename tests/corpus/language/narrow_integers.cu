// Arithmetic on 8- and 16-bit integers: promotion, wrapping, sign, and conversions between them.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned word = in[i];
  signed char sc = word, sc2 = word >> 8;
  unsigned char uc = word, uc2 = word >> 8;
  short ss = word >> 8, ss2 = word;
  unsigned short us = word >> 16, us2 = word;
  signed char sum = sc + sc2;
  unsigned char product = uc * uc2;
  short difference = ss - ss2;
  unsigned short shifted = us << (uc & 7);
  short quotient = ss2 == 0 ? 0 : ss / ss2;
  signed char remainder = sc2 == 0 ? 0 : sc % sc2;
  out[i] = sum;
  out[count + i] = product;
  out[2 * count + i] = difference;
  out[3 * count + i] = shifted;
  out[4 * count + i] = quotient;
  out[5 * count + i] = remainder;
  out[6 * count + i] = (sc < sc2) | (uc < uc2) << 1 | (ss < ss2) << 2 | (us < us2) << 3;
  out[7 * count + i] = unsigned(ss >> (uc & 15)) ^ unsigned(us >> (uc & 15));
  unsigned char bytes[4] = {uc, uc2, (unsigned char)(word >> 16), (unsigned char)(word >> 24)};
  for (int k = 0; k < 4; ++k) bytes[k] = bytes[k] * 3 + bytes[(k + 1) % 4];
  out[8 * count + i] = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | unsigned(bytes[3]) << 24;
  out[9 * count + i] = unsigned(min(ss, ss2)) + unsigned(max(us, us2)) + unsigned(abs(sc));
}
