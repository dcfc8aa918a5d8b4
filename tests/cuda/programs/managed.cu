// One memory for both sides: a list that the host builds and the device walks, and mapped memory.
#include "check.h"

struct Node {
  int value;
  Node* next;
};

__global__ void sum(const Node* node, int* result) {
  for (; node != nullptr; node = node->next) *result += node->value;
}

int main() {
  Node* first = nullptr;
  for (int i = 1; i <= 10; ++i) {
    Node* node = nullptr;
    CALL(cudaMallocManaged(&node, sizeof(Node)));
    *node = {i, first};
    first = node;
  }
  int* mapped = nullptr;
  CALL(cudaHostAlloc(&mapped, sizeof(int), cudaHostAllocMapped));
  *mapped = 100;
  int* on_device = nullptr;
  CALL(cudaHostGetDevicePointer(&on_device, mapped, 0));
  sum<<<1, 1>>>(first, on_device);
  CALL(cudaDeviceSynchronize());
  EXPECT(*mapped == 155);
  cudaPointerAttributes attributes{};
  CALL(cudaPointerGetAttributes(&attributes, first));
  EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == first);
  CALL(cudaPointerGetAttributes(&attributes, mapped));
  EXPECT(attributes.type == cudaMemoryTypeHost);
  int local = 0;
  CALL(cudaPointerGetAttributes(&attributes, &local));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  EXPECT(cudaFree(mapped) == cudaErrorInvalidValue);
  CALL(cudaFreeHost(mapped));
  return verdict();
}
