// The runtime's calls that launch kernels and functions of the host.

#include <string>
#include <utility>
#include <vector>

#include "cuda/runtime/call.h"
#include "cuda/runtime/enqueue.h"

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

/// True if a launch is cooperative. Throws Failure if Heddle does not support an attribute.
bool is_cooperative(const abi::LaunchConfiguration& configuration) {
  bool cooperative = false;
  for (std::uint32_t i = 0; i < configuration.attribute_count; ++i) {
    const abi::LaunchAttribute& attribute = configuration.attributes[i];
    switch (attribute.id) {
      case abi::kCooperativeAttribute:
        cooperative = attribute.value.flag != 0;
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
  return cooperative;
}

/// Adds a launch to the graph that the stream captures.
void capture(Session& session, const void* function, const abi::LaunchConfiguration& configuration,
             void** arguments) {
  graphs::Work work = graphs::kernel_work(
      session,
      {.function = function,
       .grid = configuration.grid,
       .block = configuration.block,
       .dynamic_shared_bytes = static_cast<std::uint32_t>(configuration.dynamic_shared_bytes),
       .arguments = arguments,
       .extra = nullptr});
  auto& attributes = std::get<graphs::KernelWork>(work).attributes;
  for (std::uint32_t i = 0; i < configuration.attribute_count; ++i) {
    attributes[configuration.attributes[i].id] = configuration.attributes[i];
  }
  session.graphs.captures.add(configuration.stream, std::move(work));
}

void launch(Session& session, const void* function, const abi::LaunchConfiguration& configuration,
            void** arguments) {
  const bool cooperative = is_cooperative(configuration);
  if (is_captured(session, configuration.stream)) {
    capture(session, function, configuration, arguments);
    return;
  }
  session.launch({.function = &session.modules.function(function),
                  .stream = configuration.stream,
                  .grid = configuration.grid,
                  .block = configuration.block,
                  .arguments = arguments,
                  .dynamic_shared_bytes = configuration.dynamic_shared_bytes,
                  .cooperative = cooperative});
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
    launch(session, function,
           {.grid = grid,
            .block = block,
            .dynamic_shared_bytes = dynamic_shared_bytes,
            .stream = stream,
            .attributes = nullptr,
            .attribute_count = 0},
           arguments);
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
    abi::LaunchAttribute cooperative{.id = abi::kCooperativeAttribute, .padding = {}, .value = {1}};
    launch(session, function,
           {.grid = grid,
            .block = block,
            .dynamic_shared_bytes = dynamic_shared_bytes,
            .stream = stream,
            .attributes = &cooperative,
            .attribute_count = 1},
           arguments);
  });
}

HEDDLE_CUDA_EXPORT Error cudaLaunchKernelExC(const abi::LaunchConfiguration* configuration,
                                             const void* function, void** arguments) {
  return call("cudaLaunchKernelExC", [&](Session& session) {
    launch(session, function, result_at(configuration), arguments);
  });
}

HEDDLE_CUDA_EXPORT Error cudaLaunchHostFunc(abi::StreamHandle stream, abi::HostFunction function,
                                            void* data) {
  bool is_captured = false;
  const Error error = call("cudaLaunchHostFunc", [&](Session& session) {
    session.check_stream(stream);
    if (function == nullptr) throw Failure{Error::invalid_value};
    is_captured = capture_host_function(session, stream, function, data);
  });
  // All earlier work of the stream has completed. The function is called without the session's
  // mutex, so that it does not block other threads' calls.
  if (error == Error::success && !is_captured) function(data);
  return error;
}

}  // namespace heddle::cuda
