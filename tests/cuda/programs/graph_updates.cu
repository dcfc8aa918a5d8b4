// Changes of nodes in graphs and in executable graphs, and updates of whole executable graphs.
#include "check.h"

constexpr int kCount = 4;
constexpr size_t kBytes = kCount * sizeof(int);

__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }
__global__ void multiply(int* values, int factor) { values[threadIdx.x] *= factor; }

int *values = nullptr, *others = nullptr;
int calls = 0;
void CUDART_CB count_one(void*) { ++calls; }
void CUDART_CB count_ten(void*) { calls += 10; }

/// The first value after a launch.
int run(cudaGraphExec_t executable) {
  int first = 0;
  CALL(cudaGraphLaunch(executable, nullptr));
  CALL(cudaDeviceSynchronize());
  CALL(cudaMemcpy(&first, values, sizeof first, cudaMemcpyDeviceToHost));
  return first;
}

cudaMemsetParams fill_of(int* to, unsigned value) {
  cudaMemsetParams fill = {};
  fill.dst = to;
  fill.value = value;
  fill.elementSize = sizeof(int);
  fill.width = kCount;
  fill.height = 1;
  return fill;
}

/// Parameters of a kernel. The arguments are static: the calls copy them.
cudaKernelNodeParams kernel_of(void (*kernel)(int*, int), int operand) {
  static int stored = 0;
  static void* arguments[] = {&values, &stored};
  stored = operand;
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(kernel);
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(kCount);
  parameters.kernelParams = arguments;
  return parameters;
}

/// A fill, a kernel, and a function of the host.
struct Chain {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t fill = nullptr, kernel = nullptr, function = nullptr;
};
Chain chain(unsigned value, void (*kernel)(int*, int), int operand) {
  Chain made;
  CALL(cudaGraphCreate(&made.graph, 0));
  const cudaMemsetParams fill = fill_of(values, value);
  CALL(cudaGraphAddMemsetNode(&made.fill, made.graph, nullptr, 0, &fill));
  const cudaKernelNodeParams parameters = kernel_of(kernel, operand);
  CALL(cudaGraphAddKernelNode(&made.kernel, made.graph, &made.fill, 1, &parameters));
  const cudaHostNodeParams host = {count_one, nullptr};
  CALL(cudaGraphAddHostNode(&made.function, made.graph, &made.kernel, 1, &host));
  return made;
}

/// Changes single nodes of an executable graph. The graph itself does not change.
void nodes_of_executable() {
  const Chain made = chain(1, add, 2);
  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiate(&executable, made.graph, 0));
  EXPECT(run(executable) == 3);
  cudaKernelNodeParams kernel = kernel_of(multiply, 7);
  CALL(cudaGraphExecKernelNodeSetParams(executable, made.kernel, &kernel));
  cudaMemsetParams fill = fill_of(values, 5);
  CALL(cudaGraphExecMemsetNodeSetParams(executable, made.fill, &fill));
  cudaHostNodeParams host = {count_ten, nullptr};
  CALL(cudaGraphExecHostNodeSetParams(executable, made.function, &host));
  calls = 0;
  EXPECT(run(executable) == 35 && calls == 10);
  CALL(cudaGraphKernelNodeGetParams(made.kernel, &kernel));
  EXPECT(*static_cast<int*>(kernel.kernelParams[1]) == 2);
  // The parameters must suit the node.
  EXPECT(cudaGraphExecMemsetNodeSetParams(executable, made.kernel, &fill) == cudaErrorInvalidValue);
  fill.height = 2;
  fill.width = 2;
  fill.pitch = 8;
  EXPECT(cudaGraphExecMemsetNodeSetParams(executable, made.fill, &fill) == cudaErrorInvalidValue);
  cudaGetLastError();

  // A kernel can be disabled, a function cannot.
  unsigned enabled = 7;
  CALL(cudaGraphNodeSetEnabled(executable, made.kernel, 0));
  CALL(cudaGraphNodeGetEnabled(executable, made.kernel, &enabled));
  EXPECT(enabled == 0 && run(executable) == 5);
  CALL(cudaGraphNodeSetEnabled(executable, made.kernel, 1));
  EXPECT(run(executable) == 35);
  EXPECT(cudaGraphNodeSetEnabled(executable, made.function, 0) == cudaErrorInvalidValue);
  cudaGetLastError();

  // A change of the graph affects the next executable graph only.
  kernel = kernel_of(add, 100);
  CALL(cudaGraphKernelNodeSetParams(made.kernel, &kernel));
  EXPECT(run(executable) == 35);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphInstantiate(&executable, made.graph, 0));
  EXPECT(run(executable) == 101);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(made.graph));
}

