#pragma once

#include <stdexcept>
#include <string>

namespace heddle {

/// The user's input is invalid: a bad file, argument or description. The program reports the
/// message and ends with exit code 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace heddle
