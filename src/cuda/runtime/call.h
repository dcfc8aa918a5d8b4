#pragma once

// The functions that run the body of an exported function of the runtime. They serialise calls, let
// no exception out, and record errors for cudaGetLastError.

#include <atomic>
#include <mutex>

#include "cuda/runtime/calls.h"
#include "cuda/runtime/error.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda {

/// The calling thread's error, as cudaGetLastError returns it.
Error& last_error();
/// The name of the driver's function that the calling thread executes; null if it executes none. A
/// driver's function may call functions of the runtime. Messages then name the driver's function,
/// and errors are not recorded for cudaGetLastError.
const char*& driver_function_name();
/// True if the calling thread has removed the primary context (the one that the runtime uses) from
/// its current contexts. The thread's next call of the runtime makes the primary context current
/// again.
bool& has_released_primary();
/// Records and reports the exception that is being handled, and returns its error.
Error record_failure(const char* name) noexcept;
/// Records and returns the error of calls in a process that was forked after its parent had used
/// the GPU. Prints a message the first time.
Error refuse_forked(const char* name) noexcept;

/// Runs the body of an exported function that programs may call after a kernel has failed. Returns
/// the error that the body throws.
template <class Body>
Error call_despite_error(const char* name, Body body) noexcept {
  try {
    Session& session = Session::instance();
    if (session.is_forked_off()) return refuse_forked(name);
    const std::scoped_lock lock(session.mutex);
    body(session);
    return Error::success;
  } catch (...) {
    return record_failure(name);
  }
}

/// Notes that the program uses the runtime, unless a driver's function calls the runtime's.
void note_use_of_runtime(Session& session);

/// Runs the body of an exported function, after a kernel that runs beside the host has ended. If a
/// kernel has failed, returns the kernel's error instead.
template <class Body>
Error call(const char* name, Body body) noexcept {
  return call_despite_error(name, [&](Session& session) {
    note_use_of_runtime(session);
    session.check();
    body(session);
  });
}

/// Likewise, but does not wait for a kernel that runs beside the host: for functions that programs
/// may call while a kernel waits for them.
template <class Body>
Error call_beside_kernel(const char* name, Body body) noexcept {
  return call_despite_error(name, [&](Session& session) {
    note_use_of_runtime(session);
    session.check_beside_kernel();
    body(session);
  });
}

/// Returns the error of an unsupported function, and reports it once. `error_name` is the error's
/// name in the message; `reported` records that the message was printed.
Error refuse(const char* name, const char* error_name, std::atomic_flag& reported) noexcept;

/// Throws Failure unless `device` is 0, the only device.
inline void check_device(int device) {
  if (device != 0) throw Failure{Error::invalid_device};
}
/// The object at a pointer that a program passes. Throws Failure for a null pointer.
template <class T>
T& result_at(T* pointer) {
  if (pointer == nullptr) throw Failure{Error::invalid_value};
  return *pointer;
}

}  // namespace heddle::cuda
