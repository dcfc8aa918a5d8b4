#pragma once

#include <cstdint>
#include <string>

#include "config/answer_parameters.h"
#include "config/declarations.h"

namespace heddle::gpu {

struct Machine;

struct DispatchDescription {
  std::string policy = "breadth-first";
  std::uint32_t latency = 100;
  bool small_blocks = false;
  config::AnswerParameters own{};

  void declare(config::Declarations& parameters);
  /// Throws InputError for what does not go together with it.
  void check(const Machine& machine) const;
};

}  // namespace heddle::gpu
