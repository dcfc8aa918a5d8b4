#include "sm/operands/hierarchy_parameters.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/quantity.h"
#include "sm/divergence/divergence.h"
#include "sm/operands/place_energies.h"
#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

code::LastResultFile last_result_file(std::uint32_t words) {
  if (words == 0) return code::LastResultFile::none;
  return words == 1 ? code::LastResultFile::unified : code::LastResultFile::split;
}

code::ResultLevels result_levels_of(std::string_view name) {
  if (name == "one") return code::ResultLevels::one;
  return name == "two" ? code::ResultLevels::two : code::ResultLevels::two_but_operand_file;
}

code::ShortenedTurn shortened_turn_of(std::string_view name) {
  if (name == "at-once") return code::ShortenedTurn::at_once;
  return name == "last" ? code::ShortenedTurn::last : code::ShortenedTurn::by_worth;
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
     "reading it in the other units"},
    {"energy_write_private", &code::PlaceEnergies::operand_write_private,
     "writing the operand file from units of full width"},
    {"energy_write_shared", &code::PlaceEnergies::operand_write_shared,
     "writing it from the other units"},
    {"energy_last_read", &code::PlaceEnergies::last_result_read, "reading the last-result file"},
    {"energy_last_write", &code::PlaceEnergies::last_result_write, "writing the last-result file"},
};

}  // namespace

std::vector<std::string> plain_register_files() {
  std::vector<std::string> files = OperandsRegistry::names();
  std::erase_if(files, [](const std::string& name) {
    return name == kRegisterCache || name == kManaged || name == kValueUse;
  });
  return files;
}

void check_warps_stay_together(const SmDescription& sm) {
  if (!DivergenceRegistry::properties(sm.divergence.policy, sm.divergence).reports_formation) {
    return;
  }
  throw InputError(fmt::format(
      "operands.policy '{}' needs warps that stay together: with divergence.policy '{}' threads go "
      "on in other warps after each branch",
      sm.operands.policy, sm.divergence.policy));
}

void HierarchyParameters::declare(config::Declarations& parameters) {
  parameters.choice("main", main, plain_register_files(),
                    "the register file below ('register-cache', 'managed')");
  parameters.number("entries", entries, {.unit = "registers", .least = 0, .most = 32},
                    "of a thread, in the cache or operand file ('register-cache', 'managed')");
  parameters.number("cost_entries", cost_entries, {.unit = "registers", .least = 0, .most = 32},
                    "as which an access of it takes energy; 0: as many as there are "
                    "('register-cache', 'managed')");
  parameters.number(
      "last_results", last_results, {.unit = "registers", .least = 0, .most = code::kOperandSlots},
      "of a thread, in a last-result file above that: 0, 1, or 3, one for each operand "
      "slot ('managed'; 'register-cache' has 1 at most)");
  parameters.flag("active_only", active_only,
                  "whether active warps alone have entries, and lose them as they are suspended "
                  "('register-cache', 'managed')");
  parameters.flag("checked", checked,
                  "whether it is counted which values would have been read from a wrong place "
                  "('register-cache', 'managed'); for tests: it takes long");
  parameters.choice("replacement", replacement, {"fifo", "lru"},
                    "which entry makes room ('register-cache')");
  parameters.choice("allocate", allocate, {"results", "results-and-reads"},
                    "what gets an entry ('register-cache')");
  parameters.flag("liveness", liveness,
                  "whether the compiler marks the last read of a value, which is not written back "
                  "then ('register-cache')");
  parameters.flag("long_results_go_round", long_results_go_round,
                  "whether what comes from memory and textures goes to the main file alone "
                  "('register-cache'; 'managed', where active warps alone have entries, anyhow)");
  parameters.flag("flush_at_backward_branches", flush_at_backward_branches,
                  "whether a branch back empties a warp's entries ('register-cache')");
  parameters.choice("result_levels", result_levels, {"two", "one", "two-but-operand-file"},
                    "how many levels an instruction may write a result to: up to two, one, or the "
                    "last-result and the main file, but not the operand file and that ('managed')");
  parameters.flag(
      "partial_ranges", partial_ranges,
      "whether the operand file may serve the first reads of a value alone ('managed')");
  parameters.choice("shortened_turn", shortened_turn, {"by-worth", "at-once", "last"},
                    "when a value that is to be served for its first reads alone has its turn: by "
                    "what it is worth then, at once, or after all whole ones ('managed')");
  parameters.flag("read_operands", read_operands,
                  "whether values of other strands get entries as they are read ('managed')");
  parameters.flag("forward_branches", forward_branches,
                  "whether values keep their entries from one basic block to the next ('managed')");
  parameters.number("pool_words", pool_words, {.unit = "registers", .least = 0, .most = 512},
                    "of a thread of each active warp, which these share: a warp takes up to "
                    "operands.entries of them as a strand begins; 0: each has so many ('managed')");
  parameters.number("word_price", word_price, {.unit = "pJ", .least = 0, .most = 1e3},
                    "that the first word of a full pool must save in each instruction of a strand "
                    "to be taken for it; twice as much where half of them are left ('managed')");
  for (const NamedEnergy& energy : kEnergies) {
    parameters.number(
        energy.name, energies.*energy.value, {.unit = "pJ a word", .least = 0, .most = 1e6},
        fmt::format("{}, as the compiler has it; 0: as 40 nm have it ('managed')", energy.what));
  }
}

