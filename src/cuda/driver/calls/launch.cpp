// The driver's calls that launch kernels and functions of the host.

#include <vector>

#include "cuda/driver/call.h"
#include "cuda/driver/launch_arguments.h"
#include "cuda/runtime/enqueue.h"

namespace heddle::cuda::driver {
namespace {

Result launch(const char* name, abi::FunctionHandle function,
              const abi::LaunchConfiguration& configuration, void** pointers, void** extra) {
  return in_context(name, [&](Session& session) {
    std::vector<void*> arguments =
        arguments_of(session, session.modules.function(function), pointers, extra);
    require(cudaLaunchKernelExC(&configuration, function, arguments.data()));
  });
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuLaunchKernel(abi::FunctionHandle function, unsigned grid_x,
                                         unsigned grid_y, unsigned grid_z, unsigned block_x,
                                         unsigned block_y, unsigned block_z,
                                         unsigned dynamic_shared_bytes, abi::StreamHandle stream,
                                         void** arguments, void** extra) {
  return launch("cuLaunchKernel", function,
                {.grid = {grid_x, grid_y, grid_z},
                 .block = {block_x, block_y, block_z},
                 .dynamic_shared_bytes = dynamic_shared_bytes,
                 .stream = stream,
                 .attributes = nullptr,
                 .attribute_count = 0},
                arguments, extra);
}

HEDDLE_CUDA_EXPORT Result cuLaunchKernelEx(const abi::DriverLaunch* configuration,
                                           abi::FunctionHandle function, void** arguments,
                                           void** extra) {
  if (configuration == nullptr) {
    return in_context("cuLaunchKernelEx", [](Session&) { throw Failure{Error::invalid_value}; });
  }
  return launch("cuLaunchKernelEx", function,
                {.grid = configuration->grid,
                 .block = configuration->block,
                 .dynamic_shared_bytes = configuration->dynamic_shared_bytes,
                 .stream = configuration->stream,
                 .attributes = configuration->attributes,
                 .attribute_count = configuration->attribute_count},
                arguments, extra);
}

HEDDLE_CUDA_EXPORT Result cuLaunchCooperativeKernel(abi::FunctionHandle function, unsigned grid_x,
                                                    unsigned grid_y, unsigned grid_z,
                                                    unsigned block_x, unsigned block_y,
                                                    unsigned block_z, unsigned dynamic_shared_bytes,
                                                    abi::StreamHandle stream, void** arguments) {
  abi::LaunchAttribute cooperative{.id = abi::kCooperativeAttribute, .padding = {}, .value = {1}};
  return launch("cuLaunchCooperativeKernel", function,
                {.grid = {grid_x, grid_y, grid_z},
                 .block = {block_x, block_y, block_z},
                 .dynamic_shared_bytes = dynamic_shared_bytes,
                 .stream = stream,
                 .attributes = &cooperative,
                 .attribute_count = 1},
                arguments, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuLaunchHostFunc(abi::StreamHandle stream, abi::HostFunction function,
                                           void* data) {
  bool is_captured = false;
  const Result result = in_context("cuLaunchHostFunc", [&](Session& session) {
    session.check_stream(stream);
    if (function == nullptr) throw Failure{Error::invalid_value};
    is_captured = capture_host_function(session, stream, function, data);
  });
  // All earlier work of the stream has completed. The function is called without the session's
  // mutex, so that it does not block other threads' calls.
  if (result == Result::success && !is_captured) function(data);
  return result;
}

}  // namespace heddle::cuda::driver
