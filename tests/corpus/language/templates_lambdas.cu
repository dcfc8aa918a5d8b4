// Templates, lambdas with captures, fold expressions, constexpr and a small expression template.
template <typename F, typename... Rest>
__device__ unsigned chain(unsigned value, F first, Rest... rest) {
  value = first(value);
  if constexpr (sizeof...(rest) > 0)
    return chain(value, rest...);
  else
    return value;
}

template <unsigned N>
struct Power {
  static __device__ unsigned long long of(unsigned long long x) {
    return N % 2 ? x * Power<N - 1>::of(x) : Power<N / 2>::of(x) * Power<N / 2>::of(x);
  }
};
template <>
struct Power<0> {
  static __device__ unsigned long long of(unsigned long long) { return 1; }
};

template <typename... Values>
__device__ auto sum(Values... values) {
  return (values + ...);
}

__host__ __device__ constexpr unsigned fibonacci(unsigned n) {
  unsigned a = 0, b = 1;
  while (n-- > 0) {
    unsigned next = a + b;
    a = b;
    b = next;
  }
  return a;
}

template <typename T, int N>
struct Polynomial {
  T coefficients[N];
  __device__ T operator()(T x) const {
    T value = 0;
    for (int k = N - 1; k >= 0; --k) value = value * x + coefficients[k];
    return value;
  }
};

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned a = in[i], b = in[count + i];
  out[i] = chain(
      a, [=](unsigned x) { return x ^ b; }, [](unsigned x) { return x * 3; },
      [&](unsigned x) { return x + a; });
  unsigned long long power = Power<13>::of(a % 1000);
  out[count + i] = unsigned(power);
  out[2 * count + i] = unsigned(power >> 32);
  out[3 * count + i] = sum(a, (unsigned short)b, (signed char)b, fibonacci(30));
  Polynomial<int, 5> polynomial = {{3, -2, 7, 1, -1}};
  out[4 * count + i] = polynomial(int(b % 64) - 32);
}
