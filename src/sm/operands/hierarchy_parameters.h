#pragma once

// What a description says of levels of registers above the main register file, whether hardware
// ('register-cache') or the compiler ('managed') decides what is in them.

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"
#include "config/storage_list.h"
#include "sm/operands/operands.h"

namespace heddle::sm {

inline constexpr std::string_view kRegisterCache = "register-cache";
inline constexpr std::string_view kManaged = "managed";
inline constexpr std::string_view kValueUse = "value-use";

/// The answers that are a register file, with nothing above it.
std::vector<std::string> plain_register_files();
/// Throws InputError where threads change their warps.
void check_warps_stay_together(const SmDescription& sm);

struct HierarchyParameters {
  std::string main = "banked";
  std::uint32_t entries = 3;
  std::uint32_t cost_entries = 0;
  std::uint32_t last_results = 0;
  bool active_only = true;
  bool checked = false;
  // 'register-cache':
  std::string replacement = "fifo";
  std::string allocate = "results";
  bool liveness = true;
  bool long_results_go_round = true;  ///< 'managed', too.
  bool flush_at_backward_branches = false;
  // 'managed':
  std::string result_levels = "two";
  bool partial_ranges = true;
  std::string shortened_turn = "by-worth";
  bool read_operands = true;
  bool forward_branches = true;
  std::uint32_t pool_words = 0;
  double word_price = 0;
  /// As the compiler takes them; those that are 0 come from place_energies().
  code::PlaceEnergies energies{};

  void declare(config::Declarations& parameters);
  void check(const SmDescription& sm) const;
  static void storage(config::StorageList& list);
  OperandProperties properties(const OperandDescription& operands) const;

 private:
  void check_pool(const SmDescription& sm) const;
  code::Hierarchy hierarchy(bool managed) const;
};

}  // namespace heddle::sm
