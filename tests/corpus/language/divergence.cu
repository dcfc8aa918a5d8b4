// Control flow that splits warps: nested loops with break, continue, goto and return, short-circuit
// conditions, and loops whose exits meet at different places.
__device__ __noinline__ unsigned collatz(unsigned n) {
  unsigned steps = 0;
  for (;;) {
    if (n <= 1) return steps;
    if (n % 2)
      n = 3 * n + 1;
    else
      n /= 2;
    if (++steps > 60) return 1000 + n % 7;
  }
}

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned value = in[i], a = 0, b = 1;
  for (unsigned outer = 0; outer < value % 9; ++outer) {
    if (outer == 5) continue;
    for (unsigned inner = outer;; ++inner) {
      if ((value >> inner) % 5 == 0) break;
      if (inner > 20) goto done;
      if (value % 3 == 0 && inner % 2 || (value >> 4) % 4 == 1) {
        b += inner;
        continue;
      }
      a += inner * b;
    }
    a ^= outer;
  }
done:
  out[i] = a * 7 + b;
  out[count + i] = collatz(value % 97 + 1);
  unsigned c = value;
  do {
    if (c % 4 == 3) {
      c -= 3;
      if (c % 8 == 0) break;
    } else if (c % 4 == 2) {
      c /= 2;
    } else {
      while (c % 4 < 2 && c > 3) c = c / 4 + c % 4;
      if (c < 2) break;
    }
  } while (c > 10);
  out[2 * count + i] = c;
  if (value % 7 == 0) return;
  unsigned state = value % 4, turns = 0;
  while (turns++ < 30 && state != 3) {
    if (state == 0) goto first;
    if (state == 1) goto second;
    state = (value >> turns) % 4;
    continue;
  first:
    b += 3;
    state = b % 3;
    if (b % 5 == 0) goto second;
    continue;
  second:
    b *= 5;
    state = (b >> 3) % 4;
  }
  out[3 * count + i] = b;
}
