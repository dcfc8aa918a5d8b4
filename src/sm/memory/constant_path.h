#pragma once

#include <optional>

#include "base/cycle.h"
#include "sm/memory/cache_path.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

/// The path through the constant cache. It executes loads only, with one access for each distinct
/// word. If a lane loads more than a word, there is one access for each distinct piece of that
/// size.
class ConstantPath : public CachePath {
 public:
  /// Throws InputError if the description is not possible.
  ConstantPath(const ConstantDescription& description, SharedParts& shared);

  /// As for LoadStoreUnit::add().
  std::optional<Cycle> add(const MemoryInstruction& instruction, Cycle at);
};

}  // namespace heddle::sm
