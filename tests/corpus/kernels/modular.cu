// Modular arithmetic on 64-bit numbers: exponentiation by Montgomery's product, and a primality
// test that divides.
__device__ inline unsigned long long montgomery(unsigned long long a, unsigned long long b,
                                                unsigned long long modulus,
                                                unsigned long long inverse) {
  unsigned long long low = a * b, high = __umul64hi(a, b);
  unsigned long long q = low * inverse;
  unsigned long long carry = __umul64hi(q, modulus);
  return high >= carry ? high - carry : high - carry + modulus;
}

// base^exponent mod modulus; the modulus is odd.
extern "C" __global__ void modular_power(const unsigned long long* bases,
                                         const unsigned long long* exponents,
                                         const unsigned long long* moduli,
                                         unsigned long long* results, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned long long modulus = moduli[i], exponent = exponents[i];
  unsigned long long inverse = modulus;  // Newton: correct to 3 bits, then 6, 12, 24, 48, 96.
#pragma unroll
  for (int step = 0; step < 5; ++step) inverse *= 2 - modulus * inverse;
  unsigned long long one = (0 - modulus) % modulus;  // 2^64 mod modulus
  unsigned long long squared = one;                  // becomes 2^128 mod modulus
  for (int bit = 0; bit < 64; ++bit)
    squared = squared >= modulus - squared ? squared - (modulus - squared) : squared + squared;
  unsigned long long power = montgomery(bases[i] % modulus, squared, modulus, inverse);
  unsigned long long result = one;
  while (exponent != 0) {
    if (exponent & 1) result = montgomery(result, power, modulus, inverse);
    power = montgomery(power, power, modulus, inverse);
    exponent >>= 1;
  }
  results[i] = montgomery(result, 1, modulus, inverse);
}

extern "C" __global__ void count_primes(unsigned first, unsigned count, unsigned* primes) {
  unsigned number = first + blockIdx.x * blockDim.x + threadIdx.x;
  bool prime = number - first < count && number > 1;
  for (unsigned divisor = 2; prime && divisor * divisor <= number; ++divisor)
    if (number % divisor == 0) prime = false;
  if (prime) atomicAdd(primes, 1u);
}
