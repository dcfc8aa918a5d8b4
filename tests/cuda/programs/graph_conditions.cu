// Conditional nodes: kernels decide which graphs are executed, and how often.
#include "check.h"

__device__ int counter;
__device__ int visits[3];

__global__ void set(cudaGraphConditionalHandle condition, unsigned value) {
  cudaGraphSetConditional(condition, value);
}
__global__ void visit(int place, int amount) { visits[place] += amount; }
/// Counts down, and ends the loop at 0.
__global__ void count_down(cudaGraphConditionalHandle condition) {
  ++visits[0];
  cudaGraphSetConditional(condition, --counter > 0 ? 1 : 0);
}

template <class... Arguments>
cudaGraphNode_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t* dependency,
                           void (*kernel)(Arguments...), Arguments... arguments) {
  void* pointers[] = {&arguments...};
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(kernel);
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(1);
  parameters.kernelParams = pointers;
  cudaGraphNode_t node = nullptr;
  CALL(
      cudaGraphAddKernelNode(&node, graph, dependency, dependency == nullptr ? 0 : 1, &parameters));
  return node;
}

/// Adds a conditional node, and returns the graphs that it executes.
cudaGraph_t* add_condition(cudaGraph_t graph, const cudaGraphNode_t* dependency,
                           cudaGraphConditionalHandle condition, cudaGraphConditionalNodeType type,
                           unsigned size) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = condition;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  cudaGraphNode_t node = nullptr;
  CALL(cudaGraphAddNode(&node, graph, dependency, nullptr, dependency == nullptr ? 0 : 1,
                        &parameters));
  cudaGraphNodeType found = cudaGraphNodeTypeEmpty;
  CALL(cudaGraphNodeGetType(node, &found));
  EXPECT(found == cudaGraphNodeTypeConditional);
  return parameters.conditional.phGraph_out;
}

struct Visits {
  int of[3];
};
/// Launches a graph and returns the visits.
Visits launch(cudaGraphExec_t executable, int count = 0) {
  Visits none = {}, found = {};
  CALL(cudaMemcpyToSymbol(visits, &none, sizeof none));
  CALL(cudaMemcpyToSymbol(counter, &count, sizeof count));
  CALL(cudaGraphLaunch(executable, nullptr));
  CALL(cudaDeviceSynchronize());
  CALL(cudaMemcpyFromSymbol(&found, visits, sizeof found));
  return found;
}

cudaGraph_t new_graph() {
  cudaGraph_t graph = nullptr;
  CALL(cudaGraphCreate(&graph, 0));
  return graph;
}

void while_loop() {
  cudaGraph_t graph = new_graph();
  cudaGraphConditionalHandle condition = 0;
  CALL(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
  cudaGraph_t* bodies = add_condition(graph, nullptr, condition, cudaGraphCondTypeWhile, 1);
  // The body can be captured.
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  CALL(cudaStreamBeginCaptureToGraph(stream, bodies[0], nullptr, nullptr, 0,
                                     cudaStreamCaptureModeGlobal));
  visit<<<1, 1, 0, stream>>>(1, 10);
  count_down<<<1, 1, 0, stream>>>(condition);
  cudaGraph_t body = nullptr;
  CALL(cudaStreamEndCapture(stream, &body));
  EXPECT(body == bodies[0]);
  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  Visits found = launch(executable, 5);
  EXPECT(found.of[0] == 5 && found.of[1] == 50);
  found = launch(executable, 2);
  EXPECT(found.of[0] == 2 && found.of[1] == 20);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaStreamDestroy(stream));
}

/// The condition is set by a kernel before the node.
void if_else(unsigned value, int then_visits, int else_visits) {
  cudaGraph_t graph = new_graph();
  cudaGraphConditionalHandle condition = 0;
  CALL(cudaGraphConditionalHandleCreate(&condition, graph, 0, 0));
  cudaGraphNode_t first = add_kernel(graph, nullptr, set, condition, value);
  cudaGraph_t* bodies = add_condition(graph, &first, condition, cudaGraphCondTypeIf, 2);
  add_kernel(bodies[0], nullptr, visit, 0, 1);
  add_kernel(bodies[1], nullptr, visit, 1, 1);
  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  const Visits found = launch(executable);
  EXPECT(found.of[0] == then_visits && found.of[1] == else_visits);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
}

void switch_case() {
  for (unsigned value = 0; value < 4; ++value) {
    cudaGraph_t graph = new_graph();
    cudaGraphConditionalHandle condition = 0;
    CALL(cudaGraphConditionalHandleCreate(&condition, graph, value, cudaGraphCondAssignDefault));
    cudaGraph_t* bodies = add_condition(graph, nullptr, condition, cudaGraphCondTypeSwitch, 3);
    for (int i = 0; i < 3; ++i) add_kernel(bodies[i], nullptr, visit, i, 1);
    cudaGraphExec_t executable = nullptr;
    CALL(cudaGraphInstantiate(&executable, graph, 0));
    const Visits found = launch(executable);
    for (unsigned i = 0; i < 3; ++i) EXPECT(found.of[i] == (i == value ? 1 : 0));
    CALL(cudaGraphExecDestroy(executable));
    CALL(cudaGraphDestroy(graph));
  }
}

void rejections() {
  cudaGraph_t graph = new_graph(), copy = nullptr;
  cudaGraphConditionalHandle condition = 0;
  CALL(cudaGraphConditionalHandleCreate(&condition, graph, 0, 0));
  cudaGraphExec_t executable = nullptr;
  // The condition has no node.
  EXPECT(cudaGraphInstantiate(&executable, graph, 0) != cudaSuccess);
  add_condition(graph, nullptr, condition, cudaGraphCondTypeIf, 1);
  EXPECT(cudaGraphClone(&copy, graph) != cudaSuccess);
  cudaGetLastError();
  CALL(cudaGraphDestroy(graph));
}

int main() {
  while_loop();
  if_else(1, 1, 0);
  if_else(0, 0, 1);
  switch_case();
  rejections();
  EXPECT(cudaGetLastError() == cudaSuccess);
  return verdict();
}
