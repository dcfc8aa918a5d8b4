// Graphs that are made of explicit nodes: every type of node, the structure, copies of graphs.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "check.h"

constexpr int kCount = 4;
constexpr size_t kBytes = kCount * sizeof(int);

__device__ int source[kCount] = {1, 2, 3, 4};
__device__ int target[kCount];

__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }

void CUDART_CB append(void* text) { std::strcat(static_cast<char*>(text), "x"); }

cudaGraph_t new_graph() {
  cudaGraph_t graph = nullptr;
  CALL(cudaGraphCreate(&graph, 0));
  return graph;
}

cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  CALL(cudaGraphInstantiate(&executable, graph, 0));
  return executable;
}

void run(cudaGraphExec_t executable, int times = 1) {
  for (int i = 0; i < times; ++i) CALL(cudaGraphLaunch(executable, nullptr));
  CALL(cudaDeviceSynchronize());
}

/// Adds a kernel that adds `amount`. The argument is copied when the node is created.
cudaGraphNode_t add_kernel(cudaGraph_t graph, std::vector<cudaGraphNode_t> dependencies,
                           int* values, int amount) {
  void* arguments[] = {&values, &amount};
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(add);
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(kCount);
  parameters.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  CALL(cudaGraphAddKernelNode(&node, graph, dependencies.data(), dependencies.size(), &parameters));
  return node;
}

cudaMemsetParams fill_of(int* values, unsigned value) {
  cudaMemsetParams fill = {};
  fill.dst = values;
  fill.value = value;
  fill.elementSize = sizeof(int);
  fill.width = kCount;
  fill.height = 1;
  return fill;
}

/// Copies of one and three dimensions, to and from symbols, fills and functions of the host.
void node_types(int* values) {
  int host[kCount] = {10, 20, 30, 40}, out[kCount] = {};
  char text[8] = "";
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t node = nullptr, to_symbol = nullptr, function = nullptr;
  CALL(cudaGraphAddMemcpyNodeToSymbol(&to_symbol, graph, nullptr, 0, target, host, kBytes, 0,
                                      cudaMemcpyHostToDevice));
  CALL(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, &to_symbol, 1, values, target, kBytes, 0,
                                        cudaMemcpyDeviceToDevice));
  node = add_kernel(graph, {node}, values, 1);
  CALL(cudaGraphAddEmptyNode(&node, graph, &node, 1));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values, 2 * sizeof(int), 2, 2);
  copy.dstPtr = make_cudaPitchedPtr(out, 2 * sizeof(int), 2, 2);
  copy.extent = make_cudaExtent(2 * sizeof(int), 2, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  CALL(cudaGraphAddMemcpyNode(&node, graph, &node, 1, &copy));
  cudaMemcpy3DParms found = {};
  CALL(cudaGraphMemcpyNodeGetParams(node, &found));
  EXPECT(found.extent.width == 8 && found.extent.height == 2 && found.dstPtr.ptr == out);
  cudaHostNodeParams host_node = {append, text};
  CALL(cudaGraphAddHostNode(&function, graph, &node, 1, &host_node));
  cudaHostNodeParams found_host = {};
  CALL(cudaGraphHostNodeGetParams(function, &found_host));
  EXPECT(found_host.fn == append && found_host.userData == text);
  CALL(cudaGraphAddMemcpyNode1D(&node, graph, &function, 1, host, out, sizeof(int),
                                cudaMemcpyHostToHost));
  cudaGraphExec_t executable = instantiate(graph);
  run(executable);
  EXPECT(out[0] == 11 && out[1] == 21 && out[2] == 31 && out[3] == 41);
  EXPECT(host[0] == 11 && std::strcmp(text, "x") == 0);
  run(executable, 2);
  EXPECT(out[0] == 13 && out[1] == 21 && std::strcmp(text, "xxx") == 0);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
}

