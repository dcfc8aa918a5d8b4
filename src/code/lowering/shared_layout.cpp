#include "code/lowering/shared_layout.h"

#include <algorithm>
#include <set>
#include <utility>

#include "code/call_graph.h"
#include "code/link.h"
#include "code/lowering/frame_plan.h"

namespace heddle::code::lowering {
namespace {

/// Dynamic shared memory always begins at a multiple of this.
constexpr std::uint32_t kDynamicAlignment = 16;

/// A range of addresses in bytes, `end` exclusive.
struct Extent {
  std::uint64_t begin;
  std::uint64_t end;
};

/// The lowest aligned offset for `bytes` bytes that does not overlap any of `taken`.
std::uint64_t lowest_free_offset(std::vector<Extent> taken, std::uint64_t bytes,
                                 std::uint64_t alignment) {
  std::sort(taken.begin(), taken.end(),
            [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  std::uint64_t at = 0;
  for (const Extent& extent : taken) {
    if (extent.begin >= at + bytes) break;
    at = std::max(at, align_up(extent.end, alignment));
  }
  return at;
}

class SharedLayout {
 public:
  SharedLayout(CompilationUnit& unit, const std::vector<std::uint32_t>& dynamic_alignment,
               std::uint32_t reserved)
      : unit_(unit),
        dynamic_alignment_(dynamic_alignment),
        reserved_(reserved),
        graph_(unit),
        variables_named_(unit.bodies.size()),
        kernels_of_(unit.program.variables.size()),
        is_common_(unit.program.variables.size(), false),
        address_(unit.program.variables.size()) {}

  void run() {
    find_named_variables();
    for (std::uint32_t f = 0; f < unit_.bodies.size(); ++f) {
      const bool is_kernel = unit_.program.functions[f].is_kernel;
      if (!is_kernel) {
        for (const std::uint32_t v : variables_named_[f]) is_common_[v] = true;
        continue;
      }
      for (const std::uint32_t g : graph_.reachable_from(f)) {
        for (const std::uint32_t v : variables_named_[g]) kernels_of_[v].push_back(f);
      }
    }
    for (auto& kernels : kernels_of_) {
      kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
    }
    place_common();
    for (std::uint32_t f = 0; f < unit_.bodies.size(); ++f) {
      if (unit_.program.functions[f].is_kernel) place_for_kernel(f);
    }
  }

 private:
  bool is_shared(const Operand& operand) const {
    return operand.kind == Operand::Kind::variable &&
           unit_.program.variables[operand.index].space == VariableSpace::shared;
  }

  template <class Visit>
  void for_each_shared_operand(std::uint32_t f, Visit visit) {
    for (BasicBlock& block : unit_.bodies[f].blocks) {
      for (Instruction& instruction : block.instructions) {
        for (Operand& operand : instruction.sources) {
          if (is_shared(operand)) visit(operand);
        }
      }
    }
  }

  void find_named_variables() {
    for (std::uint32_t f = 0; f < unit_.bodies.size(); ++f) {
      for_each_shared_operand(
          f, [&](const Operand& operand) { variables_named_[f].insert(operand.index); });
    }
  }

  /// Places the variables that device functions name. Two of them may overlap if no kernel needs
  /// both.
  void place_common() {
    std::vector<std::vector<Extent>> taken(unit_.bodies.size());
    for (std::uint32_t v = 0; v < is_common_.size(); ++v) {
      if (!is_common_[v]) continue;
      Variable& variable = unit_.program.variables[v];
      std::vector<Extent> all;
      for (const std::uint32_t kernel : kernels_of_[v]) {
        all.insert(all.end(), taken[kernel].begin(), taken[kernel].end());
      }
      const std::uint64_t at =
          lowest_free_offset(std::move(all), variable.size, variable.alignment);
      variable.shared_offset = static_cast<std::uint32_t>(at);
      address_[v] = at;
      for (const std::uint32_t kernel : kernels_of_[v]) {
        taken[kernel].push_back({at, at + variable.size});
      }
    }
  }

  /// Places the variables that only kernels name, and sets the kernel's size of shared memory.
  void place_for_kernel(std::uint32_t kernel) {
    FunctionInfo& info = unit_.program.functions[kernel];
    std::vector<Extent> taken;
    std::uint32_t dynamic = 0;
    for (const std::uint32_t f : graph_.reachable_from(kernel)) {
      dynamic = std::max(dynamic, dynamic_alignment_[f]);
      for (const std::uint32_t v : variables_named_[f]) {
        if (v == reserved_) info.reserved_shared_bytes = kReservedSharedBytes;
        if (is_common_[v]) taken.push_back({address_[v], address_[v] + size_of_variable(v)});
      }
    }
    for (const std::uint32_t v : variables_named_[kernel]) {
      if (is_common_[v]) continue;
      const std::uint64_t bytes = size_of_variable(v);
      const std::uint64_t at =
          lowest_free_offset(taken, bytes, unit_.program.variables[v].alignment);
      taken.push_back({at, at + bytes});
      const std::uint32_t copy = copy_for(kernel, v);
      unit_.program.variables[copy].shared_offset = static_cast<std::uint32_t>(at);
    }
    std::uint64_t bytes = 0;
    for (const Extent& extent : taken) bytes = std::max(bytes, extent.end);
    if (dynamic > kDynamicAlignment) bytes = align_up(bytes, dynamic);
    if (bytes > ~std::uint32_t{0}) {
      add_unsupported(info.unsupported, "the shared variables take 4 GiB or more",
                      {.module = info.module});
      bytes = 0;
    }
    info.shared_bytes = static_cast<std::uint32_t>(bytes);
  }

  std::uint64_t size_of_variable(std::uint32_t v) const { return unit_.program.variables[v].size; }

  /// The kernel's own copy of variable v: v itself for the first kernel that names it.
  std::uint32_t copy_for(std::uint32_t kernel, std::uint32_t v) {
    if (kernels_of_[v].front() == kernel) return v;
    const auto copy = static_cast<std::uint32_t>(unit_.program.variables.size());
    unit_.program.variables.push_back(Variable(unit_.program.variables[v]));
    for_each_shared_operand(kernel, [&](Operand& operand) {
      if (operand.index == v) operand.index = copy;
    });
    return copy;
  }

  CompilationUnit& unit_;
  const std::vector<std::uint32_t>& dynamic_alignment_;
  std::uint32_t reserved_;  ///< The variable that stands for CUDA's own shared memory, or kNone.
  CallGraph graph_;
  std::vector<std::set<std::uint32_t>>
      variables_named_;  ///< By function: the shared variables it names.
  /// By variable: the kernels that, or whose callees, name it.
  std::vector<std::vector<std::uint32_t>> kernels_of_;
  std::vector<bool> is_common_;         ///< By variable: whether a device function names it.
  std::vector<std::uint64_t> address_;  ///< By variable: its address, if it is in is_common_.
};

}  // namespace

void lay_out_shared_memory(CompilationUnit& unit,
                           const std::vector<std::uint32_t>& dynamic_alignment,
                           std::uint32_t reserved) {
  SharedLayout(unit, dynamic_alignment, reserved).run();
}

}  // namespace heddle::code::lowering
