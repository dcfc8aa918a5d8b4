// The runtime's calls that launch kernels and functions of the host.

#include <vector>

#include "cuda/runtime/call.h"

namespace heddle::cuda {
namespace {

/// The configuration of a <<<>>> launch. Code that nvcc generates pushes it, and pops it when the
/// kernel is launched.
struct CallConfiguration {
  abi::Dim3 grid{}, block{};
  std::size_t dynamic_shared_bytes = 0;
  abi::StreamHandle stream = nullptr;
};

std::vector<CallConfiguration>& configurations() {
  static thread_local std::vector<CallConfiguration> stack;
  return stack;
}

void launch(Session& session, const void* function, abi::StreamHandle stream,
            Session::LaunchRequest request) {
  session.check_stream(stream);
  request.function = &session.modules.function(function);
  session.launch(request);
}

Session::LaunchRequest request_of(const abi::LaunchConfiguration& configuration, void** arguments) {
  Session::LaunchRequest request{.grid = configuration.grid,
                                 .block = configuration.block,
                                 .arguments = arguments,
                                 .dynamic_shared_bytes = configuration.dynamic_shared_bytes};
  for (std::uint32_t i = 0; i < configuration.attribute_count; ++i) {
    const abi::LaunchAttribute& attribute = configuration.attributes[i];
    switch (attribute.id) {
      case abi::kCooperativeAttribute:
        request.cooperative = attribute.value.flag != 0;
        break;
      case abi::kIgnoredAttribute:
      case abi::kSynchronizationPolicyAttribute:
      case abi::kEarlyStartAttribute:
      case abi::kPriorityAttribute:
      case abi::kCarveoutAttribute:
        break;  // These attributes have no effect on results.
      default:
        throw Failure{Error::not_supported,
                      "Heddle does not support launch attribute " + std::to_string(attribute.id)};
    }
  }
  return request;
}

}  // namespace

HEDDLE_CUDA_EXPORT unsigned __cudaPushCallConfiguration(abi::Dim3 grid, abi::Dim3 block,
                                                        std::size_t dynamic_shared_bytes,
                                                        abi::StreamHandle stream) {
  return static_cast<unsigned>(call_despite_error("__cudaPushCallConfiguration", [&](Session&) {
    configurations().push_back({grid, block, dynamic_shared_bytes, stream});
  }));
}

HEDDLE_CUDA_EXPORT Error __cudaPopCallConfiguration(abi::Dim3* grid, abi::Dim3* block,
                                                    std::size_t* dynamic_shared_bytes,
                                                    void* stream) {
  return call_despite_error("__cudaPopCallConfiguration", [&](Session&) {
    if (configurations().empty()) throw Failure{Error::missing_configuration};
    const CallConfiguration configuration = configurations().back();
    configurations().pop_back();
    result_at(grid) = configuration.grid;
    result_at(block) = configuration.block;
    result_at(dynamic_shared_bytes) = configuration.dynamic_shared_bytes;
    result_at(static_cast<abi::StreamHandle*>(stream)) = configuration.stream;
  });
}

HEDDLE_CUDA_EXPORT Error cudaGetKernel(abi::KernelHandle* kernel, const void* function) {
  return call_despite_error("cudaGetKernel", [&](Session& session) {
    result_at(kernel) = reinterpret_cast<abi::KernelHandle>(&session.modules.function(function));
  });
}

/// Called by code that nvcc generates, which caches the result.
HEDDLE_CUDA_EXPORT Error __cudaGetKernel(abi::KernelHandle* kernel, const void* function) {
  return cudaGetKernel(kernel, function);
}

HEDDLE_CUDA_EXPORT Error cudaLaunchKernel(const void* function, abi::Dim3 grid, abi::Dim3 block,
                                          void** arguments, std::size_t dynamic_shared_bytes,
                                          abi::StreamHandle stream) {
  return call("cudaLaunchKernel", [&](Session& session) {
    launch(session, function, stream,
           {.grid = grid,
            .block = block,
            .arguments = arguments,
            .dynamic_shared_bytes = dynamic_shared_bytes});
  });
}

HEDDLE_CUDA_EXPORT Error __cudaLaunchKernel(abi::KernelHandle kernel, abi::Dim3 grid,
                                            abi::Dim3 block, void** arguments,
                                            std::size_t dynamic_shared_bytes,
                                            abi::StreamHandle stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, dynamic_shared_bytes, stream);
}

HEDDLE_CUDA_EXPORT Error cudaLaunchCooperativeKernel(const void* function, abi::Dim3 grid,
                                                     abi::Dim3 block, void** arguments,
                                                     std::size_t dynamic_shared_bytes,
                                                     abi::StreamHandle stream) {
  return call("cudaLaunchCooperativeKernel", [&](Session& session) {
    launch(session, function, stream,
           {.grid = grid,
            .block = block,
            .arguments = arguments,
            .dynamic_shared_bytes = dynamic_shared_bytes,
            .cooperative = true});
  });
}

HEDDLE_CUDA_EXPORT Error cudaLaunchKernelExC(const abi::LaunchConfiguration* configuration,
                                             const void* function, void** arguments) {
  return call("cudaLaunchKernelExC", [&](Session& session) {
    const abi::LaunchConfiguration& requested = result_at(configuration);
    launch(session, function, requested.stream, request_of(requested, arguments));
  });
}

HEDDLE_CUDA_EXPORT Error cudaLaunchHostFunc(abi::StreamHandle stream, abi::HostFunction function,
                                            void* data) {
  const Error error = call("cudaLaunchHostFunc", [&](Session& session) {
    session.check_stream(stream);
    if (function == nullptr) throw Failure{Error::invalid_value};
  });
  // All earlier work of the stream has completed. The function is called without the session's
  // mutex, so that it does not block other threads' calls.
  if (error == Error::success) function(data);
  return error;
}

}  // namespace heddle::cuda
