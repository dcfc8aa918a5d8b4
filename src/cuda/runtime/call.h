#pragma once

// How every exported function begins and ends: one at a time, no exception leaves it, errors are
// remembered for cudaGetLastError.

#include <atomic>
#include <mutex>

#include "cuda/runtime/calls.h"
#include "cuda/runtime/error.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda {

/// Of the calling thread, as cudaGetLastError gives it.
Error& last_error();
/// What the calling thread has asked of the driver's interface, whose calls are made of the
/// runtime's: it is named in messages, and cudaGetLastError does not return its errors. Null:
/// nothing.
const char*& driver_call();
/// Whether the calling thread has put away the primary context, which is its own again from its
/// next call of the runtime on.
bool& has_let_go_of_primary();
/// The error for the exception that is being handled; reports what there is to report.
Error note_failure(const char* name) noexcept;
/// The answer to all that a child asks which was forked off after its parent had used the GPU.
Error refuse_forked(const char* name) noexcept;

/// Runs the body of an exported function that does not care for what has failed before.
template <class Body>
Error call_regardless(const char* name, Body body) noexcept {
  try {
    Session& session = Session::instance();
    if (session.is_forked_off()) return refuse_forked(name);
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
    if (driver_call() == nullptr) {
      session.driver_initialised = session.primary_in_use = true;
      has_let_go_of_primary() = false;
    }
    session.check();
    body(session);
  });
}

/// Refuses a call that Heddle does not have: `answer` is the name of the error that it returns.
/// `reported` remembers that the user has read so.
Error refuse(const char* name, const char* answer, std::atomic_flag& reported) noexcept;

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
