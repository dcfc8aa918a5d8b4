#pragma once

// The command `heddle run A+B`, which runs programs A and B side by side on one chip.

#include <string>

#include "exit_code.h"
#include "machine_options.h"
#include "memory_options.h"

namespace heddle {

/// The values of the options of `heddle run`.
struct RunVerbOptions {
  std::string name;  ///< A workload, or several with '+' between them.
  std::string size = "small";
  std::string seed = "1";
  std::string grid = "input";
  std::string registers = "compiled";
  std::string ptx;
  std::string json;
  std::string picture;
  bool no_alone = false;
  MachineOptions machine;
  MemoryChoice memory;
};

/// Throws InputError for, among others, options that do not apply to several programs.
ExitCode run_side_by_side(const RunVerbOptions& options);

}  // namespace heddle
