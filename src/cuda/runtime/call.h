#pragma once

// How every exported function begins and ends: one at a time, no exception leaves it, errors are
// remembered for cudaGetLastError.

#include <mutex>

#include "cuda/runtime/error.h"
#include "cuda/runtime/session.h"

/// What programs are linked to.
#define HEDDLE_CUDA_EXPORT extern "C" __attribute__((visibility("default")))

namespace heddle::cuda {

/// Of the calling thread, as cudaGetLastError gives it.
Error& last_error();
/// The error for the exception that is being handled; tells what there is to tell.
Error note_failure(const char* name) noexcept;

/// Runs the body of an exported function that does not care for what has failed before.
template <class Body>
Error call_regardless(const char* name, Body body) noexcept {
  try {
    Session& session = Session::instance();
    const std::scoped_lock lock(session.mutex);
    body(session);
    return Error::success;
  } catch (...) {
    return note_failure(name);
  }
}

/// Runs the body of an exported function, unless the device is in error: then that is the answer.
template <class Body>
Error call(const char* name, Body body) noexcept {
  return call_regardless(name, [&](Session& session) {
    session.check();
    body(session);
  });
}

/// Throws Failure unless something is asked of the only device there is.
inline void check_device(int device) {
  if (device != 0) throw Failure{Error::invalid_device};
}
/// Throws Failure for a null pointer where a result is to go.
template <class T>
T& result_at(T* pointer) {
  if (pointer == nullptr) throw Failure{Error::invalid_value};
  return *pointer;
}

}  // namespace heddle::cuda
