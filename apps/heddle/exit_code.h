#pragma once

namespace heddle {

enum class ExitCode {
  done = 0,
  check_failed = 1,  ///< A result is wrong, or a requested result is missing or damaged.
  bad_input = 2,     ///< Also wrong use of the command line, and errors of the host.
  simulated_fault = 3,
  interrupted = 130  ///< What a shell reports for a program that SIGINT ended.
};

}  // namespace heddle
