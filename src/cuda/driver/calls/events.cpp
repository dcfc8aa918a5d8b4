// The driver's calls for events. Events are the same as in the runtime, and measure simulated time.

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {

HEDDLE_CUDA_EXPORT Result cuEventCreate(abi::EventHandle* event, unsigned flags) {
  return in_context_beside_kernel(
      "cuEventCreate", [&](Session&) { require(cudaEventCreateWithFlags(event, flags)); });
}

HEDDLE_CUDA_EXPORT Result cuEventDestroy_v2(abi::EventHandle event) {
  return in_context("cuEventDestroy", [&](Session&) { require(cudaEventDestroy(event)); });
}

HEDDLE_CUDA_EXPORT Result cuEventRecordWithFlags(abi::EventHandle event, abi::StreamHandle stream,
                                                 unsigned flags) {
  return in_context_beside_kernel(
      "cuEventRecord", [&](Session&) { require(cudaEventRecordWithFlags(event, stream, flags)); });
}

HEDDLE_CUDA_EXPORT Result cuEventRecord(abi::EventHandle event, abi::StreamHandle stream) {
  return cuEventRecordWithFlags(event, stream, 0);
}

HEDDLE_CUDA_EXPORT Result cuEventSynchronize(abi::EventHandle event) {
  return in_context("cuEventSynchronize", [&](Session&) { require(cudaEventSynchronize(event)); });
}

HEDDLE_CUDA_EXPORT Result cuEventQuery(abi::EventHandle event) {
  return in_context_beside_kernel("cuEventQuery",
                                  [&](Session&) { require(cudaEventQuery(event)); });
}

HEDDLE_CUDA_EXPORT Result cuEventElapsedTime_v2(float* milliseconds, abi::EventHandle begin,
                                                abi::EventHandle end) {
  return in_context("cuEventElapsedTime",
                    [&](Session&) { require(cudaEventElapsedTime(milliseconds, begin, end)); });
}

}  // namespace heddle::cuda::driver
