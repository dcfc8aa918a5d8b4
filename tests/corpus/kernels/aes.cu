// AES-128 encryption of independent blocks with four lookup tables held in shared memory.
__constant__ unsigned aes_round_keys[44];
__constant__ unsigned char aes_sbox[256];

__device__ inline unsigned rotate_left(unsigned value, int bits) {
  return __funnelshift_l(value, value, bits);
}

// One block of 16 bytes a thread, as four little-endian words; 256 threads a block.
extern "C" __global__ void aes128_encrypt(const uint4* plain, uint4* cipher, int count) {
  __shared__ unsigned table[256];
  __shared__ unsigned char sbox[256];
  {
    unsigned s = aes_sbox[threadIdx.x];
    unsigned doubled = s << 1 ^ (s & 0x80 ? 0x11b : 0);
    table[threadIdx.x] = doubled | s << 8 | s << 16 | (doubled ^ s) << 24;
    sbox[threadIdx.x] = s;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  uint4 block = plain[i];
  unsigned state[4] = {block.x ^ aes_round_keys[0], block.y ^ aes_round_keys[1],
                       block.z ^ aes_round_keys[2], block.w ^ aes_round_keys[3]};
#pragma unroll
  for (int round = 1; round < 10; ++round) {
    unsigned next[4];
#pragma unroll
    for (int c = 0; c < 4; ++c)
      next[c] = table[state[c] & 0xff] ^ rotate_left(table[state[(c + 1) % 4] >> 8 & 0xff], 8) ^
                rotate_left(table[state[(c + 2) % 4] >> 16 & 0xff], 16) ^
                rotate_left(table[state[(c + 3) % 4] >> 24], 24) ^ aes_round_keys[4 * round + c];
#pragma unroll
    for (int c = 0; c < 4; ++c) state[c] = next[c];
  }
  unsigned last[4];
#pragma unroll
  for (int c = 0; c < 4; ++c)
    last[c] = (sbox[state[c] & 0xff] | sbox[state[(c + 1) % 4] >> 8 & 0xff] << 8 |
               sbox[state[(c + 2) % 4] >> 16 & 0xff] << 16 |
               unsigned(sbox[state[(c + 3) % 4] >> 24]) << 24) ^
              aes_round_keys[40 + c];
  cipher[i] = make_uint4(last[0], last[1], last[2], last[3]);
}
