#include "code/link.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "code/lowering/frame_plan.h"
#include "code/lowering/initial_values.h"

namespace heddle::code {
namespace {

using ptx::Linkage;
using ptx::StateSpace;

/// How strongly one declaration defines a symbol. The strongest definition of a name wins.
enum class Strength : std::uint8_t { declared, common, weak, strong };

bool is_tentative(Strength strength) {
  return strength == Strength::common || strength == Strength::weak;
}

/// A thread has 512 KB of local memory on every GPU.
constexpr std::uint64_t kMaxModuleLocalBytes = 512 * 1024;

/// Whether an instruction of the module reads %reserved_smem_offset_begin or one of its relatives.
bool names_reserved_shared_memory(const ptx::Module& module) {
  const auto is_named_by = [](const ptx::Operand& operand) {
    if (operand.kind != ptx::Operand::Kind::special) return false;
    switch (static_cast<ptx::SpecialRegister>(operand.index)) {
      case ptx::SpecialRegister::reserved_smem_offset_begin:
      case ptx::SpecialRegister::reserved_smem_offset_end:
      case ptx::SpecialRegister::reserved_smem_offset_0:
      case ptx::SpecialRegister::reserved_smem_offset_1:
        return true;
      default:
        return false;
    }
  };
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.body) {
      if (std::any_of(instruction.operands.begin(), instruction.operands.end(), is_named_by)) {
        return true;
      }
    }
  }
  return false;
}

class Linker {
 public:
  explicit Linker(const std::vector<ptx::Module>& modules) : modules_(modules) {}

  Linked run() {
    for (std::uint32_t m = 0; m < modules_.size(); ++m) {
      out_.program.modules.push_back({.file = modules_[m].file});
      add_source_lines(m);
      add_functions(m);
      add_variables(m);
      place_module_locals(m);
    }
    for (std::uint32_t f = 0; f < out_.definitions.size(); ++f) describe_function(f);
    for (std::uint32_t v = 0; v < variable_places_.size(); ++v) describe_variable(v);
    find_dynamic_shared_memory();
    reserve_shared_memory();
    for (std::uint32_t v = 0; v < variable_places_.size(); ++v) initialise_variable(v);
    return std::move(out_);
  }

 private:
  const ptx::Function& function_at(SymbolPlace place) const {
    return modules_[place.module].functions[place.index];
  }
  const ptx::Variable& variable_at(SymbolPlace place) const {
    return modules_[place.module].variables[place.index];
  }
  const std::string& file_of(SymbolPlace place) const { return modules_[place.module].file; }

  void add_source_lines(std::uint32_t m) {
    const ptx::Module& module = modules_[m];
    std::vector<std::uint32_t> program_file_of;
    for (const std::string& file : module.source_files) {
      const auto [known, inserted] = source_files_.try_emplace(
          file, static_cast<std::uint32_t>(out_.program.source_files.size()));
      if (inserted) out_.program.source_files.push_back(file);
      program_file_of.push_back(known->second);
    }
    const auto first = static_cast<std::uint32_t>(out_.program.source_lines.size());
    out_.first_source_line.push_back(first);
    for (const ptx::SourceLine& line : module.source_lines) {
      SourcePlace place;
      if (line.file < program_file_of.size()) place.file = program_file_of[line.file];
      place.line = line.line;
      place.column = line.column;
      if (line.inlined_at != ptx::kNoIndex) place.inlined_at = first + line.inlined_at;
      out_.program.source_lines.push_back(place);
    }
  }

  [[noreturn]] void reject_duplicate(const std::string& name, SymbolPlace a, SymbolPlace b) const {
    throw InputError("'" + name + "' is defined twice: in " + file_of(a) + " and in " + file_of(b));
  }
  [[noreturn]] void reject_mismatch(const std::string& name, SymbolPlace a, SymbolPlace b,
                                    const std::string& what) const {
    throw InputError("'" + name + "' is " + what + ": compare " + file_of(a) + " with " +
                     file_of(b));
  }

