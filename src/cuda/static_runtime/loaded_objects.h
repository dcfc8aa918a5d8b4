#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cuda {

/// The program or a library, as it is loaded in this process.
struct LoadedObject {
  struct Code {
    std::uint64_t begin = 0, end = 0;
    int protection = 0;  ///< PROT_... of mprotect.
  };

  std::string file;
  bool is_program = false;
  std::uint64_t base = 0;  ///< Added to the addresses in its file.
  std::vector<Code> code{};

  /// The code segment that contains an address; null if none does.
  const Code* code_at(std::uint64_t address) const;
};

std::vector<LoadedObject> loaded_objects();

}  // namespace heddle::cuda
