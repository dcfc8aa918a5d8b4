#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cuda {

/// The program or a library, as it lies in this process's memory.
struct LoadedObject {
  struct Code {
    std::uint64_t begin = 0, end = 0;
    int protection = 0;  ///< As mprotect has it.
  };

  std::string file;
  bool is_program = false;
  std::uint64_t base = 0;  ///< What its own addresses count from.
  std::vector<Code> code{};

  /// The part that an address lies in; null where it is none of its code.
  const Code* code_at(std::uint64_t address) const;
};

std::vector<LoadedObject> loaded_objects();

}  // namespace heddle::cuda
