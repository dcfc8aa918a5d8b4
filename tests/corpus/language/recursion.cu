// Functions that call themselves and each other, to a depth that differs from thread to thread.
__device__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }

// Sorts a small array on the stack.
__device__ void quick_sort(unsigned* values, int first, int last) {
  if (first >= last) return;
  unsigned pivot = values[(first + last) / 2];
  int low = first, high = last;
  while (low <= high) {
    while (values[low] < pivot) ++low;
    while (values[high] > pivot) --high;
    if (low <= high) {
      unsigned swapped = values[low];
      values[low++] = values[high];
      values[high--] = swapped;
    }
  }
  quick_sort(values, first, high);
  quick_sort(values, low, last);
}

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i] = ackermann(in[i] % 3, in[i] / 3 % 4);
  out[count + i] = is_even(in[i] % 23);
  unsigned values[12];
  for (int k = 0; k < 12; ++k) values[k] = in[(i + k * 7) % count] >> 8;
  quick_sort(values, 0, 11);
  for (int k = 0; k < 12; ++k) out[(2 + k) * count + i] = values[k];
}
