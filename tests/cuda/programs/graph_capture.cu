// Stream capture: work of streams becomes a graph, which is launched later and several times.
#include "check.h"

__device__ int base[4] = {1, 2, 3, 4};
__device__ int result[4];

__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }
__global__ void multiply(int* values, int factor) { values[threadIdx.x] *= factor; }
__global__ void combine(const int* left, const int* right, int* sums) {
  sums[threadIdx.x] = left[threadIdx.x] + right[threadIdx.x];
}

constexpr int kCount = 4;
constexpr size_t kBytes = kCount * sizeof(int);

void CUDART_CB count(void* calls) { ++*static_cast<int*>(calls); }

cudaStreamCaptureStatus status_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusInvalidated;
  CALL(cudaStreamIsCapturing(stream, &status));
  return status;
}

size_t nodes_in(cudaGraph_t graph) {
  size_t nodes = 0;
  CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
  return nodes;
}

cudaGraphNodeType type_of(cudaGraphNode_t node) {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CALL(cudaGraphNodeGetType(node, &type));
  return type;
}

/// One stream: copies, fills, kernels and a function of the host.
void one_stream(cudaStream_t stream) {
  int host[kCount] = {1, 2, 3, 4}, out[kCount] = {};
  int calls = 0, amount = 10;
  int* values = nullptr;
  CALL(cudaMalloc(&values, kBytes));
  EXPECT(status_of(stream) == cudaStreamCaptureStatusNone);
  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(status_of(stream) == cudaStreamCaptureStatusActive);
  CALL(cudaMemcpyAsync(values, host, kBytes, cudaMemcpyHostToDevice, stream));
  add<<<1, kCount, 0, stream>>>(values, amount);
  CALL(cudaGetLastError());
  CALL(cudaMemcpyAsync(out, values, kBytes - sizeof(int), cudaMemcpyDeviceToHost, stream));
  CALL(cudaMemsetAsync(values, 0xff, sizeof(int), stream));
  CALL(cudaMemcpyAsync(out + 3, values, sizeof(int), cudaMemcpyDeviceToHost, stream));
  CALL(cudaLaunchHostFunc(stream, count, &calls));
  amount = 99;  // The graph has the earlier value.
  cudaGraph_t graph = nullptr;
  CALL(cudaStreamEndCapture(stream, &graph));
  EXPECT(status_of(stream) == cudaStreamCaptureStatusNone);
  EXPECT(nodes_in(graph) == 6);
  CALL(cudaStreamSynchronize(stream));
  EXPECT(out[0] == 0 && out[3] == 0 && calls == 0);  // Nothing has been executed.

  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  CALL(cudaGraphDestroy(graph));  // The executable graph does not need it.
  CALL(cudaGraphUpload(executable, stream));
  CALL(cudaGraphLaunch(executable, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(out[0] == 11 && out[2] == 13 && out[3] == -1 && calls == 1);
  host[0] = 100;  // The graph copies from the same place again.
  CALL(cudaGraphLaunch(executable, stream));
  CALL(cudaGraphLaunch(executable, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(out[0] == 110 && out[1] == 12 && calls == 3);
  CALL(cudaGraphExecDestroy(executable));
  EXPECT(cudaGetLastError() == cudaSuccess);
  CALL(cudaFree(values));
}

/// Two streams, forked and joined by events, and copies of symbols.
void fork_and_join(cudaStream_t first, cudaStream_t second) {
  int *left = nullptr, *right = nullptr, out[kCount] = {};
  CALL(cudaMalloc(&left, kBytes));
  CALL(cudaMalloc(&right, kBytes));
  int* sums = nullptr;
  CALL(cudaGetSymbolAddress(reinterpret_cast<void**>(&sums), result));
  cudaEvent_t fork = nullptr, join = nullptr;
  CALL(cudaEventCreate(&fork));
  CALL(cudaEventCreate(&join));
  CALL(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  CALL(cudaMemcpyFromSymbolAsync(left, base, kBytes, 0, cudaMemcpyDeviceToDevice, first));
  CALL(cudaEventRecord(fork, first));
  EXPECT(status_of(second) == cudaStreamCaptureStatusNone);
  CALL(cudaStreamWaitEvent(second, fork, 0));
  EXPECT(status_of(second) == cudaStreamCaptureStatusActive);
  CALL(cudaMemcpyAsync(right, left, kBytes, cudaMemcpyDeviceToDevice, second));
  multiply<<<1, kCount, 0, second>>>(right, 100);
  CALL(cudaEventRecord(join, second));
  CALL(cudaStreamWaitEvent(first, join, 0));
  combine<<<1, kCount, 0, first>>>(left, right, sums);
  CALL(cudaMemcpyFromSymbolAsync(out, result, kBytes, 0, cudaMemcpyDeviceToHost, first));

  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr, captured = nullptr;
  const cudaGraphNode_t* last = nullptr;
  size_t count = 0;
  CALL(cudaStreamGetCaptureInfo(first, &status, &id, &graph, &last, nullptr, &count));
  EXPECT(status == cudaStreamCaptureStatusActive && id != 0 && count == 1);
  EXPECT(type_of(last[0]) == cudaGraphNodeTypeMemcpy);
  CALL(cudaStreamEndCapture(first, &captured));
  EXPECT(captured == graph);
  EXPECT(status_of(second) == cudaStreamCaptureStatusNone);
  EXPECT(nodes_in(graph) == 5);
  size_t edges = 0;
  CALL(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  EXPECT(edges == 5);  // The kernel `combine` has two dependencies.

  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  CALL(cudaGraphLaunch(executable, second));
  CALL(cudaStreamSynchronize(second));
  EXPECT(out[0] == 101 && out[1] == 202 && out[2] == 303 && out[3] == 404);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaEventDestroy(fork));
  CALL(cudaEventDestroy(join));
  CALL(cudaFree(left));
  CALL(cudaFree(right));
}

/// A capture that adds to a graph of the program, and a launch that is itself captured.
void nested(cudaStream_t stream) {
  int* values = nullptr;
  int out[kCount] = {};
  CALL(cudaMalloc(&values, kBytes));
  cudaGraph_t graph = nullptr, outer = nullptr;
  CALL(cudaGraphCreate(&graph, 0));
  cudaMemsetParams zero = {};
  zero.dst = values;
  zero.elementSize = sizeof(int);
  zero.value = 7;
  zero.width = kCount;
  zero.height = 1;
  cudaGraphNode_t first = nullptr;
  CALL(cudaGraphAddMemsetNode(&first, graph, nullptr, 0, &zero));
  CALL(cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1,
                                     cudaStreamCaptureModeRelaxed));
  add<<<1, kCount, 0, stream>>>(values, 1);
  cudaGraph_t same = nullptr;
  CALL(cudaStreamEndCapture(stream, &same));
  EXPECT(same == graph && nodes_in(graph) == 2);
  cudaGraphExec_t inner = nullptr, executable = nullptr;
  CALL(cudaGraphInstantiate(&inner, graph, 0));
  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CALL(cudaGraphLaunch(inner, stream));
  multiply<<<1, kCount, 0, stream>>>(values, 2);
  CALL(cudaMemcpyAsync(out, values, kBytes, cudaMemcpyDeviceToHost, stream));
  CALL(cudaStreamEndCapture(stream, &outer));
  EXPECT(nodes_in(outer) == 3);
  CALL(cudaGraphInstantiate(&executable, outer, 0));
  CALL(cudaGraphExecDestroy(inner));
  CALL(cudaGraphLaunch(executable, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(out[0] == 16 && out[3] == 16);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(outer));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaFree(values));
}

/// Allocations of a stream become nodes. The memory is valid from the allocation to the free.
void allocations(cudaStream_t stream) {
  int* values = nullptr;
  int out[kCount] = {};
  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CALL(cudaMallocAsync(reinterpret_cast<void**>(&values), kBytes, stream));
  CALL(cudaMemsetAsync(values, 0, kBytes, stream));
  add<<<1, kCount, 0, stream>>>(values, 5);
  CALL(cudaMemcpyAsync(out, values, kBytes, cudaMemcpyDeviceToHost, stream));
  CALL(cudaFreeAsync(values, stream));
  cudaGraph_t graph = nullptr;
  CALL(cudaStreamEndCapture(stream, &graph));
  EXPECT(nodes_in(graph) == 5);
  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) {
    out[0] = 0;
    CALL(cudaGraphLaunch(executable, stream));
    CALL(cudaStreamSynchronize(stream));
    EXPECT(out[0] == 5 && out[3] == 5);
  }
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
}

/// Copies and fills of two and three dimensions, and copies of arrays.
void shapes(cudaStream_t stream) {
  int host[2][kCount] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, out[2][kCount] = {}, back[2][kCount] = {};
  int* rows = nullptr;
  size_t pitch = 0;
  CALL(cudaMallocPitch(reinterpret_cast<void**>(&rows), &pitch, kBytes, 2));
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  CALL(cudaMallocArray(&array, &format, kCount, 2));
  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CALL(cudaMemcpy2DAsync(rows, pitch, host, kBytes, kBytes, 2, cudaMemcpyHostToDevice, stream));
  CALL(cudaMemset2DAsync(rows + 1, pitch, 0, sizeof(int), 2, stream));
  CALL(cudaMemcpy2DToArrayAsync(array, 0, 0, rows, pitch, kBytes, 2, cudaMemcpyDeviceToDevice,
                                stream));
  CALL(cudaMemset3DAsync(make_cudaPitchedPtr(rows, pitch, kBytes, 1), 0xff,
                         make_cudaExtent(sizeof(int), 1, 2), stream));
  CALL(cudaMemcpy2DAsync(out, kBytes, rows, pitch, kBytes, 2, cudaMemcpyDeviceToHost, stream));
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.srcPos = make_cudaPos(2, 0, 0);
  copy.dstPtr = make_cudaPitchedPtr(back, kBytes, kCount, 2);
  copy.extent = make_cudaExtent(2, 2, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  CALL(cudaMemcpy3DAsync(&copy, stream));
  CALL(cudaMemcpy2DFromArrayAsync(&back[0][2], kBytes, array, 0, 0, 2 * sizeof(int), 2,
                                  cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph = nullptr;
  CALL(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  CALL(cudaGraphLaunch(executable, stream));
  CALL(cudaStreamSynchronize(stream));
  const int expected[2][kCount] = {{-1, 0, 3, 4}, {-1, 0, 7, 8}};
  const int expected_back[2][kCount] = {{3, 4, 1, 0}, {7, 8, 5, 0}};
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < kCount; ++x) {
      EXPECT(out[y][x] == expected[y][x]);
      EXPECT(back[y][x] == expected_back[y][x]);
    }
  }
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaFreeArray(array));
  CALL(cudaFree(rows));
}

/// Events that are recorded by the graph itself.
void external_events(cudaStream_t stream) {
  cudaEvent_t begin = nullptr, end = nullptr;
  CALL(cudaEventCreate(&begin));
  CALL(cudaEventCreate(&end));
  int* values = nullptr;
  CALL(cudaMalloc(&values, kBytes));
  CALL(cudaMemset(values, 0, kBytes));
  CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CALL(cudaEventRecordWithFlags(begin, stream, cudaEventRecordExternal));
  add<<<1, kCount, 0, stream>>>(values, 5);
  CALL(cudaStreamWaitEvent(stream, begin, cudaEventWaitExternal));
  CALL(cudaEventRecordWithFlags(end, stream, cudaEventRecordExternal));
  cudaGraph_t graph = nullptr;
  CALL(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t nodes[4] = {};
  size_t count = 4;
  CALL(cudaGraphGetNodes(graph, nodes, &count));
  EXPECT(count == 4);
  int records = 0, waits = 0;
  for (cudaGraphNode_t node : nodes) {
    records += type_of(node) == cudaGraphNodeTypeEventRecord;
    waits += type_of(node) == cudaGraphNodeTypeWaitEvent;
  }
  EXPECT(records == 2 && waits == 1);
  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  float milliseconds = -1;
  CALL(cudaGraphLaunch(executable, stream));
  CALL(cudaEventSynchronize(end));
  CALL(cudaEventElapsedTime(&milliseconds, begin, end));
  EXPECT(milliseconds >= 0);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaEventDestroy(begin));
  CALL(cudaEventDestroy(end));
  CALL(cudaFree(values));
}

int main() {
  cudaStream_t first = nullptr, second = nullptr;
  CALL(cudaStreamCreate(&first));
  CALL(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  one_stream(first);
  one_stream(cudaStreamPerThread);
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  one_stream(nullptr);
#endif
  fork_and_join(first, second);
  nested(first);
  allocations(second);
  shapes(first);
  external_events(first);
  CALL(cudaStreamDestroy(first));
  CALL(cudaStreamDestroy(second));
  return verdict();
}
