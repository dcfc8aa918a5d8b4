// Streams, events, asynchronous copies, functions on the host's side.
#include "check.h"

__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }

void CUDART_CB note(void* data) { ++*static_cast<int*>(data); }
void CUDART_CB note_status(cudaStream_t, cudaError_t error, void* data) {
  if (error == cudaSuccess) *static_cast<int*>(data) += 10;
}

int main() {
  constexpr int kCount = 64;
  int* host = nullptr;
  CALL(cudaMallocHost(&host, kCount * sizeof(int)));
  for (int i = 0; i < kCount; ++i) host[i] = i;
  int* device = nullptr;
  CALL(cudaMalloc(&device, kCount * sizeof(int)));
  cudaStream_t first = nullptr, second = nullptr;
  CALL(cudaStreamCreate(&first));
  CALL(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t begin = nullptr, end = nullptr, quiet = nullptr;
  CALL(cudaEventCreate(&begin));
  CALL(cudaEventCreate(&end));
  CALL(cudaEventCreateWithFlags(&quiet, cudaEventDisableTiming));

  CALL(cudaEventRecord(begin, first));
  CALL(cudaMemcpyAsync(device, host, kCount * sizeof(int), cudaMemcpyHostToDevice, first));
  add<<<1, kCount, 0, first>>>(device, 100);
  CALL(cudaEventRecord(end, first));
  CALL(cudaStreamWaitEvent(second, end, 0));
  add<<<1, kCount, 0, second>>>(device, 1000);
  int noted = 0;
  CALL(cudaLaunchHostFunc(second, note, &noted));
  CALL(cudaStreamAddCallback(second, note_status, &noted, 0));
  CALL(cudaMemcpyAsync(host, device, kCount * sizeof(int), cudaMemcpyDeviceToHost, second));
  CALL(cudaStreamSynchronize(second));
  EXPECT(host[0] == 1100 && host[63] == 1163);
  EXPECT(noted == 11);
  EXPECT(cudaStreamQuery(first) == cudaSuccess);
  EXPECT(cudaEventQuery(end) == cudaSuccess);
  float milliseconds = -1;
  CALL(cudaEventElapsedTime(&milliseconds, begin, end));
  EXPECT(milliseconds >= 0);
  CALL(cudaEventRecord(quiet));
  EXPECT(cudaEventElapsedTime(&milliseconds, begin, quiet) == cudaErrorInvalidResourceHandle);
  CALL(cudaStreamDestroy(first));
  EXPECT(cudaStreamSynchronize(first) == cudaErrorInvalidResourceHandle);
  CALL(cudaEventDestroy(begin));
  CALL(cudaFreeHost(host));
  return verdict();
}
