// A kernel of a graph fails: the launch succeeds, later calls return the error, and the rest of the
// graph is not executed.
#include "check.h"

__global__ void store(int* p) { *p = 1; }

void CUDART_CB count(void* calls) { ++*static_cast<int*>(calls); }

int main() {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  int calls = 0;
  CALL(cudaStreamCreate(&stream));
  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  store<<<1, 1, 0, stream>>>(nullptr);
  CALL(cudaLaunchHostFunc(stream, count, &calls));
  CALL(cudaStreamEndCapture(stream, &graph));
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  CALL(cudaGraphLaunch(executable, stream));
  EXPECT(cudaStreamSynchronize(stream) == cudaErrorIllegalAddress);
  EXPECT(cudaGraphLaunch(executable, stream) == cudaErrorIllegalAddress);
  EXPECT(calls == 0);
  return verdict();
}
