// Dense and sparse switches, with falling through, in a small interpreter of byte code.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned accumulator = in[i], other = 1, steps = 0;
  for (unsigned pc = 0; pc < 24 && steps < 40; ++pc, ++steps) {
    unsigned code = in[(i + pc) % count] >> (pc % 16);
    switch (code % 14) {
      case 0: accumulator += other; break;
      case 1: accumulator -= other; break;
      case 2: accumulator *= other | 1; break;
      case 3: accumulator ^= other << 3; break;
      case 4: other = accumulator >> 5;  // Falls through.
      case 5: accumulator = ~accumulator; break;
      case 6: other += 7; break;
      case 7: accumulator = accumulator << 7 | accumulator >> 25; break;
      case 8:
        if (accumulator & 1) ++pc;
        break;
      case 9: accumulator &= 0xfffffff0u | other; break;
      case 10: other ^= accumulator; break;
      case 11: pc += 2; break;
      case 12: accumulator = accumulator / (other % 9 + 1); break;
      default: pc = 24; break;
    }
  }
  out[i] = accumulator;
  switch (in[count + i] % 4096) {
    case 7: out[count + i] = 1; break;
    case 1000: case 1001: case 1002: case 1003: out[count + i] = 2; break;
    case 4095: out[count + i] = 3; break;
    case 2500: case 2501: out[count + i] = 4; break;
    default: out[count + i] = other; break;
  }
}
