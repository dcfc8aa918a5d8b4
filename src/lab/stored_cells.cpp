#include "lab/stored_cells.h"

#include <algorithm>

#include "lab/cost_measures.h"
#include "lab/energy_measures.h"

namespace heddle::lab {

StoredCells read_cells(const Plan& plan, const Store& store) {
  StoredCells stored;
  for (const RunRequest& run : plan.cells) {
    const auto add_missing = [&](const std::string& why) {
      stored.cells.emplace_back();
      stored.missing_runs.push_back({&run, why});
    };
    const Store::LookupResult found = store.look_up(run.key);
    if (found.state == Store::State::missing) {
      add_missing("the run is not in the store; it may have been removed meanwhile");
    } else if (found.state == Store::State::damaged) {
      add_missing("its stored result is damaged");
    } else {
      try {
        Measures measures = Measures::from_result(found.run.result);
        if (plan.technology)
          measures = add_energy_measures(*plan.technology, run.machine, measures);
        measures = add_storage_measures(run.machine, measures);
        if (plan.technology) measures = add_area_measures(*plan.technology, run.machine, measures);
        stored.cells.emplace_back(std::move(measures));
        stored.last_stored_at = std::max(stored.last_stored_at, std::optional(found.run.stored_at));
      } catch (const InputError& error) {
        add_missing(error.what());
      }
    }
  }
  return stored;
}

}  // namespace heddle::lab
