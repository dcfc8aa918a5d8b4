#pragma once

// toml++ asserts on some of what is no TOML ("[."), and a release build would go on; here it
// throws, as for all else that is no TOML.

#include <stdexcept>

namespace heddle::config {

struct TomlAssertion : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void toml_assertion(const char* what) { throw TomlAssertion(what); }

}  // namespace heddle::config

#define TOML_ASSERT(holds) \
  (static_cast<bool>(holds) ? static_cast<void>(0) : ::heddle::config::toml_assertion(#holds))
// It drops the macro where assertions are off.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
