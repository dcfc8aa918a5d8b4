#include "code/lowering/frame_plan.h"

#include <algorithm>
#include <array>
#include <optional>

namespace heddle::code::lowering {
namespace {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

/// Whether a straight line ends at this instruction. A straight line is a sequence of instructions
/// that always run one after the other. It also ends where the end of the caller's frame moves,
/// since outgoing arguments are stored after it.
bool ends_straight_line(Opcode opcode) {
  return opcode == Opcode::bra || opcode == Opcode::brx || opcode == Opcode::ret ||
         opcode == Opcode::exit || opcode == Opcode::trap || opcode == Opcode::alloca ||
         opcode == Opcode::stackrestore;
}

/// How a function's body uses a variable of PTX space param that it declares: an argument or result
/// of a call.
struct ArgumentUse {
  std::uint32_t call_count = 0;  ///< How often calls name it as an argument or result.
  // The following describe the last of these calls.
  std::uint32_t position = 0;       ///< Its position in the argument or result list.
  std::uint32_t call = 0;           ///< The number of the call in the body, counted from 0.
  std::uint32_t straight_line = 0;  ///< The number of the straight line that contains the call.
  bool is_result = false;
  // The following hold for all calls and accesses.
  bool to_system = true;       ///< Each call is a system call.
  bool other_access = false;   ///< Its address is taken, or it is accessed in another way.
  bool whole_accesses = true;  ///< Each access covers the whole variable as one value.
  bool stores_precede = true;  ///< All stores are between the previous call and this one.
  bool loads_follow = true;    ///< All loads follow the call, before another argument is stored.
  bool is_stored = false, is_loaded = false;  ///< There is a store, a load.
};

/// Finds the ArgumentUse of each variable of space param.
class CallScan {
 public:
  CallScan(const std::vector<ptx::Module>& modules, const Linked& linked, std::uint32_t module,
           const ptx::Function& function)
      : modules_(modules), linked_(linked), module_(module), function_(function) {
    for (const ptx::VariableIndex v : function.variables) {
      if (modules[module].variables[v].space == ptx::StateSpace::param)
        uses_.emplace(v, ArgumentUse{});
    }
  }

  void run() {
    if (uses_.empty()) return;
    std::vector<bool> labelled(function_.body.size() + 1, false);
    for (const ptx::Label& label : function_.labels) {
      if (label.instruction < labelled.size()) labelled[label.instruction] = true;
    }
    // Scan calls first: scanning a store needs to know the call that it belongs to.
    scan_calls(labelled);
    scan_accesses(labelled);
  }

  const std::unordered_map<ptx::VariableIndex, ArgumentUse>& uses() const { return uses_; }

 private:
  ArgumentUse* find(ptx::VariableIndex v) {
    const auto found = uses_.find(v);
    return found == uses_.end() ? nullptr : &found->second;
  }

  void scan_calls(const std::vector<bool>& labelled) {
    std::uint32_t line = 0;
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < function_.body.size(); ++i) {
      if (labelled[i]) ++line;
      const ptx::Instruction& in = function_.body[i];
      if (in.opcode == Opcode::call) {
        const bool system =
            call_target(modules_, linked_, module_, function_, in).kind == CallTarget::Kind::system;
        if (in.operands.size() > 0) note_list(in.operands[0], true, number, line, system);
        if (in.operands.size() > 2) note_list(in.operands[2], false, number, line, system);
        ++number;
      }
      if (ends_straight_line(in.opcode)) ++line;
    }
  }

  void note_list(const ptx::Operand& list, bool is_result, std::uint32_t number, std::uint32_t line,
                 bool system) {
    if (list.kind != Kind::list) return;
    for (std::uint32_t position = 0; position < list.count; ++position) {
      const ptx::Operand& element = function_.elements(list)[position];
      if (element.kind != Kind::variable) continue;
      ArgumentUse* use = find(element.index);
      if (use == nullptr) continue;
      ++use->call_count;
      use->position = position;
      use->call = number;
      use->straight_line = line;
      use->is_result = is_result;
      use->to_system &= system;
      if (element.bits != 0) use->other_access = true;
    }
  }

  void scan_accesses(const std::vector<bool>& labelled) {
    std::uint32_t line = 0;
    std::uint32_t calls_before = 0;
    bool has_stored_argument = false;  // Since the last call.
    for (std::size_t i = 0; i < function_.body.size(); ++i) {
      if (labelled[i]) ++line;
      const ptx::Instruction& in = function_.body[i];
      if (in.opcode == Opcode::call) {
        ++calls_before;
        has_stored_argument = false;
      } else {
        for (std::size_t o = 0; o < in.operands.size(); ++o) {
          note_access(in, o, line, calls_before, has_stored_argument);
        }
      }
      if (ends_straight_line(in.opcode)) ++line;
    }
  }

