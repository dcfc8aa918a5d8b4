#pragma once

// The parameters of the policies 'register-cache' and 'managed', which have levels of registers
// above the main register file. In the first, hardware decides which values are in these levels, in
// the second the compiler does.

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"
#include "config/storage_list.h"
#include "sm/operands/operands.h"

namespace heddle::sm {

inline constexpr std::string_view kRegisterCache = "register-cache";
inline constexpr std::string_view kManaged = "managed";

/// The names of the policies for a register file without levels above it.
std::vector<std::string> plain_register_files();
/// Throws InputError if the divergence policy moves threads from warp to warp.
void check_warps_stay_together(const SmDescription& sm);

/// declare() describes the parameters.
struct HierarchyParameters {
  std::string main = "banked";
  std::uint32_t entries = 3;
  std::uint32_t cost_entries = 0;
  std::uint32_t last_results = 0;
  bool active_only = true;
  bool keep_at_barriers = false;
  bool check_values = false;
  // Only for 'register-cache':
  std::string replacement = "fifo";
  std::string allocate = "results";
  bool liveness = true;
  bool long_results_bypass = true;  ///< Also for 'managed'.
  bool flush_at_backward_branches = false;
  // Only for 'managed':
  std::string result_levels = "two";
  bool partial_ranges = true;
  std::string shortened_order = "by-savings";
  bool read_operands = true;
  bool forward_branches = true;
  std::uint32_t pool_words = 0;
  double word_price = 0;
  /// The energies per access that the compiler assumes. If one is 0, place_energies() gives it.
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
