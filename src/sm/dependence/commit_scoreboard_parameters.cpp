// What a description says of the scoreboard that commits in order, and what it takes and counts.

#include <fmt/format.h>

#include "base/error.h"
#include "sm/dependence/commit_scoreboard.h"

namespace heddle::sm {

void CommitCounters::declare(CounterList& counters) {
  counters.add("entries_written", entries_written, "entries",
               "of the scoreboard that results were given");
  counters.add("reads", reads, "registers",
               "of a warp, predicates included, that were read from an entry");
  counters.add("alone", alone, "instructions",
               "that issued without an entry, as none was free and the warp had nothing under way");
  counters.add("full_cycles", full_cycles, "warp-cycles",
               "in which a warp could have issued if an entry had been free");
  counters.add("mask_waits", mask_waits, "instructions",
               "that waited for an earlier result of their register to be committed, as they write "
               "fewer lanes or words of it");
}

void CommitScoreboardParameters::declare(config::Declarations& parameters) {
  parameters.number("entries", entries, {.least = 2, .most = CommitBoard::kMostEntries},
                    "of the scoreboard that all warps share ('commit-scoreboard')");
  parameters.number("entry_words", entry_words, {.unit = "registers", .least = 1, .most = 2},
                    "of a warp, neighbours, that an entry holds ('commit-scoreboard')");
  parameters.flag("checked", checked,
                  "every value that is read is held against what the program computes with, for "
                  "tests ('commit-scoreboard')");
}

void CommitScoreboardParameters::check(const DependenceContext& place) const {
  if (place.keeps_rows) return;
  throw InputError(
      fmt::format("dependence.policy 'commit-scoreboard' has one active mask of 32 lanes in an "
                  "entry: with divergence.policy '{}' other threads than a row travel as one",
                  place.divergence));
}

void CommitScoreboardParameters::storage(config::StorageList& list) {
  constexpr std::string_view kSource = "Xiang, Toward Efficient SIMT Execution, section 4.4.4";
  list.add({.name = "scoreboard_tags",
            .bits = "dependence.entries * (bits(sm.registers / 32) + 1)",
            .meaning = "of each entry a register of a warp, and whether it matches",
            .source = kSource});
  list.add({.name = "scoreboard_data",
            .bits = "dependence.entries * (1 + 32 + 32 + 32 * 32 * dependence.entry_words + "
                    "bits(dependence.entries))",
            .meaning = "of each entry its completion, two masks, the values and the next entry",
            .source = kSource});
  list.add({.name = "scoreboard_lists",
            .bits = "sm.warps * (2 * bits(dependence.entries) + 2)",
            .meaning = "of each warp its first and last entry, in-board and in-store",
            .source = "Xiang, Toward Efficient SIMT Execution, section 4.4.2"});
}

}  // namespace heddle::sm
