// Graphs and stream capture through the driver's interface.
#include <cstring>

#include "driver_check.h"

constexpr int kCount = 4;
constexpr size_t kBytes = kCount * sizeof(int);

const char kText[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry add(.param .u64 values, .param .u32 amount) {\n"
    ".reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [values]; ld.param.u32 %r3, [amount];\n"
    "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n"
    "ld.global.u32 %r2, [%rd3]; add.u32 %r2, %r2, %r3; st.global.u32 [%rd3], %r2; ret; }\n";

void CUDA_CB count(void* calls) { ++*static_cast<int*>(calls); }

CUDA_KERNEL_NODE_PARAMS kernel_of(CUfunction function, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS parameters = {};
  parameters.func = function;
  parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = kCount;
  parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  return parameters;
}

/// Captures a copy, a kernel and a function of the host.
void capture(CUfunction add, CUdeviceptr values) {
  int host[kCount] = {1, 2, 3, 4}, out[kCount] = {}, amount = 10, calls = 0;
  CUstream stream = nullptr;
  CALL(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CALL(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CALL(cuMemcpyHtoDAsync(values, host, kBytes, stream));
  void* arguments[] = {&values, &amount};
  CALL(cuLaunchKernel(add, 1, 1, 1, kCount, 1, 1, 0, stream, arguments, nullptr));
  amount = 99;
  CALL(cuMemsetD32Async(values + 4, 7, 1, stream));
  CALL(cuMemcpyDtoHAsync(out, values, kBytes, stream));
  CALL(cuLaunchHostFunc(stream, count, &calls));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0;
  CUgraph graph = nullptr, captured = nullptr;
  CALL(cuStreamGetCaptureInfo(stream, &status, &id, &graph, nullptr, nullptr, nullptr));
  EXPECT(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id != 0);
  CALL(cuStreamEndCapture(stream, &captured));
  EXPECT(graph == captured && out[0] == 0 && calls == 0);
  size_t nodes = 0;
  CALL(cuGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 5);
  CUgraphExec executable = nullptr;
  CALL(cuGraphInstantiate(&executable, graph, 0));
  CALL(cuGraphLaunch(executable, stream));
  CALL(cuGraphLaunch(executable, stream));
  CALL(cuStreamSynchronize(stream));
  EXPECT(out[0] == 11 && out[1] == 7 && out[3] == 14 && calls == 2);
  CALL(cuGraphExecDestroy(executable));
  CALL(cuGraphDestroy(graph));
  // A query of a captured stream is not permitted, and ends the capture with an error.
  CALL(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT(cuStreamSynchronize(stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT(cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT(graph == nullptr);
  const char* name = nullptr;
  CALL(cuGetErrorName(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, &name));
  EXPECT(std::strcmp(name, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED") == 0);
  CALL(cuStreamDestroy(stream));
}

/// Makes a graph of explicit nodes, and changes it in all ways.
void nodes(CUcontext context, CUfunction add, CUdeviceptr values) {
  int out[kCount] = {}, amount = 5, calls = 0;
  void* arguments[] = {&values, &amount};
  CUgraph graph = nullptr;
  CUgraphNode fill_node = nullptr, kernel_node = nullptr, copy_node = nullptr, node = nullptr;
  CALL(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = values;
  fill.value = 0x0101;
  fill.elementSize = 2;
  fill.width = 2 * kCount;
  fill.height = 1;
  CALL(cuGraphAddMemsetNode(&fill_node, graph, nullptr, 0, &fill, context));
  CUDA_KERNEL_NODE_PARAMS kernel = kernel_of(add, arguments);
  CALL(cuGraphAddKernelNode(&kernel_node, graph, &fill_node, 1, &kernel));
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = values;
  copy.srcXInBytes = 4;
  copy.srcPitch = kBytes;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = out;
  copy.dstPitch = kBytes;
  copy.WidthInBytes = 12;
  copy.Height = copy.Depth = 1;
  CALL(cuGraphAddMemcpyNode(&copy_node, graph, &kernel_node, 1, &copy, context));
  CUDA_MEMCPY3D found = {};
  CALL(cuGraphMemcpyNodeGetParams(copy_node, &found));
  EXPECT(found.srcXInBytes == 4 && found.WidthInBytes == 12 && found.dstHost == out);
  CUDA_HOST_NODE_PARAMS host = {count, &calls};
  CALL(cuGraphAddHostNode(&node, graph, &copy_node, 1, &host));
  CUgraphExec executable = nullptr;
  CUDA_GRAPH_INSTANTIATE_PARAMS parameters = {};
  CALL(cuGraphInstantiateWithParams(&executable, graph, &parameters));
  EXPECT(parameters.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS);
  CALL(cuGraphLaunch(executable, nullptr));
  CALL(cuCtxSynchronize());
  EXPECT(out[0] == 0x01010106 && out[2] == 0x01010106 && out[3] == 0 && calls == 1);

  // New parameters for the executable graph; the arguments are in one buffer.
  struct {
    CUdeviceptr values;
    int amount;
  } buffer = {values, 6};
  size_t bytes = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  kernel.kernelParams = nullptr;
  kernel.extra = extra;
  CALL(cuGraphExecKernelNodeSetParams(executable, kernel_node, &kernel));
  fill.value = 0;
  CALL(cuGraphExecMemsetNodeSetParams(executable, fill_node, &fill, context));
  CALL(cuGraphLaunch(executable, nullptr));
  CALL(cuCtxSynchronize());
  EXPECT(out[0] == 6);
  CALL(cuGraphKernelNodeGetParams(kernel_node, &kernel));
  EXPECT(kernel.func == add && *static_cast<int*>(kernel.kernelParams[1]) == 5);

  // A node of any type, and an update of the whole.
  CUgraphNodeParams any = {};
  any.type = CU_GRAPH_NODE_TYPE_KERNEL;
  amount = 40;
  kernel = kernel_of(add, arguments);
  any.kernel.func = add;
  any.kernel.gridDimX = any.kernel.gridDimY = any.kernel.gridDimZ = 1;
  any.kernel.blockDimX = kCount;
  any.kernel.blockDimY = any.kernel.blockDimZ = 1;
  any.kernel.kernelParams = arguments;
  CALL(cuGraphNodeSetParams(kernel_node, &any));
  CUgraphExecUpdateResultInfo info = {};
  CALL(cuGraphExecUpdate(executable, graph, &info));
  CALL(cuGraphLaunch(executable, nullptr));
  CALL(cuCtxSynchronize());
  EXPECT(out[0] == 0x01010101 + 40);
  CALL(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &any));
  EXPECT(cuGraphExecUpdate(executable, graph, &info) == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  CALL(cuGraphNodeGetType(node, &type));
  EXPECT(type == CU_GRAPH_NODE_TYPE_KERNEL);
  CALL(cuGraphExecDestroy(executable));
  CALL(cuGraphDestroy(graph));
  EXPECT(cuGraphDestroy(graph) == CUDA_ERROR_INVALID_VALUE);
}

int main() {
  CUcontext context = begin();
  CUfunction add = load(kText, "add");
  CUdeviceptr values = 0;
  CALL(cuMemAlloc(&values, kBytes));
  capture(add, values);
  nodes(context, add, values);
  return verdict();
}
