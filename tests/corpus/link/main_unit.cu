// The unit with the kernel: it calls functions and uses variables of the other unit.
struct Accumulator {
  unsigned sum;
  unsigned long long product;
};

extern __device__ unsigned shared_counter;
extern __device__ unsigned table[16];
extern __constant__ float weights[4];

__device__ unsigned mixed(unsigned value, unsigned round);
__device__ Accumulator accumulate(const unsigned* values, int length);
extern __device__ unsigned (*operation_table[2])(unsigned);

static __device__ __noinline__ unsigned local_helper(unsigned value) { return value * 7 + 1; }

// The other unit calls this one back.
__device__ unsigned called_back(unsigned value) { return value ^ 0x5aa5; }

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i] = mixed(in[i], in[i] % 5) + local_helper(in[i]);
  Accumulator total = accumulate(table, 1 + in[i] % 16);
  out[count + i] = total.sum;
  out[2 * count + i] = unsigned(total.product) ^ unsigned(total.product >> 32);
  out[3 * count + i] = __float_as_uint(weights[in[i] % 4]);
  out[4 * count + i] = operation_table[in[i] % 2](in[i]);
  atomicAdd(&shared_counter, 1u);
}
