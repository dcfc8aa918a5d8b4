#pragma once

#include <cstdint>
#include <string>

#include "config/answer_parameters.h"
#include "config/declarations.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

struct BranchDescription {
  std::string policy = "wait";
  std::uint32_t resolve_cycles = 4;
  std::uint32_t jump_cycles = 1;
  bool fetches_targets = false;
  config::AnswerParameters own{};

  void declare(config::Declarations& parameters);
  /// Throws InputError for what does not go together with it.
  void check(const SmDescription& sm) const;
  void storage(config::StorageList& list) const;
};

}  // namespace heddle::sm
