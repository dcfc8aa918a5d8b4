#pragma once

// The functions that run the body of an exported function of the driver. Most bodies convert types
// and call the runtime's function of the same purpose.

#include <type_traits>

#include "cuda/driver/contexts.h"
#include "cuda/driver/result.h"
#include "cuda/runtime/call.h"

namespace heddle::cuda::driver {

/// While an object of this class exists, messages of the thread name a function of the driver.
class DriverCallScope {
 public:
  explicit DriverCallScope(const char* name) : previous_name_(driver_function_name()) {
    driver_function_name() = name;
  }
  DriverCallScope(const DriverCallScope&) = delete;
  DriverCallScope& operator=(const DriverCallScope&) = delete;
  ~DriverCallScope() { driver_function_name() = previous_name_; }

 private:
  const char* previous_name_;
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
    if (!session.driver_is_initialised) throw Failure{Error::initialization};
    body(session);
  });
}

/// Runs the body of a function that needs a current context and a device without an error.
template <class Body>
Result in_context(const char* name, Body body) noexcept {
  return once_initialised(name, [&](Session& session) {
    Contexts::instance().check(session, nullptr);
    session.check();
    body(session);
  });
}

/// Likewise, but does not wait for a kernel that runs beside the host.
template <class Body>
Result in_context_beside_kernel(const char* name, Body body) noexcept {
  return once_initialised(name, [&](Session& session) {
    Contexts::instance().check(session, nullptr);
    session.check_beside_kernel();
    body(session);
  });
}

/// Throws Failure if a call of the runtime returned an error. The runtime has already reported it.
inline void require(Error error) {
  if (error != Error::success) throw Failure{error};
}

/// Runs a function of the runtime that does what a function of the driver does.
template <class... Parameters>
Result forward(const char* name, Error (*function)(Parameters...),
               std::type_identity_t<Parameters>... arguments) noexcept {
  return in_context(name, [&](Session&) { require(function(arguments...)); });
}

inline void* pointer_at(abi::DevicePointer address) { return reinterpret_cast<void*>(address); }
inline abi::DevicePointer address_of(const void* pointer) {
  return reinterpret_cast<abi::DevicePointer>(pointer);
}

}  // namespace heddle::cuda::driver
