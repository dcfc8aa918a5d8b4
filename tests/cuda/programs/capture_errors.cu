// What a capture does not permit, and what that does to the capture.
#include <thread>

#include "check.h"

__global__ void nothing() {}

/// Ends an invalid capture.
void end_invalid(cudaStream_t stream) {
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(1);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CALL(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusInvalidated);
  nothing<<<1, 1, 0, stream>>>();
  EXPECT(cudaGetLastError() == cudaErrorStreamCaptureInvalidated);
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  EXPECT(graph == nullptr);
  CALL(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  cudaGetLastError();
}

void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  CALL(cudaStreamBeginCapture(stream, mode));
}

/// Ends a valid capture.
void end_valid(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  CALL(cudaStreamEndCapture(stream, &graph));
  CALL(cudaGraphDestroy(graph));
}

void states(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  EXPECT(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
         cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureMode(7)) == cudaErrorInvalidValue);
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
  begin(stream);
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaErrorIllegalState);
  end_valid(stream);
}

/// Operations that wait for work that is only captured.
void synchronisation(cudaStream_t stream) {
  begin(stream);
  EXPECT(cudaStreamSynchronize(stream) == cudaErrorStreamCaptureUnsupported);
  end_invalid(stream);
  begin(stream);
  EXPECT(cudaStreamQuery(stream) == cudaErrorStreamCaptureUnsupported);
  end_invalid(stream);
  begin(stream);
  EXPECT(cudaDeviceSynchronize() == cudaErrorStreamCaptureUnsupported);
  end_invalid(stream);
  cudaEvent_t event = nullptr;
  CALL(cudaEventCreate(&event));
  begin(stream);
  CALL(cudaEventRecord(event, stream));
  EXPECT(cudaEventSynchronize(event) == cudaErrorCapturedEvent);
  end_invalid(stream);
  begin(stream, cudaStreamCaptureModeRelaxed);
  CALL(cudaEventRecord(event, stream));
  EXPECT(cudaEventQuery(event) == cudaErrorCapturedEvent);
  end_invalid(stream);
  CALL(cudaEventDestroy(event));
}

/// The legacy default stream cannot wait for a captured stream, unless that is non-blocking.
void legacy_stream(cudaStream_t blocking, cudaStream_t other) {
  int* memory = nullptr;
  CALL(cudaMalloc(&memory, 4));
  cudaStreamCaptureStatus status;
  begin(blocking, cudaStreamCaptureModeRelaxed);
  EXPECT(cudaStreamIsCapturing(nullptr, &status) == cudaErrorStreamCaptureImplicit);
  end_valid(blocking);
  begin(blocking, cudaStreamCaptureModeRelaxed);
  EXPECT(cudaMemset(memory, 0, 4) == cudaErrorStreamCaptureImplicit);
  end_invalid(blocking);
  begin(blocking, cudaStreamCaptureModeRelaxed);
  nothing<<<1, 1>>>();
  EXPECT(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
  end_invalid(blocking);
  begin(other, cudaStreamCaptureModeRelaxed);
  nothing<<<1, 1>>>();
  CALL(cudaGetLastError());
  end_valid(other);
  CALL(cudaFree(memory));
}

/// Calls that are not part of a stream are only permitted in relaxed mode.
void unsafe_calls(cudaStream_t stream) {
  int* memory = nullptr;
  begin(stream);
  EXPECT(cudaMalloc(&memory, 4) == cudaErrorStreamCaptureUnsupported);
  end_invalid(stream);
  begin(stream, cudaStreamCaptureModeThreadLocal);
  EXPECT(cudaMalloc(&memory, 4) == cudaErrorStreamCaptureUnsupported);
  end_invalid(stream);
  begin(stream, cudaStreamCaptureModeRelaxed);
  CALL(cudaMalloc(&memory, 4));
  end_valid(stream);
  // The thread itself can be relaxed.
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  begin(stream);
  CALL(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == cudaStreamCaptureModeGlobal);
  CALL(cudaFree(memory));
  CALL(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == cudaStreamCaptureModeRelaxed);
  end_valid(stream);
}

/// Other threads are only affected by captures in global mode.
void threads(cudaStream_t stream) {
  int* memory = nullptr;
  cudaError_t error = cudaSuccess;
  const auto allocate = [&] { error = cudaMalloc(&memory, 4); };
  begin(stream, cudaStreamCaptureModeThreadLocal);
  std::thread(allocate).join();
  EXPECT(error == cudaSuccess);
  end_valid(stream);
  CALL(cudaFree(memory));
  begin(stream);
  std::thread(allocate).join();
  EXPECT(error == cudaErrorStreamCaptureUnsupported);
  end_invalid(stream);

  // A capture must end in the thread in which it began, unless its mode is relaxed.
  cudaGraph_t graph = nullptr;
  const auto end = [&] { error = cudaStreamEndCapture(stream, &graph); };
  begin(stream, cudaStreamCaptureModeThreadLocal);
  std::thread(end).join();
  EXPECT(error == cudaErrorStreamCaptureWrongThread);
  end_valid(stream);
  begin(stream, cudaStreamCaptureModeRelaxed);
  std::thread(end).join();
  EXPECT(error == cudaSuccess && graph != nullptr);
  CALL(cudaGraphDestroy(graph));
}

/// Dependencies between captured and other work, and between two captures.
void dependencies(cudaStream_t first, cudaStream_t second) {
  cudaEvent_t event = nullptr;
  CALL(cudaEventCreate(&event));
  CALL(cudaEventRecord(event, second));
  begin(first);
  EXPECT(cudaStreamWaitEvent(first, event, 0) == cudaErrorStreamCaptureIsolation);
  end_invalid(first);

  begin(first);
  begin(second);
  nothing<<<1, 1, 0, first>>>();
  CALL(cudaEventRecord(event, first));
  EXPECT(cudaStreamWaitEvent(second, event, 0) == cudaErrorStreamCaptureMerge);
  end_invalid(first);
  end_invalid(second);

  // The forked stream has work that the first stream does not wait for.
  cudaGraph_t graph = nullptr;
  begin(first);
  nothing<<<1, 1, 0, first>>>();
  CALL(cudaEventRecord(event, first));
  CALL(cudaStreamWaitEvent(second, event, 0));
  nothing<<<1, 1, 0, second>>>();
  EXPECT(cudaStreamEndCapture(first, &graph) == cudaErrorStreamCaptureUnjoined);
  EXPECT(graph == nullptr);
  cudaGetLastError();

  // A capture ends in the stream in which it began.
  begin(first);
  CALL(cudaEventRecord(event, first));
  CALL(cudaStreamWaitEvent(second, event, 0));
  EXPECT(cudaStreamEndCapture(second, &graph) == cudaErrorStreamCaptureUnmatched);
  end_invalid(first);

  // Afterwards, the event and the streams can be used as before.
  CALL(cudaEventRecord(event, first));
  CALL(cudaStreamWaitEvent(second, event, 0));
  nothing<<<1, 1, 0, second>>>();
  CALL(cudaStreamSynchronize(second));
  CALL(cudaEventDestroy(event));
}

int main() {
  cudaStream_t first = nullptr, second = nullptr;
  CALL(cudaStreamCreate(&first));
  CALL(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  states(first);
  synchronisation(first);
  legacy_stream(first, second);
  unsafe_calls(first);
  threads(first);
  dependencies(first, second);
  CALL(cudaDeviceSynchronize());
  return verdict();
}