  void add_functions(std::uint32_t m) {
    const ptx::Module& module = modules_[m];
    // A name is visible to other modules if any of its declarations is.
    std::unordered_map<std::string, bool> is_visible_name;
    for (const ptx::Function& function : module.functions) {
      is_visible_name[function.name] |= function.linkage != Linkage::internal;
    }
    std::unordered_map<std::string, std::uint32_t> internal;
    std::vector<std::uint32_t>& map = out_.functions.emplace_back();
    for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
      const ptx::Function& function = module.functions[i];
      // An alias is a function of its own, translated from the same body.
      const bool is_alias = function.alias_of != ptx::kNoIndex;
      const SymbolPlace place{m, is_alias ? function.alias_of : i};
      const Strength strength = function_at(place).is_declaration   ? Strength::declared
                                : function.linkage == Linkage::weak ? Strength::weak
                                                                    : Strength::strong;
      auto& names = is_visible_name[function.name] ? functions_ : internal;
      const auto next = static_cast<std::uint32_t>(out_.definitions.size());
      const auto [known, inserted] = names.try_emplace(function.name, next);
      map.push_back(known->second);
      if (inserted) {
        out_.definitions.push_back(place);
        function_strengths_.push_back(strength);
        function_names_.push_back(function.name);
        continue;
      }
      SymbolPlace& definition = out_.definitions[known->second];
      Strength& defined = function_strengths_[known->second];
      require_same_shape(definition, place);
      if (strength == Strength::strong && defined == Strength::strong) {
        reject_duplicate(function.name, definition, place);
      }
      if (strength > defined) {
        definition = place;
        defined = strength;
      }
    }
  }

  void require_same_shape(SymbolPlace a, SymbolPlace b) const {
    const ptx::Function& f = function_at(a);
    const ptx::Function& g = function_at(b);
    if (f.is_kernel != g.is_kernel) {
      reject_mismatch(f.name, a, b, "a kernel in one module and a device function in another");
    }
    const auto have_same_sizes = [&](const std::vector<ptx::VariableIndex>& x,
                                     const std::vector<ptx::VariableIndex>& y) {
      if (x.size() != y.size()) return false;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const ptx::Variable& p = modules_[a.module].variables[x[i]];
        const ptx::Variable& q = modules_[b.module].variables[y[i]];
        if (!p.is_unsized && !q.is_unsized && p.size != q.size) return false;
      }
      return true;
    };
    if (!have_same_sizes(f.parameters, g.parameters) || !have_same_sizes(f.returns, g.returns)) {
      reject_mismatch(f.name, a, b, "declared with different parameters");
    }
  }

  static bool is_linked_space(StateSpace space) {
    return space == StateSpace::global || space == StateSpace::const_ ||
           space == StateSpace::shared || space == StateSpace::tex;
  }

  void add_variables(std::uint32_t m) {
    const ptx::Module& module = modules_[m];
    std::unordered_map<std::string, bool> is_visible_name;
    for (const ptx::Variable& variable : module.variables) {
      is_visible_name[variable.name] |= variable.linkage != Linkage::internal;
    }
    std::unordered_map<std::string, std::uint32_t> internal;
    std::vector<std::uint32_t>& map = out_.variables.emplace_back();
    for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
      const ptx::Variable& variable = module.variables[i];
      if (!is_linked_space(variable.space)) {
        map.push_back(kNotLinked);
        continue;
      }
      const SymbolPlace place{m, i};
      const auto next = static_cast<std::uint32_t>(variable_places_.size());
      Strength strength = Strength::strong;
      if (variable.linkage == Linkage::external) strength = Strength::declared;
      if (variable.linkage == Linkage::common) strength = Strength::common;
      if (variable.linkage == Linkage::weak) strength = Strength::weak;
      // A variable declared in a function body is separate from a module variable of that name.
      const bool is_separate =
          variable.owner != ptx::kNoIndex && variable.linkage == Linkage::internal;
      if (is_separate) {
        map.push_back(next);
        variable_places_.push_back(place);
        variable_strengths_.push_back(strength);
        continue;
      }
      auto& names = is_visible_name[variable.name] ? variables_ : internal;
      const auto [known, inserted] = names.try_emplace(variable.name, next);
      map.push_back(known->second);
      if (inserted) {
        variable_places_.push_back(place);
        variable_strengths_.push_back(strength);
      } else {
        merge_variable(known->second, place, strength);
      }
    }
  }

  /// Local variables outside of functions, which PTX allowed before 3.0.
  void place_module_locals(std::uint32_t m) {
    const ptx::Module& module = modules_[m];
    auto& places = out_.module_locals.emplace_back();
    for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
      const ptx::Variable& variable = module.variables[i];
      if (variable.space != StateSpace::local || variable.owner != ptx::kNoIndex) continue;
      const std::uint64_t at = lowering::align_up(out_.module_local_bytes, variable.alignment);
      if (at + variable.size > kMaxModuleLocalBytes) {
        throw InputError("'" + variable.name + "' in " + module.file +
                         ": the local variables outside of functions take more than 512 KB");
      }
      places.emplace(i, static_cast<std::uint32_t>(at));
      out_.module_local_bytes = static_cast<std::uint32_t>(at + variable.size);
    }
  }

  void merge_variable(std::uint32_t v, SymbolPlace place, Strength strength) {
    SymbolPlace& defined = variable_places_[v];
    Strength& strongest = variable_strengths_[v];
    const ptx::Variable& a = variable_at(defined);
    const ptx::Variable& b = variable_at(place);
    if (a.space != b.space) reject_mismatch(a.name, defined, place, "in different state spaces");
    if (strength == Strength::strong && strongest == Strength::strong)
      reject_duplicate(a.name, defined, place);
    const bool sizes_known = !a.is_unsized && !b.is_unsized;
    const bool sizes_may_differ = is_tentative(strength) && is_tentative(strongest);
    // Each declaration of dynamic shared memory may have its own size.
    const bool both_extern = strength == Strength::declared && strongest == Strength::declared;
    if (sizes_known && a.size != b.size && !sizes_may_differ && !both_extern) {
      reject_mismatch(a.name, defined, place, "declared with different sizes");
    }
    const bool larger_common =
        strength == Strength::common && strongest == Strength::common && b.size > a.size;
    const bool adds_size = both_extern && a.is_unsized && !b.is_unsized;
    if (strength > strongest || larger_common || adds_size) {
      defined = place;
      strongest = strength;
    }
  }

  void describe_function(std::uint32_t f) {
    const SymbolPlace place = out_.definitions[f];
    const ptx::Function& function = function_at(place);
    FunctionInfo& info = out_.program.functions.emplace_back();
    info.name = function_names_[f];
    info.is_kernel = function.is_kernel;
    info.is_extern = function.is_declaration;
    info.module = place.module;
    std::copy(std::begin(function.max_threads), std::end(function.max_threads), info.max_threads);
    std::copy(std::begin(function.required_threads), std::end(function.required_threads),
              info.required_threads);
    info.min_blocks_per_sm = function.min_blocks_per_sm;
  }

  void describe_variable(std::uint32_t v) {
    const ptx::Variable& source = variable_at(variable_places_[v]);
    Variable& variable = out_.program.variables.emplace_back();
    variable.name = source.name;
    variable.space = source.space == StateSpace::const_   ? VariableSpace::constant
                     : source.space == StateSpace::shared ? VariableSpace::shared
                                                          : VariableSpace::global;
    variable.size = source.size;
    variable.alignment = std::max<std::uint32_t>(source.alignment, 1);
    variable.is_extern = variable_strengths_[v] == Strength::declared;
    variable.visible = source.linkage != Linkage::internal;
    variable.managed = source.managed;
  }

  void initialise_variable(std::uint32_t v) {
    const SymbolPlace place = variable_places_[v];
    lowering::set_initial_values(
        variable_at(place),
        {.functions = out_.functions[place.module], .variables = out_.variables[place.module]},
        file_of(place), out_.program.variables[v]);
  }

  /// A shared variable without a size or without a definition denotes the block's dynamic shared
  /// memory.
  void find_dynamic_shared_memory() {
    for (std::uint32_t m = 0; m < modules_.size(); ++m) {
      for (std::uint32_t i = 0; i < out_.variables[m].size(); ++i) {
        std::uint32_t& v = out_.variables[m][i];
        if (v == kNotLinked) continue;
        const Variable& variable = out_.program.variables[v];
        if (variable.space != VariableSpace::shared) continue;
        if (variable.is_extern || variable_at(variable_places_[v]).is_unsized) v = kDynamicShared;
      }
    }
  }

  /// CUDA reserves a part of a block's shared memory for itself, on GPUs since sm_80. Cooperative
  /// groups of several warps use it. Here it is a variable, so that only kernels that can use it
  /// have it.
  void reserve_shared_memory() {
    if (std::none_of(modules_.begin(), modules_.end(), names_reserved_shared_memory)) return;
    out_.reserved_shared_memory = static_cast<std::uint32_t>(out_.program.variables.size());
    Variable& variable = out_.program.variables.emplace_back();
    variable.name = "%reserved_smem";
    variable.space = VariableSpace::shared;
    variable.size = kReservedSharedBytes;
    variable.alignment = 16;
  }

  const std::vector<ptx::Module>& modules_;
  Linked out_;
  std::unordered_map<std::string, std::uint32_t> source_files_;
  std::unordered_map<std::string, std::uint32_t> functions_;  ///< Names visible to all modules.
  std::unordered_map<std::string, std::uint32_t> variables_;
  std::vector<Strength> function_strengths_;
  std::vector<std::string> function_names_;
  std::vector<Strength> variable_strengths_;
  std::vector<SymbolPlace> variable_places_;  ///< By variable of the program.
};

}  // namespace

Linked link(const std::vector<ptx::Module>& modules) { return Linker(modules).run(); }

}  // namespace heddle::code
