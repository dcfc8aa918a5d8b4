#include "cuda/runtime/error.h"

#include <algorithm>
#include <iterator>

namespace heddle::cuda {
namespace {

struct ErrorTexts {
  Error error;
  const char* name;
  const char* text;
};

// Names and texts are CUDA's, because programs print them and tests compare the output.
constexpr ErrorTexts kErrorTexts[] = {
    {Error::success, "cudaSuccess", "no error"},
    {Error::invalid_value, "cudaErrorInvalidValue", "invalid argument"},
    {Error::memory_allocation, "cudaErrorMemoryAllocation", "out of memory"},
    {Error::initialization, "cudaErrorInitializationError", "initialization error"},
    {Error::runtime_unloading, "cudaErrorCudartUnloading", "driver shutting down"},
    {Error::invalid_configuration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {Error::invalid_pitch, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {Error::invalid_symbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {Error::invalid_texture, "cudaErrorInvalidTexture", "invalid texture reference"},
    {Error::invalid_channel_format, "cudaErrorInvalidChannelDescriptor",
     "invalid channel descriptor"},
    {Error::invalid_copy_direction, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {Error::missing_configuration, "cudaErrorMissingConfiguration",
     "__global__ function call is not configured"},
    {Error::invalid_function, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {Error::no_device, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {Error::invalid_device, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {Error::invalid_image, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    {Error::invalid_context, "cudaErrorDeviceUninitialized", "invalid device context"},
    {Error::no_image_for_device, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {Error::unsupported_limit, "cudaErrorUnsupportedLimit",
     "limit is not supported on this architecture"},
    {Error::peer_access_unsupported, "cudaErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {Error::invalid_ptx, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {Error::invalid_source, "cudaErrorInvalidSource", "device kernel image is invalid"},
    {Error::file_not_found, "cudaErrorFileNotFound", "file not found"},
    {Error::os_call, "cudaErrorOperatingSystem",
     "OS call failed or operation not supported on this OS"},
    {Error::invalid_resource_handle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {Error::illegal_state, "cudaErrorIllegalState",
     "the operation cannot be performed in the present state"},
    {Error::symbol_not_found, "cudaErrorSymbolNotFound", "named symbol not found"},
    {Error::not_ready, "cudaErrorNotReady", "device not ready"},
    {Error::illegal_address, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {Error::launch_out_of_resources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {Error::launch_timeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {Error::peer_access_not_enabled, "cudaErrorPeerAccessNotEnabled",
     "peer access has not been enabled"},
    {Error::assertion, "cudaErrorAssert", "device-side assert triggered"},
    {Error::already_registered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {Error::not_registered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {Error::stack, "cudaErrorHardwareStackError", "hardware stack error"},
    {Error::illegal_instruction, "cudaErrorIllegalInstruction",
     "an illegal instruction was encountered"},
    {Error::misaligned_address, "cudaErrorMisalignedAddress", "misaligned address"},
    {Error::invalid_program_counter, "cudaErrorInvalidPc", "invalid program counter"},
    {Error::launch_failure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {Error::cooperative_launch_too_large, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {Error::not_permitted, "cudaErrorNotPermitted", "operation not permitted"},
    {Error::not_supported, "cudaErrorNotSupported", "operation not supported"},
    {Error::stream_capture_unsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {Error::stream_capture_invalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {Error::stream_capture_merge, "cudaErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {Error::stream_capture_unmatched, "cudaErrorStreamCaptureUnmatched",
     "capture was not ended in the same stream as it began"},
    {Error::stream_capture_unjoined, "cudaErrorStreamCaptureUnjoined",
     "capturing stream has unjoined work"},
    {Error::stream_capture_isolation, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {Error::stream_capture_implicit, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {Error::captured_event, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {Error::stream_capture_wrong_thread, "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
    {Error::graph_update_failure, "cudaErrorGraphExecUpdateFailure",
     "the graph update was not performed because it included changes which violated constraints "
     "specific to instantiated graph update"},
    {Error::unknown, "cudaErrorUnknown", "unknown error"},
};

const ErrorTexts* find(Error error) {
  const auto* const found =
      std::find_if(std::begin(kErrorTexts), std::end(kErrorTexts),
                   [&](const ErrorTexts& texts) { return texts.error == error; });
  return found == std::end(kErrorTexts) ? nullptr : found;
}

}  // namespace

const char* name_of(Error error) {
  const ErrorTexts* const texts = find(error);
  return texts == nullptr ? nullptr : texts->name;
}

const char* text_of(Error error) {
  const ErrorTexts* const texts = find(error);
  return texts == nullptr ? nullptr : texts->text;
}

Error error_of(exec::FaultKind fault) {
  using exec::FaultKind;
  switch (fault) {
    case FaultKind::out_of_bounds:
    case FaultKind::freed_memory:
    case FaultKind::read_only:
    case FaultKind::invalid_texture:
    case FaultKind::surface_bounds:
    case FaultKind::invalid_free:
      return Error::illegal_address;
    case FaultKind::misaligned:
      return Error::misaligned_address;
    case FaultKind::stack_overflow:
      return Error::stack;
    case FaultKind::invalid_program_counter:
      return Error::invalid_program_counter;
    case FaultKind::assertion:
      return Error::assertion;
    case FaultKind::illegal_instruction:
      return Error::illegal_instruction;
    case FaultKind::deadlock:
    case FaultKind::livelock:
    case FaultKind::instruction_limit:
    case FaultKind::cycle_limit:
      return Error::launch_timeout;
    case FaultKind::trap:
    case FaultKind::breakpoint:
    case FaultKind::invalid_barrier:
      return Error::launch_failure;
  }
  return Error::launch_failure;
}

}  // namespace heddle::cuda
