// Several threads of the host, each with a stream, launch and copy at once.
#include <thread>
#include <vector>

#include "check.h"

__global__ void increment(int* values) { ++values[blockIdx.x * blockDim.x + threadIdx.x]; }

int main() {
  constexpr int kThreads = 4, kCount = 256, kTimes = 8;
  std::vector<std::vector<int>> results(kThreads, std::vector<int>(kCount));
  std::vector<std::thread> threads;
  std::vector<int> own_errors(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      int* values = nullptr;
      cudaStream_t stream = nullptr;
      CALL(cudaStreamCreate(&stream));
      CALL(cudaMalloc(&values, kCount * sizeof(int)));
      CALL(cudaMemsetAsync(values, 0, kCount * sizeof(int), stream));
      for (int i = 0; i < kTimes + t; ++i) increment<<<2, kCount / 2, 0, stream>>>(values);
      CALL(cudaMemcpyAsync(results[t].data(), values, kCount * sizeof(int), cudaMemcpyDeviceToHost,
                           stream));
      CALL(cudaStreamSynchronize(stream));
      if (t == 0) cudaSetDevice(5);
      own_errors[t] = cudaGetLastError();
      CALL(cudaFree(values));
      CALL(cudaStreamDestroy(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < kThreads; ++t) {
    EXPECT(results[t] == std::vector<int>(kCount, kTimes + t));
    EXPECT(own_errors[t] == (t == 0 ? cudaErrorInvalidDevice : cudaSuccess));
  }
  return verdict();
}
