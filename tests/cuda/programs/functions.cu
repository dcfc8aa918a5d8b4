// Function pointers, virtual functions and recursion on the device.
#include "check.h"

using Operation = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ Operation operations[2] = {add, subtract};

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square final : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Strip final : Shape {
  int length;
  __device__ explicit Strip(int l) : length(l) {}
  __device__ int area() const override { return length; }
};

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void compute(int* out) {
  const int i = int(threadIdx.x);
  out[i] = operations[i % 2](100, i);
  Shape* const shape = i % 2 == 0 ? static_cast<Shape*>(new Square(i)) : new Strip(i);
  out[32 + i] = shape->area();
  delete shape;
  out[64 + i] = fibonacci(i % 12);
}

int main() {
  CALL(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  int* out = nullptr;
  CALL(cudaMallocManaged(&out, 96 * sizeof(int)));
  compute<<<1, 32>>>(out);
  CALL(cudaDeviceSynchronize());
  const int fibonaccis[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (int i = 0; i < 32; ++i) {
    EXPECT(out[i] == (i % 2 == 0 ? 100 + i : 100 - i));
    EXPECT(out[32 + i] == (i % 2 == 0 ? i * i : i));
    EXPECT(out[64 + i] == fibonaccis[i % 12]);
  }
  return verdict();
}
