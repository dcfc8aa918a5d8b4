// MD5 of one-block messages, searched for a digest: rounds as loops over tables in constant memory.
__constant__ unsigned md5_sines[64];
__constant__ unsigned char md5_shifts[16] = {7, 12, 17, 22, 5, 9,  14, 20,
                                             4, 11, 16, 23, 6, 10, 15, 21};

// Message i is the number i in decimal digits, least significant first, padded to a block.
extern "C" __global__ void md5_search(unsigned first, unsigned count, uint4 target,
                                      unsigned* found, uint4* digests) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned words[16] = {};
  unsigned number = first + i, length = 0;
  do {
    words[length / 4] |= ('0' + number % 10) << length % 4 * 8;
    number /= 10;
    ++length;
  } while (number != 0);
  words[length / 4] |= 0x80u << length % 4 * 8;
  words[14] = length * 8;
  unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  for (int t = 0; t < 64; ++t) {
    unsigned mixed;
    int word;
    switch (t / 16) {
      case 0:
        mixed = (b & c) | (~b & d);
        word = t;
        break;
      case 1:
        mixed = (d & b) | (~d & c);
        word = 5 * t + 1;
        break;
      case 2:
        mixed = b ^ c ^ d;
        word = 3 * t + 5;
        break;
      default:
        mixed = c ^ (b | ~d);
        word = 7 * t;
        break;
    }
    mixed += a + md5_sines[t] + words[word % 16];
    a = d, d = c, c = b;
    int shift = md5_shifts[t / 16 * 4 + t % 4];
    b += mixed << shift | mixed >> (32 - shift);
  }
  uint4 digest =
      make_uint4(a + 0x67452301, b + 0xefcdab89, c + 0x98badcfe, d + 0x10325476);
  digests[i] = digest;
  if (digest.x == target.x && digest.y == target.y && digest.z == target.z &&
      digest.w == target.w)
    *found = first + i;
}
