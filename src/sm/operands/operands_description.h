#pragma once

#include <optional>
#include <string>
#include <vector>

#include "code/placement/hierarchy.h"
#include "config/answer_parameters.h"
#include "config/declarations.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

struct OperandDescription {
  std::string policy = "flat";
  config::AnswerParameters own{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Throws InputError for what does not go together with it.
  void check(const SmDescription& sm) const;
  /// What a drawing of the machine says of them, a line each.
  std::vector<std::string> sketch() const;
  /// What programs are compiled for, where values have places above a main register file.
  std::optional<code::Hierarchy> hierarchy() const;
};

}  // namespace heddle::sm
