#pragma once

namespace heddle {

enum class ExitCode {
  done = 0,
  check_failed = 1,
  bad_input = 2,
  simulated_fault = 3,
  interrupted = 130  ///< What a shell reports for a program that SIGINT ended.
};

}  // namespace heddle
