#pragma once

#include <string>

#include "config/answer_parameters.h"
#include "config/declarations.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

struct RedundancyDescription {
  std::string policy = "none";
  config::AnswerParameters own{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Throws InputError for what does not go together with it.
  void check(const SmDescription& sm) const;
};

}  // namespace heddle::sm
