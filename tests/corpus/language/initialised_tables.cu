// Constant and global variables with initial values: numbers, strings, structures, addresses of
// other variables and of their elements; changed by the program too.
struct Entry {
  const char* name;
  const int* values;
  int length;
  float scale;
};

__device__ int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
__device__ int few[5] = {-1, -2};
__constant__ short corners[2][3] = {{1, 2, 3}, {-4, -5, -6}};
__device__ const Entry entries[3] = {
    {"squares", squares, 8, 1.5f}, {"middle", squares + 3, 4, -2.0f}, {"few", few, 5, 0.25f}};
__constant__ const Entry* chosen = &entries[1];
__device__ double constants[3] = {3.141592653589793, -0.0, 1e300};
__device__ unsigned long long ticket = 1000;
__device__ unsigned char letters[] = "heddle";
__device__ int untouched[4];

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Entry& entry = entries[in[i] % 3];
  unsigned length = 0;
  while (entry.name[length] != 0) ++length;
  out[i] = length * 1000 + entry.name[in[i] % length];
  out[count + i] = entry.values[in[i] / 3 % entry.length];
  out[2 * count + i] = __float_as_uint(entry.scale * corners[in[i] % 2][in[i] / 2 % 3]);
  out[3 * count + i] = chosen->values[1] + chosen->length + untouched[in[i] % 4];
  out[4 * count + i] = __double2hiint(constants[in[i] % 3]) ^ __double2loint(constants[in[i] % 3]);
  out[5 * count + i] = letters[in[i] % 7];
  unsigned long long mine = atomicAdd(&ticket, 3ull);
  out[6 * count + i] = mine >= 1000 && (mine - 1000) % 3 == 0 && mine < 1000 + 3ull * count;
}
