#include "merge_stores.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/message.h"
#include "lab/merge.h"
#include "print.h"

namespace heddle {

ExitCode merge_stores(const std::vector<std::string>& files, const std::string& target) {
  lab::Store store(target, lab::Access::create);
  store.require_fit_to_add();
  ExitCode result = ExitCode::done;
  for (const std::string& file : files) {
    const lab::Store other(file, lab::Access::read);
    if (std::filesystem::equivalent(file, target)) {
      throw InputError(fmt::format("{}: is the store to which runs are added (--store)", file));
    }
    const lab::MergedRuns merged = lab::merge(store, other);
    print("{}: {} run{} added to {}, {} in it before\n", file, merged.added,
          merged.added == 1 ? "" : "s", target, merged.known);
    for (const std::string& key : merged.damaged) {
      say(fmt::format("{}: run {} is damaged and was left out", file, key));
    }
    for (const std::string& key : merged.differing) {
      say(fmt::format("{}: run {} has another result than in {}, which keeps its own", file, key,
                      target));
    }
    if (!merged.damaged.empty() || !merged.differing.empty()) result = ExitCode::check_failed;
  }
  return result;
}

}  // namespace heddle
