#pragma once

// toml++ asserts on some invalid input ("[."), and a release build would continue. Here such an
// assertion throws, so that parse_toml() can report it like all other invalid TOML.

#include <stdexcept>

namespace heddle::config {

struct TomlAssertion : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void toml_assertion(const char* what) { throw TomlAssertion(what); }

}  // namespace heddle::config

#define TOML_ASSERT(holds) \
  (static_cast<bool>(holds) ? static_cast<void>(0) : ::heddle::config::toml_assertion(#holds))
// toml++ ignores TOML_ASSERT if NDEBUG is defined.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