  void note_access(const ptx::Instruction& in, std::size_t position, std::uint32_t line,
                   std::uint32_t calls_before, bool& has_stored_argument) {
    const ptx::Operand& operand = in.operands[position];
    const auto address_taken = [&](const ptx::Operand& o) {
      if (o.kind != Kind::variable) return;
      if (ArgumentUse* use = find(o.index)) use->other_access = true;
    };
    address_taken(operand);
    if (operand.kind == Kind::vector || operand.kind == Kind::list) {
      for (std::uint32_t e = 0; e < operand.count; ++e)
        address_taken(function_.elements(operand)[e]);
    }
    if (operand.kind != Kind::address || operand.base != ptx::Operand::Base::variable) return;
    ArgumentUse* use = find(operand.index);
    if (use == nullptr) return;
    const ptx::Variable& variable = modules_[module_].variables[operand.index];
    const bool vector = std::any_of(in.operands.begin(), in.operands.end(),
                                    [](const auto& o) { return o.kind == Kind::vector; });
    use->whole_accesses &= !vector && operand.bits == 0 &&
                           static_cast<std::uint64_t>(size_of(in.type())) == variable.size;
    if (in.opcode == Opcode::st && position == 0) {
      use->is_stored = true;
      use->stores_precede &= calls_before == use->call && line == use->straight_line;
      has_stored_argument = true;
    } else if (in.opcode == Opcode::ld) {
      use->is_loaded = true;
      use->loads_follow &=
          calls_before == use->call + 1 && line == use->straight_line && !has_stored_argument;
    } else {
      use->other_access = true;
    }
  }

  const std::vector<ptx::Module>& modules_;
  const Linked& linked_;
  std::uint32_t module_;
  const ptx::Function& function_;
  std::unordered_map<ptx::VariableIndex, ArgumentUse> uses_;
};

/// Whether the variable can be directly in the callee's frame: nothing else can overwrite it
/// between its stores and the call, or between the call and its loads.
bool may_be_outgoing(const ArgumentUse& use) {
  if (use.call_count != 1 || use.other_access) return false;
  return use.is_result ? use.loads_follow && !use.is_stored : use.stores_precede && !use.is_loaded;
}

/// Whether the variable can be in a virtual register: only system calls use it, always as a whole.
bool may_be_value(const ArgumentUse& use, const ptx::Variable& variable) {
  return use.call_count > 0 && use.to_system && !use.other_access && use.whole_accesses &&
         variable.size <= 8;
}

/// The variable's offset in the frame of its only callee; std::nullopt if the declarations
/// disagree.
std::optional<std::uint64_t> place_at_callee(const std::vector<ptx::Module>& modules,
                                             const Linked& linked, std::uint32_t module,
                                             const ptx::Function& function, const ArgumentUse& use,
                                             const ptx::Variable& variable,
                                             const std::vector<std::size_t>& calls) {
  const CallTarget target =
      call_target(modules, linked, module, function, function.body[calls[use.call]]);
  if (target.parameters == nullptr) return std::nullopt;
  const auto& formals = use.is_result ? *target.returns : *target.parameters;
  if (use.position >= formals.size()) return std::nullopt;
  if (target.module->variables[formals[use.position]].size < variable.size) return std::nullopt;
  const CallLayout layout = call_layout(*target.module, *target.parameters, *target.returns);
  return use.is_result ? layout.returns[use.position] : layout.parameters[use.position];
}

/// Whether the function belongs to nvcc's library libcudadevrt, such as cudaLaunchDeviceV2 or
/// __cudaCDP2StreamCreateWithFlags.
bool is_of_device_runtime(std::string_view name) {
  return name.starts_with("cuda") || name.starts_with("__cudaCDP") ||
         name.starts_with("__cuda_syscall");
}

}  // namespace

CallLayout call_layout(const ptx::Module& module, const std::vector<ptx::VariableIndex>& parameters,
                       const std::vector<ptx::VariableIndex>& returns) {
  CallLayout layout;
  const auto place = [&](const std::vector<ptx::VariableIndex>& variables,
                         std::vector<std::uint32_t>& offsets) {
    for (const ptx::VariableIndex v : variables) {
      const ptx::Variable& variable = module.variables[v];
      const bool is_predicate = variable.type == ValueType::pred;
      const std::uint32_t alignment = is_predicate ? kPredicateBytes : variable.alignment;
      layout.bytes = align_up(layout.bytes, std::max<std::uint32_t>(alignment, 1));
      offsets.push_back(static_cast<std::uint32_t>(layout.bytes));
      layout.bytes += is_predicate ? kPredicateBytes : variable.size;
    }
  };
  place(parameters, layout.parameters);
  place(returns, layout.returns);
  return layout;
}

