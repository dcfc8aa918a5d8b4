#pragma once

#include <cstdint>
#include <optional>

#include "base/cycle.h"
#include "sm/memory/cache_path.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

/// The path through the texture unit and its cache. It executes loads only, with one access for
/// each distinct line.
class TexturePath : public CachePath {
 public:
  /// Throws InputError if the description is not possible.
  TexturePath(const TextureDescription& description, SharedParts& shared);

  /// As for LoadStoreUnit::add().
  std::optional<Cycle> add(const MemoryInstruction& instruction, Cycle at);

 private:
  std::uint32_t line_bytes_;
  std::uint32_t filter_cycles_;  ///< How many cycles the filtering of 32 texels takes.
};

}  // namespace heddle::sm
