// Kernels that wait until the host writes to memory that both share.
#include <atomic>
#include <thread>

#include "check.h"

using Flag = volatile int*;

__global__ void wait_and_add(Flag flag, int* result) {
  while (*flag == 0) {
  }
  atomicAdd(result, *flag);
}

/// Answers `rounds` questions: waits for the question's number, and writes twice that number.
__global__ void answer(Flag question, Flag reply, int rounds) {
  for (int round = 1; round <= rounds; ++round) {
    int tries = 0;
    while (*question != round) ++tries;
    if (tries >= 0) *reply = 2 * round;
    __threadfence_system();
  }
}

__managed__ int variable = 0;

__global__ void wait_for_variable(int* result) {
  while (*Flag(&variable) != 5) {
  }
  *result = 6;
}

void managed_memory(int* result) {
  int* flag = nullptr;
  CALL(cudaMallocManaged(&flag, sizeof(int)));
  *flag = *result = 0;
  cudaEvent_t begin, end;
  CALL(cudaEventCreate(&begin));
  CALL(cudaEventCreate(&end));
  CALL(cudaEventRecord(begin));
  wait_and_add<<<4, 64>>>(flag, result);
  CALL(cudaEventRecord(end));
  EXPECT(cudaEventQuery(end) == cudaErrorNotReady);
  EXPECT(cudaStreamQuery(nullptr) == cudaErrorNotReady);
  EXPECT(cudaEventQuery(begin) == cudaSuccess);
  EXPECT(*result == 0);
  *flag = 3;
  CALL(cudaEventSynchronize(end));
  EXPECT(*result == 4 * 64 * 3);
  CALL(cudaStreamQuery(nullptr));
  float milliseconds = -1;
  CALL(cudaEventElapsedTime(&milliseconds, begin, end));
  EXPECT(milliseconds >= 0);
  CALL(cudaFree(flag));
}

void questions_by_mapped_memory() {
  constexpr int kRounds = 5;
  int* words = nullptr;
  CALL(cudaHostAlloc(&words, 2 * sizeof(int), cudaHostAllocMapped));
  Flag question = words, reply = words + 1;
  *question = *reply = 0;
  int* mapped = nullptr;
  CALL(cudaHostGetDevicePointer(&mapped, words, 0));
  answer<<<1, 1>>>(mapped, mapped + 1, kRounds);
  for (int round = 1; round <= kRounds; ++round) {
    *question = round;
    while (*reply != 2 * round) std::this_thread::yield();  // Makes no call of CUDA.
  }
  CALL(cudaDeviceSynchronize());
  CALL(cudaFreeHost(words));
}

void flag_written_by_another_thread(int* result) {
  int* flag = nullptr;
  CALL(cudaMallocManaged(&flag, sizeof(int)));
  *flag = *result = 0;
  std::atomic<bool> is_launched = false;
  std::thread writer([&] {
    while (!is_launched) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    int device = -1;
    CALL(cudaGetDevice(&device));
    *Flag(flag) = 7;
  });
  wait_and_add<<<1, 32>>>(flag, result);
  is_launched = true;
  CALL(cudaDeviceSynchronize());
  EXPECT(*result == 32 * 7);
  writer.join();
  CALL(cudaFree(flag));
}

void managed_variable(int* result) {
  wait_for_variable<<<1, 1>>>(result);
  variable = 5;
  CALL(cudaStreamSynchronize(nullptr));
  EXPECT(*result == 6);
}

/// Must be last: the error of the kernel remains.
void nobody_writes(int* result) {
  variable = 0;
  wait_for_variable<<<1, 1>>>(result);
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
}

int main() {
  int* result = nullptr;
  CALL(cudaMallocManaged(&result, sizeof(int)));
  managed_memory(result);
  questions_by_mapped_memory();
  flag_written_by_another_thread(result);
  managed_variable(result);
  nobody_writes(result);
  return verdict();
}
