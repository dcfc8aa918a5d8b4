#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "workload/workload.h"

namespace heddle::workload {
namespace {

/// The registered workloads. The variable is local to the function, so that it exists before the
/// first registration in any file.
std::vector<std::unique_ptr<const Workload>>& registered() {
  static std::vector<std::unique_ptr<const Workload>> workloads;
  return workloads;
}

}  // namespace

void Workload::require(GridChoice grid) const {
  if (grid == GridChoice::input || resident) return;
  throw InputError(fmt::format(
      "'{}' has no form with grid 'resident'; 'heddle list workloads' shows the workloads "
      "that have one",
      name));
}

const std::vector<KernelDeclaration>& Workload::kernels_for(GridChoice grid) const {
  require(grid);
  return grid == GridChoice::resident ? resident->kernels : kernels;
}

std::unique_ptr<HostProgram> Workload::make_for(GridChoice grid, Size size,
                                                std::uint64_t seed) const {
  require(grid);
  return (grid == GridChoice::resident ? resident->make : make)(size, seed);
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
  throw InputError(fmt::format("unknown workload '{}'{} (see 'heddle list workloads')", name,
                               suggestion(std::string(name), known)));
}

std::string ptx_file_of(const Workload& workload, code::MultiplyAdd multiply_add) {
  const bool is_fused = multiply_add == code::MultiplyAdd::fused;
  return fmt::format("workloads/{}/{}", workload.folder,
                     is_fused ? "kernel.ptx" : "kernel-unfused.ptx");
}

}  // namespace heddle::workload
