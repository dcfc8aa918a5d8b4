#pragma once

// How the driver's functions begin and end. Most of them are the runtime's under other names and
// with other types; they call those.

#include "cuda/driver/contexts.h"
#include "cuda/driver/result.h"
#include "cuda/runtime/call.h"

namespace heddle::cuda::driver {

/// As long as it lives, messages name the driver's call.
class Asked {
 public:
  explicit Asked(const char* name) : before_(driver_call()) { driver_call() = name; }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  ~Asked() { driver_call() = before_; }

 private:
  const char* before_;
};

/// Runs the body of a function that may come first of all.
template <class Body>
Result at_any_time(const char* name, Body body) noexcept {
  const Asked asked(name);
  return result_of(call_regardless(name, body));
}

/// Runs the body of a function that needs cuInit alone.
template <class Body>
Result once_initialised(const char* name, Body body) noexcept {
  return at_any_time(name, [&](Session& session) {
    if (!session.driver_initialised) throw Failure{Error::initialization};
    body(session);
  });
}

/// Runs the body of a function that needs a context, in which nothing has failed.
template <class Body>
Result in_context(const char* name, Body body) noexcept {
  return once_initialised(name, [&](Session& session) {
    Contexts::instance().get(session, nullptr);
    session.check();
    body(session);
  });
}

/// Throws Failure for what a call of the runtime's returned, which has reported what there is to
/// report.
inline void require(Error error) {
  if (error != Error::success) throw Failure{error};
}

inline void* pointer_at(abi::DevicePointer address) { return reinterpret_cast<void*>(address); }
inline abi::DevicePointer address_of(const void* pointer) {
  return reinterpret_cast<abi::DevicePointer>(pointer);
}

}  // namespace heddle::cuda::driver