const SystemFunction* find_system_function(std::string_view name) {
  constexpr auto u32 = ValueType::u32;
  constexpr auto u64 = ValueType::u64;
  static const std::array kFunctions = {
      SystemFunction{"vprintf", SystemCall::vprintf, {u64, u64}, ValueType::s32},
      SystemFunction{
          "__assertfail", SystemCall::assert_fail, {u64, u64, u32, u64, u64}, ValueType::none},
      SystemFunction{
          "__assert_fail", SystemCall::assert_fail, {u64, u64, u32, u64}, ValueType::none},
      SystemFunction{"malloc", SystemCall::malloc, {u64}, u64},
      SystemFunction{"free", SystemCall::free, {u64}, ValueType::none},
  };
  const auto* found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                   [&](const SystemFunction& f) { return f.name == name; });
  return found == kFunctions.end() ? nullptr : found;
}

CallTarget call_target(const std::vector<ptx::Module>& modules, const Linked& linked,
                       std::uint32_t module, const ptx::Function& function,
                       const ptx::Instruction& call) {
  CallTarget target;
  if (call.operands.size() < 3) {
    target.problem = "it has no target";
    return target;
  }
  const ptx::Operand& callee = call.operands[1];
  if (callee.kind == Kind::function) {
    target.function = linked.functions[module][callee.index];
    const SymbolPlace place = linked.definitions[target.function];
    const ptx::Function& defined = modules[place.module].functions[place.index];
    target.module = &modules[place.module];
    target.parameters = &defined.parameters;
    target.returns = &defined.returns;
    if (defined.is_kernel) {
      target.problem = "'" + defined.name + "' is a kernel";
    } else if (!defined.is_declaration) {
      target.kind = CallTarget::Kind::function;
    } else if ((target.system = find_system_function(defined.name)) != nullptr) {
      target.kind = CallTarget::Kind::system;
    } else {
      target.problem =
          is_of_device_runtime(defined.name)
              ? "'" + defined.name +
                    "' belongs to CUDA's device runtime, which launches kernels from kernels; "
                    "Heddle does not support that"
              : "no module defines '" + defined.name + "'";
    }
    return target;
  }
  if (call.operands.size() < 4 || call.operands[3].kind != Kind::prototype) {
    target.problem = "an indirect call needs a prototype";
    return target;
  }
  const ptx::Prototype& prototype = function.prototypes[call.operands[3].index];
  target.kind = CallTarget::Kind::indirect;
  target.module = &modules[module];
  target.parameters = &prototype.parameters;
  target.returns = &prototype.returns;
  if (!prototype.targets.empty()) {  // A list of functions with the same signature.
    const ptx::Function& first = modules[module].functions[prototype.targets.front()];
    target.parameters = &first.parameters;
    target.returns = &first.returns;
  }
  return target;
}

FramePlan plan_frame(const std::vector<ptx::Module>& modules, const Linked& linked,
                     std::uint32_t module, const ptx::Function& function) {
  using Where = VariablePlace::Where;
  FramePlan plan;
  const ptx::Module& own_module = modules[module];
  plan.own_layout = call_layout(own_module, function.parameters, function.returns);
  const Where own_place = function.is_kernel ? Where::kernel_parameter : Where::frame;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    plan.places[function.parameters[i]] = {own_place, plan.own_layout.parameters[i]};
  }
  for (std::size_t i = 0; i < function.returns.size(); ++i) {
    plan.places[function.returns[i]] = {own_place, plan.own_layout.returns[i]};
  }
  plan.frame_bytes = function.is_kernel ? linked.module_local_bytes : plan.own_layout.bytes;
  for (const auto& [v, offset] : linked.module_locals[module]) {
    plan.places[v] = {Where::thread, offset};
  }

  CallScan scan(modules, linked, module, function);
  scan.run();
  std::vector<std::size_t> calls;
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    if (function.body[i].opcode == Opcode::call) calls.push_back(i);
  }
  for (const ptx::VariableIndex v : function.variables) {
    const ptx::Variable& variable = own_module.variables[v];
    if (plan.places.contains(v)) continue;
    if (variable.space == ptx::StateSpace::param) {
      const ArgumentUse& use = scan.uses().at(v);
      if (may_be_value(use, variable)) {
        plan.places[v] = {Where::value, 0};
        continue;
      }
      if (!use.to_system && may_be_outgoing(use)) {
        const auto offset =
            place_at_callee(modules, linked, module, function, use, variable, calls);
        if (offset) {
          plan.places[v] = {Where::outgoing, *offset};
          continue;
        }
      }
    } else if (variable.space != ptx::StateSpace::local) {
      continue;
    }
    plan.frame_bytes = align_up(plan.frame_bytes, std::max<std::uint32_t>(variable.alignment, 1));
    plan.places[v] = {Where::frame, plan.frame_bytes};
    plan.frame_bytes += variable.size;
  }
  plan.frame_bytes = align_up(plan.frame_bytes, kFrameAlignment);
  return plan;
}

}  // namespace heddle::code::lowering
