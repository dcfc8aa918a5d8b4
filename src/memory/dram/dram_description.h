#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/answer_parameters.h"
#include "config/declarations.h"

namespace heddle::memory {

struct PartitionDescription;

/// How a channel's bytes lie in rows of its banks.
struct DramRows {
  std::uint32_t banks = 8;
  std::uint32_t bytes = 4096;  ///< Of a row.
  bool hash_banks = false;
};

/// What is known of a way to answer before anything is asked.
struct DramProperties {
  std::optional<DramRows> rows{};  ///< Where requests meet banks with rows.
  // From a request's arrival to its first byte, where nothing else is in the way.
  std::uint32_t latency = 0;           ///< Its row open, where there are rows.
  std::uint32_t conflict_latency = 0;  ///< Another row to be closed first, where there are rows.
  std::vector<std::string> sketch{};   ///< What a drawing of the machine says of it, a line each.
};

/// A channel of memory as a machine describes it. All cycles are those of the memory's clock.
struct DramDescription {
  std::string policy = "fr-fcfs";
  std::uint32_t bandwidth_bytes = 16;
  std::uint32_t bandwidth_cycles = 1;
  std::uint32_t transaction_bytes = 32;
  std::uint32_t queue_entries = 32;  ///< preexec Table 1.
  std::uint32_t overhead = 0;
  config::AnswerParameters own{};

  void declare(config::Declarations& parameters);
  /// Throws InputError for what does not go together with it.
  void check(const PartitionDescription& partition) const;
  DramProperties properties() const;
};

}  // namespace heddle::memory
