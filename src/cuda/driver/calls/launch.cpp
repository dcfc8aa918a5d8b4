// The driver's calls that launch kernels and functions of the host.

#include <optional>
#include <vector>

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {
namespace {

/// A buffer with all arguments, in the layout of the kernel's parameters.
struct ArgumentBuffer {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
};

/// The buffer in a launch's `extra` list. Throws Failure for an invalid list.
ArgumentBuffer buffer_in(void** extra) {
  std::byte* begin = nullptr;
  std::optional<std::size_t> bytes;
  for (; reinterpret_cast<std::uintptr_t>(*extra) != abi::kExtraEnd; extra += 2) {
    switch (reinterpret_cast<std::uintptr_t>(extra[0])) {
      case abi::kExtraBuffer:
        begin = static_cast<std::byte*>(extra[1]);
        break;
      case abi::kExtraBytes:
        bytes = result_at(static_cast<const std::size_t*>(extra[1]));
        break;
      default:
        throw Failure{Error::invalid_value};
    }
  }
  if (begin == nullptr || !bytes) throw Failure{Error::invalid_value};
  return {.begin = begin, .bytes = *bytes};
}

/// The addresses of the arguments. A program passes the arguments by `pointers`, or in one buffer
/// by `extra`; the other one is null.
std::vector<void*> arguments_of(Session& session, abi::FunctionHandle function, void** pointers,
                                void** extra) {
  if (pointers != nullptr && extra != nullptr) throw Failure{Error::invalid_value};
  const std::vector<code::Parameter>& parameters =
      info_of(session.modules.function(function), session.device()).parameters;
  if (pointers != nullptr) return std::vector<void*>(pointers, pointers + parameters.size());
  if (parameters.empty()) return {};
  if (extra == nullptr) throw Failure{Error::invalid_value};
  const ArgumentBuffer buffer = buffer_in(extra);
  std::vector<void*> arguments;
  for (const code::Parameter& parameter : parameters) {
    if (parameter.offset + parameter.size > buffer.bytes) throw Failure{Error::invalid_value};
    arguments.push_back(buffer.begin + parameter.offset);
  }
  return arguments;
}

Result launch(const char* name, abi::FunctionHandle function,
              const abi::LaunchConfiguration& configuration, void** pointers, void** extra) {
  return in_context(name, [&](Session& session) {
    std::vector<void*> arguments = arguments_of(session, function, pointers, extra);
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
  const Result result = in_context("cuLaunchHostFunc", [&](Session& session) {
    session.check_stream(stream);
    if (function == nullptr) throw Failure{Error::invalid_value};
  });
  // All earlier work of the stream has completed. The function is called without the session's
  // mutex, so that it does not block other threads' calls.
  if (result == Result::success) function(data);
  return result;
}

}  // namespace heddle::cuda::driver
