#include "lab/stored_cells.h"

#include <algorithm>

#include "lab/cost_measures.h"
#include "lab/energy_measures.h"

namespace heddle::lab {

StoredCells read_cells(const Plan& plan, const Store& store) {
  StoredCells read;
  for (const RunRequest& run : plan.cells) {
    const auto lose = [&](const std::string& why) {
      read.cells.emplace_back();
      read.lost.push_back({&run, why});
    };
    const Store::Found found = store.look_up(run.key);
    if (found.state == Store::State::missing) {
      lose("it is not in the store, where it may have been removed meanwhile");
    } else if (found.state == Store::State::damaged) {
      lose("its stored result has become damaged");
    } else {
      try {
        Measures measures = Measures::of_result(found.run.result);
        if (plan.technology) measures = with_energy(*plan.technology, run.machine, measures);
        measures = with_storage(run.machine, measures);
        if (plan.technology) measures = with_area(*plan.technology, run.machine, measures);
        read.cells.emplace_back(std::move(measures));
        read.last_stored_at = std::max(read.last_stored_at, std::optional(found.run.stored_at));
      } catch (const InputError& error) {
        lose(error.what());
      }
    }
  }
  return read;
}

}  // namespace heddle::lab
