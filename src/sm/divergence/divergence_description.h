#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/answer_parameters.h"
#include "config/declarations.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

/// Which threads travel together through a multiprocessor.
struct DivergenceDescription {
  std::string policy = "stack";
  config::AnswerParameters own{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Throws InputError for what does not go together.
  void check(const SmDescription& description) const;
  /// How many rows of 32 threads travel as one at most.
  std::uint32_t rows() const;
  /// Whether what is in a slot is a row of 32 threads, and remains so.
  bool keeps_rows() const;
  /// The slots that a multiprocessor has for what travels, where `warps` can be resident.
  std::uint32_t slots(std::uint32_t warps) const;
};

}  // namespace heddle::sm
