// SHA-256 of messages of one 64-byte block each, given as words already padded.
__constant__ unsigned sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ inline unsigned rotate_right(unsigned x, int n) { return x >> n | x << (32 - n); }

extern "C" __global__ void sha256_block(const unsigned* messages, unsigned* digests, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned w[16];
#pragma unroll
  for (int t = 0; t < 16; ++t) w[t] = messages[t * count + i];
  constexpr unsigned kStart[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned a = kStart[0], b = kStart[1], c = kStart[2], d = kStart[3];
  unsigned e = kStart[4], f = kStart[5], g = kStart[6], h = kStart[7];
#pragma unroll
  for (int t = 0; t < 64; ++t) {
    if (t >= 16) {
      unsigned w15 = w[(t + 1) % 16], w2 = w[(t + 14) % 16];
      unsigned s0 = rotate_right(w15, 7) ^ rotate_right(w15, 18) ^ w15 >> 3;
      unsigned s1 = rotate_right(w2, 17) ^ rotate_right(w2, 19) ^ w2 >> 10;
      w[t % 16] += s0 + w[(t + 9) % 16] + s1;
    }
    unsigned s1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
    unsigned t1 = h + s1 + ((e & f) ^ (~e & g)) + sha256_constants[t] + w[t % 16];
    unsigned s0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
    unsigned t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  unsigned out[8] = {a, b, c, d, e, f, g, h};
#pragma unroll
  for (int t = 0; t < 8; ++t) digests[t * count + i] = out[t] + kStart[t];
}
