#include "cuda/runtime/call.h"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "base/error.h"
#include "base/message.h"

namespace heddle::cuda {
namespace {

/// Of the exception that is being handled.
Failure failure() {
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

const char*& driver_call() {
  static thread_local const char* name = nullptr;
  return name;
}

bool& has_let_go_of_primary() {
  static thread_local bool has = false;
  return has;
}

Error note_failure(const char* name) noexcept {
  try {
    const Failure found = failure();
    const char* const driver = driver_call();
    if (driver == nullptr) last_error() = found.error;
    if (!found.message.empty()) {
      say(fmt::format("{}: {}", driver == nullptr ? name : driver, found.message));
    }
    return found.error;
  } catch (...) {
    // There was no memory to say more.
    return Error::memory_allocation;
  }
}

Error refuse_forked(const char* name) noexcept {
  static std::atomic_flag reported;
  const char* const driver = driver_call();
  if (driver == nullptr) last_error() = Error::initialization;
  try {
    if (!reported.test_and_set()) {
      say(fmt::format(
          "{}: a child that was forked off after its parent had used the GPU cannot use "
          "it, with CUDA either; fork before the first call, or start a program",
          driver == nullptr ? name : driver));
    }
  } catch (...) {
    // There was no memory to say so.
    return Error::initialization;
  }
  return Error::initialization;
}

Error refuse(const char* name, const char* answer, std::atomic_flag& reported) noexcept {
  if (driver_call() == nullptr) last_error() = Error::not_supported;
  try {
    if (!reported.test_and_set()) {
      say(fmt::format("the program calls {}, which Heddle does not have: it returns {}", name,
                      answer));
    }
  } catch (...) {
    // There was no memory to say so: the program has its answer all the same.
    return Error::not_supported;
  }
  return Error::not_supported;
}

}  // namespace heddle::cuda
