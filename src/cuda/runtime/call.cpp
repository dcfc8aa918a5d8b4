#include "cuda/runtime/call.h"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "base/error.h"
#include "base/message.h"

namespace heddle::cuda {
namespace {

/// The failure for the exception that is being handled.
Failure current_failure() {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure;
  } catch (const exec::SimulatedFault& fault) {
    return {error_of(fault.kind())};
  } catch (const InputError& error) {
    return {Error::invalid_value, error.what()};
  } catch (const std::bad_alloc&) {
    return {Error::memory_allocation};
  } catch (const std::exception& error) {
    return {Error::unknown, error.what()};
  } catch (...) {
    return {Error::unknown};
  }
}

}  // namespace

Error& last_error() {
  static thread_local Error error = Error::success;
  return error;
}

const char*& driver_function_name() {
  static thread_local const char* name = nullptr;
  return name;
}

bool& has_released_primary() {
  static thread_local bool has_released = false;
  return has_released;
}

void note_use_of_runtime(Session& session) {
  if (driver_function_name() != nullptr) return;
  session.driver_is_initialised = session.runtime_retains_primary = true;
  has_released_primary() = false;
}

Error record_failure(const char* name) noexcept {
  try {
    const Failure failure = current_failure();
    const char* const driver_name = driver_function_name();
    if (driver_name == nullptr) last_error() = failure.error;
    if (!failure.message.empty()) {
      say(fmt::format("{}: {}", driver_name == nullptr ? name : driver_name, failure.message));
    }
    return failure.error;
  } catch (...) {
    // There is no memory for a message.
    return Error::memory_allocation;
  }
}

Error refuse_forked(const char* name) noexcept {
  static std::atomic_flag reported;
  const char* const driver_name = driver_function_name();
  if (driver_name == nullptr) last_error() = Error::initialization;
  try {
    if (!reported.test_and_set()) {
      say(fmt::format(
          "{}: a process that was forked after its parent had used the GPU cannot use it (CUDA has "
          "the same limit); fork before the first call, or start a program",
          driver_name == nullptr ? name : driver_name));
    }
  } catch (...) {
    // There is no memory for a message.
    return Error::initialization;
  }
  return Error::initialization;
}

Error refuse(const char* name, const char* error_name, std::atomic_flag& reported) noexcept {
  if (driver_function_name() == nullptr) last_error() = Error::not_supported;
  try {
    if (!reported.test_and_set()) {
      say(fmt::format("the program calls {}, which Heddle does not support: it returns {}", name,
                      error_name));
    }
  } catch (...) {
    // There is no memory for a message.
    return Error::not_supported;
  }
  return Error::not_supported;
}

}  // namespace heddle::cuda
