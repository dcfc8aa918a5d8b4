#pragma once

#include <cstdint>
#include <string>

#include "config/answer_parameters.h"
#include "config/declarations.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

/// What a multiprocessor has for its residents.
struct ResidencyDescription {
  std::string policy = "block";
  std::uint32_t warps = 48;
  std::uint32_t blocks = 8;
  std::uint32_t registers = 32768;
  std::uint32_t register_unit = 64;
  std::uint32_t registers_per_thread = 255;
  std::uint32_t shared_bytes = 49152;
  std::uint32_t shared_unit = 128;
  config::AnswerParameters own{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Throws InputError for what does not go together with it.
  void check(const SmDescription& sm) const;
  /// The most registers that a thread can have if a block of `threads` is to fit.
  std::uint32_t most_registers(std::uint64_t threads) const;
};

}  // namespace heddle::sm