void HierarchyParameters::check(const SmDescription& sm) const {
  const std::string& policy = sm.operands.policy;
  OperandsRegistry::check(main, sm.operands, sm);
  check_warps_stay_together(sm);
  if (last_results == 2) {
    throw InputError("operands.last_results is 2: 0, 1, or 3, one for each operand slot");
  }
  if (policy == kRegisterCache && last_results > 1) {
    throw InputError(
        "operands.last_results is 3: hardware does not know which operand slot will read a result, "
        "and operands.policy 'register-cache' has 1 at most");
  }
  if (policy == kRegisterCache && entries == 0) {
    throw InputError("operands.entries is 0: operands.policy 'register-cache' needs 1 at least");
  }
  const bool has_active_set =
      SchedulerRegistry::properties(sm.schedule.policy, sm.schedule).has_active_set;
  if (active_only && !has_active_set) {
    throw InputError(fmt::format(
        "operands.active_only goes with schedule.policy 'active-set': '{}' has no active warps",
        sm.schedule.policy));
  }
  if (pool_words != 0) check_pool(sm);
}

void HierarchyParameters::check_pool(const SmDescription& sm) const {
  if (sm.operands.policy != kManaged) {
    throw InputError(
        "operands.pool_words goes with operands.policy 'managed': what a strand saves "
        "with more or fewer words, its compiler knows");
  }
  if (!active_only) {
    throw InputError(
        "operands.pool_words needs operands.active_only: without it, values stay above the main "
        "file where a strand begins, and a warp never gives a word back");
  }
  if (!sm.divergence.keeps_rows()) {
    throw InputError(fmt::format(
        "operands.pool_words needs warps that are rows of 32 threads: a warp takes words for "
        "itself, and with divergence.policy '{}' threads of several are in one strand together",
        sm.divergence.policy));
  }
  if (entries == 0 || entries > code::kMostPooledEntries) {
    throw InputError(fmt::format(
        "operands.entries is {}: of operands.pool_words a warp may take up to {}, and 1 at least",
        entries, code::kMostPooledEntries));
  }
}

void HierarchyParameters::storage(config::StorageList& list) {
  list.add(
      {.name = "upper_registers",
       // The bits of a number are 0 without a pool, and 1 with one of any size.
       .bits = "32 * 32 * (operands.pool_words + (1 - bits(2 - 1 / (1 + operands.pool_words))) "
               "* operands.entries * (operands.active_only * schedule.schedulers * "
               "schedule.active_warps + (1 - operands.active_only) * sm.warps))",
       .meaning = "words of the cache or operand file: of active warps, or of all; or the pool "
                  "that active warps share",
       .source = "Gebhart, sections 5.2.6, 5.3 and 6.6.1"});
  list.add({.name = "last_results",
            .bits = "operands.last_results * 32 * 32 * (operands.active_only * schedule.schedulers "
                    "* schedule.active_warps + (1 - operands.active_only) * sm.warps)",
            .meaning = "words of the last-result file: of active warps, or of all",
            .source = "Gebhart, section 6.2.2"});
}

OperandProperties HierarchyParameters::properties(const OperandDescription& operands) const {
  OperandProperties properties = OperandsRegistry::properties(main, operands);
  const bool is_managed = operands.policy == kManaged;
  const std::string last = last_results == 0 ? "" : ", " + counted(last_results, "last result");
  properties.sketch.insert(
      properties.sketch.begin(),
      fmt::format("{} of {}{}", is_managed ? "operand file" : "register cache",
                  pool_words == 0 ? counted(entries, "word")
                                  : fmt::format("up to {} of a pool of {}",
                                                counted(entries, "word"), pool_words),
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
                       .shortened_turn = shortened_turn_of(shortened_turn),
                       .read_operands = read_operands,
                       .forward_branches = forward_branches,
                       .suspension_ends_strands = active_only,
                       .variable_entries = managed && pool_words != 0,
                       .long_results_only_main = long_results_go_round || active_only,
                       .energies = place_energies(cost_entries != 0 ? cost_entries : entries),
                       .in_shared_unit = is_in_shared_unit,
                       .is_long_latency = is_long_latency};
  for (const NamedEnergy& energy : kEnergies) {
    if (const double own = energies.*energy.value; own != 0) made.energies.*energy.value = own;
  }
  return made;
}

}  // namespace heddle::sm
