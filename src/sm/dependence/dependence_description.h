#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/answer_parameters.h"
#include "config/declarations.h"
#include "config/storage_list.h"

namespace heddle::sm {

/// What a check can look at of the stages on both sides.
struct DependenceContext {
  std::uint32_t fetch_ports = 1;
  std::uint32_t schedulers = 1;
  bool keeps_rows = true;                 ///< DivergenceDescription::keeps_rows
  std::string_view divergence = "stack";  ///< Its policy, for messages.
};

struct DependenceDescription {
  std::string policy = "scoreboard";
  config::AnswerParameters own{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Throws InputError for what does not go together with it.
  void check(const DependenceContext& place) const;
  /// Whether a warp's next instruction is not even fetched before Dependence::ready() lets it in;
  /// otherwise it waits decoded.
  bool holds_fetch() const;
};

}  // namespace heddle::sm
