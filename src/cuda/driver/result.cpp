#include "cuda/driver/result.h"

#include <algorithm>
#include <iterator>

namespace heddle::cuda::driver {
namespace {

struct ResultName {
  Result result;
  const char* name;
};

constexpr ResultName kResultNames[] = {
    {Result::success, "CUDA_SUCCESS"},
    {Result::invalid_value, "CUDA_ERROR_INVALID_VALUE"},
    {Result::out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
    {Result::not_initialized, "CUDA_ERROR_NOT_INITIALIZED"},
    {Result::deinitialized, "CUDA_ERROR_DEINITIALIZED"},
    {Result::no_device, "CUDA_ERROR_NO_DEVICE"},
    {Result::invalid_device, "CUDA_ERROR_INVALID_DEVICE"},
    {Result::invalid_image, "CUDA_ERROR_INVALID_IMAGE"},
    {Result::invalid_context, "CUDA_ERROR_INVALID_CONTEXT"},
    {Result::no_binary_for_gpu, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    {Result::unsupported_limit, "CUDA_ERROR_UNSUPPORTED_LIMIT"},
    {Result::peer_access_unsupported, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"},
    {Result::invalid_ptx, "CUDA_ERROR_INVALID_PTX"},
    {Result::invalid_source, "CUDA_ERROR_INVALID_SOURCE"},
    {Result::file_not_found, "CUDA_ERROR_FILE_NOT_FOUND"},
    {Result::operating_system, "CUDA_ERROR_OPERATING_SYSTEM"},
    {Result::invalid_handle, "CUDA_ERROR_INVALID_HANDLE"},
    {Result::illegal_state, "CUDA_ERROR_ILLEGAL_STATE"},
    {Result::not_found, "CUDA_ERROR_NOT_FOUND"},
    {Result::not_ready, "CUDA_ERROR_NOT_READY"},
    {Result::illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {Result::launch_out_of_resources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {Result::launch_timeout, "CUDA_ERROR_LAUNCH_TIMEOUT"},
    {Result::peer_access_not_enabled, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED"},
    {Result::assertion, "CUDA_ERROR_ASSERT"},
    {Result::already_registered, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
    {Result::not_registered, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"},
    {Result::hardware_stack, "CUDA_ERROR_HARDWARE_STACK_ERROR"},
    {Result::illegal_instruction, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    {Result::misaligned_address, "CUDA_ERROR_MISALIGNED_ADDRESS"},
    {Result::invalid_program_counter, "CUDA_ERROR_INVALID_PC"},
    {Result::launch_failed, "CUDA_ERROR_LAUNCH_FAILED"},
    {Result::cooperative_launch_too_large, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
    {Result::not_permitted, "CUDA_ERROR_NOT_PERMITTED"},
    {Result::not_supported, "CUDA_ERROR_NOT_SUPPORTED"},
    {Result::stream_capture_unsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
    {Result::stream_capture_invalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
    {Result::stream_capture_merge, "CUDA_ERROR_STREAM_CAPTURE_MERGE"},
    {Result::stream_capture_unmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED"},
    {Result::stream_capture_unjoined, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED"},
    {Result::stream_capture_isolation, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"},
    {Result::stream_capture_implicit, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"},
    {Result::captured_event, "CUDA_ERROR_CAPTURED_EVENT"},
    {Result::stream_capture_wrong_thread, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD"},
    {Result::graph_update_failure, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE"},
    {Result::unknown, "CUDA_ERROR_UNKNOWN"},
};

}  // namespace

Result result_of(Error error) {
  switch (error) {
    case Error::invalid_configuration:
    case Error::invalid_pitch:
    case Error::invalid_texture:
    case Error::invalid_channel_format:
    case Error::invalid_copy_direction:
    case Error::missing_configuration:
      return Result::invalid_value;
    case Error::invalid_symbol:
      return Result::not_found;
    case Error::invalid_function:
      return Result::invalid_handle;
    // The following have the same number in the runtime and the driver.
    case Error::success:
    case Error::invalid_value:
    case Error::memory_allocation:
    case Error::initialization:
    case Error::runtime_unloading:
    case Error::no_device:
    case Error::invalid_device:
    case Error::invalid_image:
    case Error::invalid_context:
    case Error::no_image_for_device:
    case Error::unsupported_limit:
    case Error::peer_access_unsupported:
    case Error::invalid_ptx:
    case Error::invalid_source:
    case Error::file_not_found:
    case Error::os_call:
    case Error::invalid_resource_handle:
    case Error::illegal_state:
    case Error::symbol_not_found:
    case Error::not_ready:
    case Error::illegal_address:
    case Error::launch_out_of_resources:
    case Error::launch_timeout:
    case Error::peer_access_not_enabled:
    case Error::assertion:
    case Error::already_registered:
    case Error::not_registered:
    case Error::stack:
    case Error::illegal_instruction:
    case Error::misaligned_address:
    case Error::invalid_program_counter:
    case Error::launch_failure:
    case Error::cooperative_launch_too_large:
    case Error::not_permitted:
    case Error::not_supported:
    case Error::stream_capture_unsupported:
    case Error::stream_capture_invalidated:
    case Error::stream_capture_merge:
    case Error::stream_capture_unmatched:
    case Error::stream_capture_unjoined:
    case Error::stream_capture_isolation:
    case Error::stream_capture_implicit:
    case Error::captured_event:
    case Error::stream_capture_wrong_thread:
    case Error::graph_update_failure:
    case Error::unknown:
      return static_cast<Result>(error);
  }
  return Result::unknown;
}

const char* name_of(Result result) {
  const auto* const found =
      std::find_if(std::begin(kResultNames), std::end(kResultNames),
                   [&](const ResultName& entry) { return entry.result == result; });
  return found == std::end(kResultNames) ? nullptr : found->name;
}

const char* text_of(Result result) {
  // A driver result and the runtime error of the same number have the same text.
  return name_of(result) == nullptr ? nullptr : cuda::text_of(static_cast<Error>(result));
}

}  // namespace heddle::cuda::driver
