#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cuda {

/// The program or a library, as it is loaded in this process.
struct LoadedObject {
  /// A segment that contains code.
  struct Code {
    std::uint64_t begin = 0, end = 0;
    int protection = 0;  ///< PROT_... of mprotect.
  };

  std::string file;
  bool is_program = false;
  std::uint64_t base = 0;  ///< An address in memory is the sum of this and the one in the file.
  std::vector<Code> code{};

  /// The code segment that contains an address; null if none does.
  const Code* code_at(std::uint64_t address) const;
};

/// The program, and then the libraries that are loaded at present.
std::vector<LoadedObject> loaded_objects();

}  // namespace heddle::cuda
