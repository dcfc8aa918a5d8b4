// Parameters, storage and counters of the scoreboard that commits in order.

#include <fmt/format.h>

#include "base/error.h"
#include "sm/dependence/commit_scoreboard.h"

namespace heddle::sm {

void CommitCounters::declare(CounterList& counters) {
  counters.add("entries_written", entries_written, "entries",
               "of the scoreboard that were allocated for results");
  counters.add("reads", reads, "registers",
               "of a warp, predicates included, that were read from a scoreboard entry");
  counters.add("issued_without_entry", issued_without_entry, "instructions",
               "that issued without an entry because too few were free and the warp had nothing in "
               "flight");
  counters.add("full_cycles", full_cycles, "warp-cycles",
               "in which a warp could not issue for lack of a free entry");
  counters.add("lane_mask_waits", lane_mask_waits, "instructions",
               "that waited until an earlier result of their register was committed, because they "
               "write fewer lanes or words of it");
}

void CommitScoreboardParameters::declare(config::Declarations& parameters) {
  parameters.number("entries", entries, {.least = 2, .most = CommitBoard::kMaxEntries},
                    "size of the scoreboard that all warps of a sub-core share "
                    "('commit-scoreboard')");
  parameters.number("entry_words", entry_words, {.unit = "registers", .least = 1, .most = 2},
                    "consecutive registers of a warp that an entry holds ('commit-scoreboard')");
  parameters.flag(
      "barriers_commit", barriers_commit,
      "whether a barrier waits until all earlier instructions of its warp have committed "
      "('commit-scoreboard')");
  parameters.flag("predicates_have_entries", predicates_have_entries,
                  "whether predicates have entries; otherwise each is written as soon as it is "
                  "computed ('commit-scoreboard')");
  parameters.flag("check_values", check_values,
                  "whether to compare every value that is read with the value that the program "
                  "computes with ('commit-scoreboard'); for tests, slow");
}

void CommitScoreboardParameters::check(const DependenceContext& context) const {
  if (context.keeps_static_warps) return;
  throw InputError(fmt::format(
      "dependence.policy 'commit-scoreboard' needs warps that are static warps: its entries have "
      "one active mask of 32 lanes, but divergence.policy '{}' groups threads of several static "
      "warps",
      context.divergence));
}

void CommitScoreboardParameters::storage(config::StorageList& list) {
  constexpr std::string_view kSource = "Xiang, Toward Efficient SIMT Execution, section 4.4.4";
  list.add({.name = "scoreboard_tags",
            .bits = "sm.sub_cores * dependence.entries * (bits(sm.registers / 32) + 1)",
            .meaning = "each entry's register and warp, and a match bit",
            .source = kSource});
  list.add(
      {.name = "scoreboard_data",
       .bits =
           "sm.sub_cores * dependence.entries * (1 + 32 + 32 + 32 * 32 * dependence.entry_words + "
           "bits(dependence.entries))",
       .meaning = "each entry's completion bit, two masks, values and next entry",
       .source = kSource});
  list.add({.name = "scoreboard_lists",
            .bits = "sm.warps * (2 * bits(dependence.entries) + 2)",
            .meaning = "each warp's first and last entry, and its in-board and in-store flags",
            .source = "Xiang, Toward Efficient SIMT Execution, section 4.4.2"});
}

}  // namespace heddle::sm
