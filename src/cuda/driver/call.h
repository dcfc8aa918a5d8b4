#pragma once

// The wrappers for the bodies of the driver's functions. Most of these functions call the runtime's
// function of the same purpose, and convert types.

#include "cuda/driver/contexts.h"
#include "cuda/driver/result.h"
#include "cuda/runtime/call.h"

namespace heddle::cuda::driver {

/// While an object of this class exists, messages name this function of the driver.
class DriverCallScope {
 public:
  explicit DriverCallScope(const char* name) : before_(driver_call()) { driver_call() = name; }
  DriverCallScope(const DriverCallScope&) = delete;
  DriverCallScope& operator=(const DriverCallScope&) = delete;
  ~DriverCallScope() { driver_call() = before_; }

 private:
  const char* before_;
};

/// Runs the body of a function that may be called before cuInit.
template <class Body>
Result at_any_time(const char* name, Body body) noexcept {
  const DriverCallScope scope(name);
  return result_of(call_despite_error(name, body));
}

/// Runs the body of a function that needs cuInit, but no context.
template <class Body>
Result once_initialised(const char* name, Body body) noexcept {
  return at_any_time(name, [&](Session& session) {
    if (!session.driver_initialised) throw Failure{Error::initialization};
    body(session);
  });
}

/// Runs the body of a function that needs a current context and a device without an error.
template <class Body>
Result in_context(const char* name, Body body) noexcept {
  return once_initialised(name, [&](Session& session) {
    Contexts::instance().get(session, nullptr);
    session.check();
    body(session);
  });
}

/// Throws Failure if a call of the runtime returned an error. The runtime has already reported it.
inline void require(Error error) {
  if (error != Error::success) throw Failure{error};
}

inline void* pointer_at(abi::DevicePointer address) { return reinterpret_cast<void*>(address); }
inline abi::DevicePointer address_of(const void* pointer) {
  return reinterpret_cast<abi::DevicePointer>(pointer);
}

}  // namespace heddle::cuda::driver