/// Updates an executable graph by graphs of the same structure, and rejects others.
void whole_graphs() {
  const Chain made = chain(1, add, 2), same = chain(10, multiply, 3);
  cudaGraphExec_t executable = nullptr;
  cudaGraphExecUpdateResultInfo info = {};
  CALL(cudaGraphInstantiate(&executable, made.graph, 0));
  EXPECT(run(executable) == 3);
  CALL(cudaGraphExecUpdate(executable, same.graph, &info));
  EXPECT(info.result == cudaGraphExecUpdateSuccess && run(executable) == 30);

  // Another number of nodes.
  cudaGraphNode_t node = nullptr;
  CALL(cudaGraphAddEmptyNode(&node, same.graph, &same.function, 1));
  EXPECT(cudaGraphExecUpdate(executable, same.graph, &info) == cudaErrorGraphExecUpdateFailure);
  EXPECT(info.result == cudaGraphExecUpdateErrorTopologyChanged && info.errorNode == nullptr);
  CALL(cudaGraphDestroyNode(node));
  // Another dependency.
  CALL(cudaGraphAddDependencies(same.graph, &same.fill, &same.function, nullptr, 1));
  EXPECT(cudaGraphExecUpdate(executable, same.graph, &info) == cudaErrorGraphExecUpdateFailure);
  EXPECT(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT(info.errorNode == same.function);
  // Another type of node.
  CALL(cudaGraphDestroyNode(same.function));
  CALL(cudaGraphAddEmptyNode(&node, same.graph, &same.kernel, 1));
  EXPECT(cudaGraphExecUpdate(executable, same.graph, &info) == cudaErrorGraphExecUpdateFailure);
  EXPECT(info.result == cudaGraphExecUpdateErrorNodeTypeChanged && info.errorNode == node);
  cudaGetLastError();
  EXPECT(run(executable) == 30);  // Nothing has changed.
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(made.graph));
  CALL(cudaGraphDestroy(same.graph));
}

/// The usual pattern: each capture updates the executable graph of the first one.
void captured_graphs() {
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  cudaGraphExec_t executable = nullptr;
  for (int i = 1; i <= 3; ++i) {
    cudaGraph_t graph = nullptr;
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CALL(cudaMemsetAsync(values, 0, kBytes, stream));
    add<<<1, kCount, 0, stream>>>(values, i);
    CALL(cudaMemcpyAsync(others, values, kBytes, cudaMemcpyDeviceToDevice, stream));
    CALL(cudaStreamEndCapture(stream, &graph));
    cudaGraphExecUpdateResultInfo info = {};
    if (executable == nullptr) {
      CALL(cudaGraphInstantiate(&executable, graph, 0));
    } else {
      CALL(cudaGraphExecUpdate(executable, graph, &info));
    }
    CALL(cudaGraphDestroy(graph));
    EXPECT(run(executable) == i);
  }
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaStreamDestroy(stream));
}

/// Copies and child graphs of executable graphs.
void copies_and_children() {
  int inputs[kCount] = {1, 2, 3, 4}, more[kCount] = {9, 9, 9, 9};
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t copy = nullptr, child = nullptr;
  CALL(cudaGraphCreate(&graph, 0));
  CALL(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, values, inputs, kBytes,
                                cudaMemcpyHostToDevice));
  const Chain inner = chain(1, add, 2), changed = chain(6, multiply, 7);
  // The chain begins with a fill, which would hide the copy.
  CALL(cudaGraphDestroyNode(inner.fill));
  CALL(cudaGraphDestroyNode(changed.fill));
  CALL(cudaGraphAddChildGraphNode(&child, graph, &copy, 1, inner.graph));
  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  EXPECT(run(executable) == 3);
  CALL(cudaGraphExecMemcpyNodeSetParams1D(executable, copy, values, more, kBytes,
                                          cudaMemcpyHostToDevice));
  EXPECT(run(executable) == 11);
  CALL(cudaGraphExecChildGraphNodeSetParams(executable, child, changed.graph));
  EXPECT(run(executable) == 63);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaGraphDestroy(inner.graph));
  CALL(cudaGraphDestroy(changed.graph));
}

int main() {
  CALL(cudaMalloc(&values, kBytes));
  CALL(cudaMalloc(&others, kBytes));
  nodes_of_executable();
  whole_graphs();
  captured_graphs();
  copies_and_children();
  EXPECT(cudaGetLastError() == cudaSuccess);
  return verdict();
}
