#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "workload/workload.h"

namespace heddle::workload {
namespace {

/// A function's own variable, so that it is there whichever registration comes first.
std::vector<std::unique_ptr<const Workload>>& registered() {
  static std::vector<std::unique_ptr<const Workload>> workloads;
  return workloads;
}

}  // namespace

void Workload::require(GridShape grid) const {
  if (grid == GridShape::input || resident) return;
  throw InputError(
      fmt::format("'{}' has no form for a grid of one residency; 'heddle list workloads' shows "
                  "those that have",
                  name));
}

const std::vector<KernelShape>& Workload::kernels_for(GridShape grid) const {
  require(grid);
  return grid == GridShape::resident ? resident->kernels : kernels;
}

std::unique_ptr<HostProgram> Workload::make_for(GridShape grid, Size input,
                                                std::uint64_t seed) const {
  require(grid);
  return (grid == GridShape::resident ? resident->make : make)(input, seed);
}

Registration::Registration(Workload workload) {
  if (workload.folder.empty()) workload.folder = workload.name;
  registered().push_back(std::make_unique<const Workload>(std::move(workload)));
}

const std::vector<const Workload*>& all_workloads() {
  static const std::vector<const Workload*> sorted = [] {
    std::vector<const Workload*> workloads;
    for (const auto& workload : registered()) workloads.push_back(workload.get());
    std::sort(workloads.begin(), workloads.end(),
              [](const Workload* a, const Workload* b) { return a->name < b->name; });
    return workloads;
  }();
  return sorted;
}

const Workload& find_workload(std::string_view name) {
  std::vector<std::string> known;
  for (const Workload* workload : all_workloads()) {
    if (workload->name == name) return *workload;
    known.push_back(workload->name);
  }
  const std::string nearest = suggestion(std::string(name), known);
  throw InputError(fmt::format("there is no workload '{}'{}", name,
                               nearest.empty() ? "; 'heddle list workloads' shows all" : nearest));
}

}  // namespace heddle::workload
