#pragma once

#include <string>

#include "exec/fault/fault.h"

namespace heddle::cuda {

/// cudaError: the errors that Heddle returns, with CUDA's numbers.
enum class Error : int {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  initialization = 3,
  runtime_unloading = 4,
  invalid_configuration = 9,
  invalid_pitch = 12,
  invalid_symbol = 13,
  invalid_texture = 18,
  invalid_channel_format = 20,
  invalid_copy_direction = 21,
  missing_configuration = 52,
  invalid_function = 98,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_image_for_device = 209,
  unsupported_limit = 215,
  peer_access_unsupported = 217,
  invalid_ptx = 218,
  invalid_source = 300,
  file_not_found = 301,
  os_call = 304,
  invalid_resource_handle = 400,
  illegal_state = 401,
  symbol_not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  peer_access_not_enabled = 705,
  assertion = 710,
  already_registered = 712,
  not_registered = 713,
  stack = 714,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_program_counter = 718,
  launch_failure = 719,
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

// The texts of cudaGetErrorName and cudaGetErrorString; null for a number that is not listed above.
const char* name_of(Error error);
const char* text_of(Error error);

/// The error that a program sees for a fault in a kernel.
Error error_of(exec::FaultKind fault);

/// The exception with which the body of a call makes the call return an error.
struct Failure {
  Error error = Error::unknown;
  /// Printed on standard error; empty if CUDA's text for the error suffices.
  std::string message{};
};

}  // namespace heddle::cuda
