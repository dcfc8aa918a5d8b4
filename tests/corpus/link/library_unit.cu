// The unit that defines what the other one uses, with a helper of the same name of its own.
struct Accumulator {
  unsigned sum;
  unsigned long long product;
};

__device__ unsigned shared_counter = 100;
__device__ unsigned table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__constant__ float weights[4] = {0.5f, -1.25f, 3.0f, 1e10f};

__device__ unsigned called_back(unsigned value);

static __device__ __noinline__ unsigned local_helper(unsigned value) { return value * 5 + 2; }

__device__ unsigned mixed(unsigned value, unsigned round) {
  for (unsigned k = 0; k < round; ++k) value = called_back(value) + local_helper(value);
  return value;
}

__device__ Accumulator accumulate(const unsigned* values, int length) {
  Accumulator result = {0, 1};
  for (int k = 0; k < length; ++k) {
    result.sum += values[k];
    result.product *= values[k] + 11;
  }
  return result;
}

static __device__ unsigned twice(unsigned value) { return 2 * value; }
__device__ unsigned (*operation_table[2])(unsigned) = {called_back, twice};

// A second kernel in this unit.
extern "C" __global__ void read_counter(unsigned* out) { *out = shared_counter; }
