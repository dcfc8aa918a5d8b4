#include "sm/operands/hierarchy_parameters.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/quantity.h"
#include "sm/operands/entry_replacement.h"
#include "sm/operands/place_energies.h"
#include "sm/sm_description.h"

namespace heddle::sm {
namespace {

code::LastResultFile last_result_file(std::uint32_t words) {
  if (words == 0) return code::LastResultFile::none;
  return words == 1 ? code::LastResultFile::unified : code::LastResultFile::split;
}

code::ResultLevels result_levels_of(std::string_view name) {
  if (name == "one") return code::ResultLevels::one;
  return name == "two" ? code::ResultLevels::two : code::ResultLevels::two_not_operand_file;
}

code::ShortenedOrder shortened_order_of(std::string_view name) {
  if (name == "immediate") return code::ShortenedOrder::immediate;
  return name == "last" ? code::ShortenedOrder::last : code::ShortenedOrder::by_savings;
}

struct NamedEnergy {
  std::string_view name;
  double code::PlaceEnergies::*value;
  std::string_view what;
};
constexpr NamedEnergy kEnergies[] = {
    {"energy_main_read", &code::PlaceEnergies::main_read, "reading the main file"},
    {"energy_main_write", &code::PlaceEnergies::main_write, "writing the main file"},
    {"energy_read_private", &code::PlaceEnergies::operand_read_private,
     "reading the operand file in units of full width"},
    {"energy_read_shared", &code::PlaceEnergies::operand_read_shared,
     "reading the operand file in the other units"},
    {"energy_write_private", &code::PlaceEnergies::operand_write_private,
     "writing the operand file from units of full width"},
    {"energy_write_shared", &code::PlaceEnergies::operand_write_shared,
     "writing the operand file from the other units"},
    {"energy_last_read", &code::PlaceEnergies::last_result_read, "reading the last-result file"},
    {"energy_last_write", &code::PlaceEnergies::last_result_write, "writing the last-result file"},
};

}  // namespace

std::vector<std::string> plain_register_files() {
  std::vector<std::string> files = OperandsRegistry::names();
  std::erase_if(files, [](const std::string& name) {
    return !OperandsRegistry::properties(name, OperandDescription()).is_register_file;
  });
  return files;
}

void check_warps_stay_together(const SmDescription& sm) {
  if (!sm.divergence.regroups_threads()) {
    return;
  }
  throw InputError(fmt::format(
      "operands.policy '{}' needs threads that stay in their warps: with divergence.policy '{}' "
      "threads are regrouped into other warps after each branch",
      sm.operands.policy, sm.divergence.policy));
}

void HierarchyParameters::declare(config::Declarations& parameters) {
  parameters.choice("main", main, plain_register_files(),
                    "policy of the main register file ('register-cache', 'managed')");
  parameters.number("entries", entries, {.unit = "registers", .least = 0, .most = 32},
                    "size of the cache or operand file per thread ('register-cache', 'managed')");
  parameters.number("cost_entries", cost_entries, {.unit = "registers", .least = 0, .most = 32},
                    "size of the cache or operand file for the energy of its accesses; 0: its "
                    "actual size ('register-cache', 'managed')");
  parameters.number(
      "last_results", last_results, {.unit = "registers", .least = 0, .most = code::kOperandSlots},
      "size per thread of the last-result file above it: 0, 1, or 3, one for each operand slot "
      "('managed'; 'register-cache': 0 or 1)");
  parameters.flag("active_only", active_only,
                  "whether only active warps have entries, which they lose when they are suspended "
                  "('register-cache', 'managed')");
  parameters.flag("keep_at_barriers", keep_at_barriers,
                  "whether warps that wait at a barrier keep their entries, although other warps "
                  "take their places in the active set; strands then do not end at barriers "
                  "('register-cache', 'managed')");
  parameters.flag("check_values", check_values,
                  "whether to check that every read finds its value where the policy looks for it "
                  "('register-cache', 'managed'); for tests, slow");
  parameters.choice("replacement", replacement, entry_replacement_names(),
                    "which entry is evicted ('register-cache')");
  parameters.choice("allocate", allocate, {"results", "results-and-reads"},
                    "which values get an entry ('register-cache')");
  parameters.flag("liveness", liveness,
                  "whether the compiler marks a value's last read, so that dead values are not "
                  "written back ('register-cache')");
  parameters.flag("long_results_bypass", long_results_bypass,
                  "whether results of memory and texture instructions are written to the main file "
                  "only ('register-cache', 'managed'; 'managed' with active_only always does so)");
  parameters.flag("flush_at_backward_branches", flush_at_backward_branches,
                  "whether a backward branch writes back and empties the warp's entries "
                  "('register-cache')");
  parameters.choice("result_levels", result_levels, {"two", "one", "two-not-operand-file"},
                    "levels that an instruction may write a result to: up to two; one; or up to "
                    "two, but not operand file and main file together ('managed')");
  parameters.flag("partial_ranges", partial_ranges,
                  "whether the operand file may serve only the first reads of a value ('managed')");
  parameters.choice("shortened_order", shortened_order, {"by-savings", "immediate", "last"},
                    "when a value whose range was shortened to its first reads is allocated: in "
                    "the order of what it still saves, at once, or after all unshortened ones "
                    "('managed')");
  parameters.flag("read_operands", read_operands,
                  "whether values of other strands get entries when they are read ('managed')");
  parameters.flag("forward_branches", forward_branches,
                  "whether values keep their entries across forward branches, from one basic block "
                  "to the next ('managed')");
  parameters.number("pool_words", pool_words, {.unit = "registers", .least = 0, .most = 512},
                    "size of a pool, per thread, that active warps share: a warp takes up to "
                    "operands.entries when a strand begins; 0: each warp has operands.entries of "
                    "its own ('managed')");
  parameters.number("word_price", word_price, {.unit = "pJ", .least = 0, .most = 1e3},
                    "energy that a word must save per instruction of a strand for a warp to take "
                    "it from a full pool; twice as much if half of the pool is left ('managed')");
  for (const NamedEnergy& energy : kEnergies) {
    parameters.number(
        energy.name, energies.*energy.value, {.unit = "pJ a word", .least = 0, .most = 1e6},
        fmt::format("energy of {}, as the compiler assumes it; 0: the value for 40 nm ('managed')",
                    energy.what));
  }
}

void HierarchyParameters::check(const SmDescription& sm) const {
  const std::string& policy = sm.operands.policy;
  OperandsRegistry::check(main, sm.operands, sm);
  check_warps_stay_together(sm);
  if (last_results == 2) {
    throw InputError(
        "operands.last_results is 2: it must be 0, 1, or 3, one for each operand slot");
  }
  if (policy == kRegisterCache && last_results > 1) {
    throw InputError(
        "operands.last_results is 3: operands.policy 'register-cache' allows 0 or 1, because "
        "hardware does not know which operand slot will read a result");
  }
  if (policy == kRegisterCache && entries == 0) {
    throw InputError("operands.entries is 0: operands.policy 'register-cache' needs at least 1");
  }
  if (active_only && !sm.schedule.has_active_set()) {
    throw InputError(fmt::format(
        "operands.active_only needs schedule.policy 'active-set': '{}' has no active warps",
        sm.schedule.policy));
  }
  if (pool_words != 0) check_pool(sm);
}

void HierarchyParameters::check_pool(const SmDescription& sm) const {
  if (sm.operands.policy != kManaged) {
    throw InputError(
        "operands.pool_words needs operands.policy 'managed': the compiler computes what each "
        "strand saves with more or fewer words");
  }
  if (!active_only) {
    throw InputError(
        "operands.pool_words needs operands.active_only: without it, values stay above the main "
        "file between strands, and a warp never releases a word");
  }
  if (keep_at_barriers) {
    throw InputError(
        "operands.pool_words excludes operands.keep_at_barriers: warps that wait at a barrier "
        "would hold words that active warps need");
  }
  if (!sm.divergence.keeps_static_warps()) {
    throw InputError(fmt::format(
        "operands.pool_words needs warps that are static warps of 32 threads: each warp takes "
        "words for itself, but with divergence.policy '{}' threads of several static warps execute "
        "a strand together",
        sm.divergence.policy));
  }
  if (entries == 0 || entries > code::kMaxPooledEntries) {
    throw InputError(
        fmt::format("operands.entries is {}: with operands.pool_words it must be between 1 and {}",
                    entries, code::kMaxPooledEntries));
  }
}

void HierarchyParameters::storage(config::StorageList& list) {
  list.add(
      {.name = "operand_file_registers",
       // bits(2 - 1 / (1 + pool_words)) is 0 without a pool, and 1 with a pool of any size.
       .bits = "32 * 32 * (sm.sub_cores * operands.pool_words + (1 - bits(2 - 1 / (1 + "
               "operands.pool_words))) "
               "* operands.entries * (operands.active_only * (1 - operands.keep_at_barriers) * "
               "sm.sub_cores * schedule.schedulers * schedule.active_warps + (1 - "
               "operands.active_only * (1 - operands.keep_at_barriers)) * sm.warps))",
       .meaning = "words of the cache or operand file: for active warps; for all warps, if any "
                  "other warp can have entries; or the pool that active warps share",
       .source = "Gebhart, sections 5.2.6, 5.3 and 6.6.1"});
  list.add({.name = "last_results",
            .bits = "operands.last_results * 32 * 32 * (operands.active_only * (1 - "
                    "operands.keep_at_barriers) * sm.sub_cores * schedule.schedulers * "
                    "schedule.active_warps + (1 - operands.active_only * (1 - "
                    "operands.keep_at_barriers)) * sm.warps)",
            .meaning = "words of the last-result file: for active warps, or for all warps, if any "
                       "other warp can have entries",
            .source = "Gebhart, section 6.2.2"});
}

OperandProperties HierarchyParameters::properties(const OperandDescription& operands) const {
  OperandProperties properties = OperandsRegistry::properties(main, operands);
  properties.is_register_file = false;
  const bool is_managed = operands.policy == kManaged;
  properties.suspends_by_marks = is_managed;
  // The pipeline has an additional stage, in which the cache's tags are checked (section 5.2.2).
  if (!is_managed) properties.branch_cycles = Cycles(1);
  const std::string last = last_results == 0 ? "" : ", " + count_text(last_results, "last result");
  properties.sketch.insert(
      properties.sketch.begin(),
      fmt::format("{} of {}{}", is_managed ? "operand file" : "register cache",
                  pool_words == 0 ? count_text(entries, "word")
                                  : fmt::format("up to {} of a pool of {}",
                                                count_text(entries, "word"), pool_words),
                  last));
  if (is_managed || last_results != 0) properties.hierarchy = hierarchy(is_managed);
  return properties;
}

code::Hierarchy HierarchyParameters::hierarchy(bool managed) const {
  code::Hierarchy made{.managed = managed,
                       .operand_entries = entries,
                       .last_result = last_result_file(last_results),
                       .result_levels = result_levels_of(result_levels),
                       .partial_ranges = partial_ranges,
                       .shortened_order = shortened_order_of(shortened_order),
                       .read_operands = read_operands,
                       .forward_branches = forward_branches,
                       .suspension_ends_strands = active_only,
                       .barriers_end_strands = !keep_at_barriers,
                       .variable_entries = managed && pool_words != 0,
                       .long_results_only_main = long_results_bypass || active_only,
                       .energies = place_energies(cost_entries != 0 ? cost_entries : entries),
                       .in_shared_unit = is_in_shared_unit,
                       .is_long_latency = is_long_latency};
  for (const NamedEnergy& energy : kEnergies) {
    const double given = energies.*energy.value;
    if (given != 0) made.energies.*energy.value = given;
  }
  return made;
}

}  // namespace heddle::sm
