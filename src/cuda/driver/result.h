#pragma once

#include "cuda/runtime/error.h"

namespace heddle::cuda::driver {

/// CUresult, with CUDA's numbers. A result has the number of the runtime's error with the same
/// meaning. The driver lacks results for some of the runtime's errors.
enum class Result : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  deinitialized = 4,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  unsupported_limit = 215,
  peer_access_unsupported = 217,
  invalid_ptx = 218,
  invalid_source = 300,
  file_not_found = 301,
  operating_system = 304,
  invalid_handle = 400,
  illegal_state = 401,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  peer_access_not_enabled = 705,
  assertion = 710,
  already_registered = 712,
  not_registered = 713,
  hardware_stack = 714,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_program_counter = 718,
  launch_failed = 719,
  cooperative_launch_too_large = 720,
  not_permitted = 800,
  not_supported = 801,
  stream_capture_unsupported = 900,
  stream_capture_invalidated = 901,
  stream_capture_merge = 902,
  stream_capture_unmatched = 903,
  stream_capture_unjoined = 904,
  stream_capture_isolation = 905,
  stream_capture_implicit = 906,
  captured_event = 907,
  stream_capture_wrong_thread = 908,
  graph_update_failure = 910,
  unknown = 999,
};

/// The driver's result for an error of the runtime.
Result result_of(Error error);

// The texts of cuGetErrorName and cuGetErrorString; null for a number that is not listed above.
const char* name_of(Result result);
const char* text_of(Result result);

}  // namespace heddle::cuda::driver