/// The structure of a graph can be queried and changed. A diamond: one, then two, then one node.
void structure(int* values) {
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t begin = nullptr;
  const cudaMemsetParams fill = fill_of(values, 1);
  CALL(cudaGraphAddMemsetNode(&begin, graph, nullptr, 0, &fill));
  cudaGraphNode_t left = add_kernel(graph, {begin}, values, 10);
  cudaGraphNode_t right = add_kernel(graph, {begin}, values, 100);
  cudaGraphNode_t end = add_kernel(graph, {left, right}, values, 1000);
  size_t count = 0;
  CALL(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == 4);
  cudaGraphNode_t nodes[6] = {};
  count = 6;
  CALL(cudaGraphGetNodes(graph, nodes, &count));
  EXPECT(count == 4 && nodes[4] == nullptr);
  count = 6;
  CALL(cudaGraphGetRootNodes(graph, nodes, &count));
  EXPECT(count == 1 && nodes[0] == begin);
  cudaGraphNode_t from[4] = {}, to[4] = {};
  count = 4;
  CALL(cudaGraphGetEdges(graph, from, to, nullptr, &count));
  EXPECT(count == 4);
  count = 6;
  CALL(cudaGraphNodeGetDependencies(end, nodes, nullptr, &count));
  EXPECT(count == 2 &&
         ((nodes[0] == left && nodes[1] == right) || (nodes[0] == right && nodes[1] == left)));
  count = 6;
  CALL(cudaGraphNodeGetDependentNodes(begin, nodes, nullptr, &count));
  EXPECT(count == 2);
  // A dependency exists once. It can be removed and added again.
  EXPECT(cudaGraphAddDependencies(graph, &begin, &left, nullptr, 1) == cudaErrorInvalidValue);
  CALL(cudaGraphRemoveDependencies(graph, &begin, &left, nullptr, 1));
  EXPECT(cudaGraphRemoveDependencies(graph, &begin, &left, nullptr, 1) == cudaErrorInvalidValue);
  CALL(cudaGraphAddDependencies(graph, &begin, &left, nullptr, 1));
  cudaGraphExec_t executable = instantiate(graph);
  run(executable);
  int out[kCount] = {};
  CALL(cudaMemcpy(out, values, kBytes, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 1111 && out[3] == 1111);
  CALL(cudaGraphExecDestroy(executable));

  // A graph with a cycle cannot be instantiated.
  CALL(cudaGraphAddDependencies(graph, &end, &left, nullptr, 1));
  cudaGraphInstantiateParams parameters = {};
  EXPECT(cudaGraphInstantiateWithParams(&executable, graph, &parameters) != cudaSuccess);
  EXPECT(parameters.result_out == cudaGraphInstantiateInvalidStructure);
  EXPECT(cudaGraphInstantiate(&executable, graph, 0) != cudaSuccess);
  cudaGetLastError();
  // With the node, its dependencies disappear.
  CALL(cudaGraphDestroyNode(end));
  count = 0;
  CALL(cudaGraphNodeGetDependentNodes(left, nullptr, nullptr, &count));
  EXPECT(count == 0);
  CALL(cudaGraphInstantiateWithParams(&executable, graph, &parameters));
  EXPECT(parameters.result_out == cudaGraphInstantiateSuccess);
  run(executable);
  CALL(cudaMemcpy(out, values, kBytes, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 111);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
}

/// A child node has a copy of the graph. A copied graph is independent.
void children_and_copies(int* values) {
  int out[kCount] = {};
  cudaGraph_t child = new_graph(), graph = new_graph(), copy = nullptr, inside = nullptr;
  cudaGraphNode_t first = add_kernel(child, {}, values, 5);
  cudaGraphNode_t begin = nullptr, node = nullptr, found = nullptr;
  const cudaMemsetParams fill = fill_of(values, 0);
  CALL(cudaGraphAddMemsetNode(&begin, graph, nullptr, 0, &fill));
  CALL(cudaGraphAddChildGraphNode(&node, graph, &begin, 1, child));
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CALL(cudaGraphNodeGetType(node, &type));
  EXPECT(type == cudaGraphNodeTypeGraph);
  CALL(cudaGraphChildGraphNodeGetGraph(node, &inside));
  EXPECT(inside != child);
  add_kernel(child, {first}, values, 50);  // Not part of the node.
  CALL(cudaGraphClone(&copy, graph));
  CALL(cudaGraphNodeFindInClone(&found, begin, copy));
  EXPECT(found != begin);
  cudaMemsetParams changed = fill_of(values, 1000);
  CALL(cudaGraphMemsetNodeSetParams(found, &changed));
  cudaGraphExec_t executable = instantiate(graph), copied = instantiate(copy);
  run(executable);
  CALL(cudaMemcpy(out, values, kBytes, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 5);
  run(copied);
  CALL(cudaMemcpy(out, values, kBytes, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 1005);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphExecDestroy(copied));
  CALL(cudaGraphDestroy(graph));
  CALL(cudaGraphDestroy(copy));
  CALL(cudaGraphDestroy(child));
}

/// Memory that a graph allocates has the address that the node's creation returns.
void memory_nodes() {
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = kBytes;
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t node = nullptr;
  CALL(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &parameters));
  int* const values = static_cast<int*>(parameters.dptr);
  EXPECT(values != nullptr);
  const cudaMemsetParams fill = fill_of(values, 3);
  CALL(cudaGraphAddMemsetNode(&node, graph, &node, 1, &fill));
  add_kernel(graph, {node}, values, 4);
  int out[kCount] = {};
  cudaGraphExec_t executable = instantiate(graph);
  run(executable);
  CALL(cudaMemcpy(out, values, kBytes, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 7);
  // The program must free the memory before the next launch.
  EXPECT(cudaGraphLaunch(executable, nullptr) == cudaErrorInvalidValue);
  CALL(cudaFree(values));
  run(executable);
  CALL(cudaFreeAsync(values, nullptr));
  CALL(cudaDeviceSynchronize());
  CALL(cudaGraphExecDestroy(executable));
  // Or the launch frees it.
  CALL(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  run(executable, 3);
  CALL(cudaFree(values));
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaGraphDestroy(graph));
}

void CUDART_CB mark(void* flag) { *static_cast<bool*>(flag) = true; }

/// A graph keeps a user object alive.
void user_objects() {
  bool is_destroyed = false;
  cudaUserObject_t object = nullptr;
  CALL(cudaUserObjectCreate(&object, &is_destroyed, mark, 1, cudaUserObjectNoDestructorSync));
  cudaGraph_t graph = new_graph();
  CALL(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  cudaGraphExec_t executable = instantiate(graph);
  CALL(cudaGraphDestroy(graph));
  EXPECT(!is_destroyed);
  CALL(cudaGraphExecDestroy(executable));
  CALL(cudaDeviceSynchronize());
  EXPECT(is_destroyed);
}

/// Invalid handles and parameters.
void rejections(int* values) {
  cudaGraph_t graph = new_graph(), other = new_graph();
  cudaGraphNode_t node = nullptr, foreign = add_kernel(other, {}, values, 1);
  cudaMemsetParams fill = fill_of(values, 1);
  fill.elementSize = 3;
  EXPECT(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill) == cudaErrorInvalidValue);
  EXPECT(cudaGraphAddEmptyNode(&node, graph, &foreign, 1) == cudaErrorInvalidValue);
  cudaHostNodeParams none = {};
  EXPECT(cudaGraphAddHostNode(&node, graph, nullptr, 0, &none) == cudaErrorInvalidValue);
  cudaKernelNodeParams kernel = {};
  EXPECT(cudaGraphMemsetNodeGetParams(foreign, &fill) == cudaErrorInvalidValue);
  CALL(cudaGraphKernelNodeGetParams(foreign, &kernel));
  EXPECT(kernel.blockDim.x == kCount && *static_cast<int*>(kernel.kernelParams[1]) == 1);
  size_t count = 0;
  CALL(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == 0);  // No rejected node remains.
  cudaGetLastError();
  CALL(cudaGraphDestroy(graph));
  CALL(cudaGraphDestroy(other));
}

int main() {
  int* values = nullptr;
  CALL(cudaMalloc(&values, kBytes));
  node_types(values);
  structure(values);
  children_and_copies(values);
  memory_nodes();
  user_objects();
  rejections(values);
  EXPECT(cudaGetLastError() == cudaSuccess);
  return verdict();
}
