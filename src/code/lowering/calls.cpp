// Translates calls: direct, indirect, and calls of the device's run-time system.

#include <algorithm>

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using Kind = ptx::Operand::Kind;
using Where = VariablePlace::Where;

namespace {

/// An address in the callee's frame, relative to its beginning.
MemoryAddress outgoing_place(std::uint64_t offset) {
  MemoryAddress out;
  out.space = Space::local;
  out.offset = static_cast<std::int64_t>(offset);
  out.outgoing = true;
  return out;
}

/// The number of values of a parameter or result that is a scalar or a vector; 0 for a structure.
std::uint32_t count_values(const ptx::Variable& variable) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(size_of(variable.type)) * variable.vector;
  return bytes == variable.size ? variable.vector : 0;
}

/// Calls use(value, address) for each value of an argument or result. `formal` is the callee's
/// declaration; the addresses begin at `place`.
template <class Use>
void for_each_value(const Translator& t, const ptx::Operand& operand, const ptx::Variable& formal,
                    MemoryAddress place, Use use) {
  const bool vector = operand.kind == Kind::vector;
  if (count_values(formal) != (vector ? operand.count : 1U)) {
    refuse("an argument's or result's shape (scalar, vector, structure) differs from the callee's");
  }
  for (std::uint32_t i = 0; i < formal.vector; ++i) {
    use(vector ? t.element(operand, i) : operand, place);
    place.offset += size_of(formal.type);
  }
}

/// The number of elements of a list. Refuses the call unless it is `wanted`, the number of the
/// callee's parameters or results. `what` names the elements in the message.
std::size_t count_elements(const ptx::Operand& operand, std::size_t wanted, const char* what) {
  const std::size_t given = operand.kind == Kind::list ? operand.count : 0;
  if (given != wanted) {
    refuse("it has " + std::to_string(given) + " " + what + ", but the called function has " +
           std::to_string(wanted));
  }
  return given;
}

/// Whether the variable is already in the callee's frame.
bool is_in_callee_frame(const Translator& t, std::uint32_t variable) {
  const auto placed = t.frame().places.find(variable);
  return placed != t.frame().places.end() && placed->second.where == Where::outgoing;
}

std::uint64_t alignment_of_both(const ptx::Variable& a, const ptx::Variable& b) {
  return std::max<std::uint32_t>(std::min(a.alignment, b.alignment), 1);
}

/// Emits the stores or copies of the arguments to the callee's frame.
void pass_arguments(Translator& t, const CallTarget& target, const CallLayout& layout) {
  const ptx::Operand& list = t.operand(2);
  const std::size_t count = count_elements(list, target.parameters->size(), "arguments");
  for (std::size_t i = 0; i < count; ++i) {
    const ptx::Operand& argument = t.element(list, i);
    const ptx::Variable& formal = target.module->variables[(*target.parameters)[i]];
    const MemoryAddress to = outgoing_place(layout.parameters[i]);
    if (argument.kind != Kind::variable) {
      for_each_value(t, argument, formal, to,
                     [&](const ptx::Operand& element, MemoryAddress place) {
                       const bool predicate = formal.type == ValueType::pred;
                       t.store_passed_value(
                           formal.type, place,
                           predicate ? t.predicate_value(element) : t.value(element, formal.type));
                     });
    } else if (!is_in_callee_frame(t, argument.index)) {
      const ptx::Variable& actual = t.variable(argument.index);
      const MemoryAddress from = t.variable_address(argument.index, 0);
      if (from.value_register) refuse("an argument has no place in memory");
      t.emit_copy(to, from, std::min(actual.size, formal.size), alignment_of_both(actual, formal));
    }
  }
}

/// Emits the loads or copies of the results from the callee's frame.
void take_results(Translator& t, const CallTarget& target, const CallLayout& layout) {
  const ptx::Operand& list = t.operand(0);
  if (list.kind == Kind::list && list.count == 0) return;  // The caller ignores the results.
  const std::size_t count = count_elements(list, target.returns->size(), "results");
  for (std::size_t i = 0; i < count; ++i) {
    const ptx::Operand& result = t.element(list, i);
    const ptx::Variable& formal = target.module->variables[(*target.returns)[i]];
    const MemoryAddress from = outgoing_place(layout.returns[i]);
    if (result.kind == Kind::sink) continue;
    if (result.kind != Kind::variable) {
      for_each_value(t, result, formal, from,
                     [&](const ptx::Operand& element, MemoryAddress place) {
                       t.load_passed_value(formal.type, t.result(element, formal.type), place);
                     });
    } else if (!is_in_callee_frame(t, result.index)) {
      const ptx::Variable& actual = t.variable(result.index);
      const MemoryAddress to = t.variable_address(result.index, 0);
      if (to.value_register) refuse("a result has no place in memory");
      t.emit_copy(to, from, std::min(actual.size, formal.size), alignment_of_both(actual, formal));
    }
  }
}

/// An argument of a system call, as a value.
Operand argument_value(Translator& t, const ptx::Operand& argument, ValueType type) {
  if (argument.kind != Kind::variable) return t.value(argument, type);
  if (t.variable(argument.index).size != static_cast<std::uint64_t>(size_of(type))) {
    refuse("an argument has a size that the run-time system does not expect");
  }
  const MemoryAddress from = t.variable_address(argument.index, 0);
  const int width = registers_of(type);
  if (from.value_register) return Operand::reg(*from.value_register, width);
  const Operand loaded = t.new_register(width);
  t.emit_load(type, loaded, from);
  return loaded;
}

/// Emits a call of the run-time system.
void call_system(Translator& t, const SystemFunction& function) {
  const ptx::Operand& list = t.operand(2);
  count_elements(list, function.parameters.size(), "arguments");
  InlineVector<Operand, 8> values;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    values.push_back(argument_value(t, t.element(list, i), function.parameters[i]));
  }
  const ptx::Operand& results = t.operand(0);
  Operand result;
  MemoryAddress stored_at;
  bool store = false;
  if (results.kind == Kind::list && results.count > 0) {
    if (results.count > 1 || function.result == ValueType::none) {
      refuse("the run-time system's function does not return that many results");
    }
    const ptx::Operand& to = t.element(results, 0);
    if (to.kind == Kind::variable) {
      if (t.variable(to.index).size != static_cast<std::uint64_t>(size_of(function.result))) {
        refuse("the result differs in size from that of the run-time system's function");
      }
      stored_at = t.variable_address(to.index, 0);
      store = !stored_at.value_register;
      const int width = registers_of(function.result);
      result = store ? t.new_register(width) : Operand::reg(*stored_at.value_register, width);
    } else {
      result = t.result(to, function.result);
    }
  }
  Instruction& out = t.emit(Operation::system_call, function.result, {}, {});
  if (result.present()) out.destinations.push_back(result);
  for (const Operand& v : values) out.sources.push_back(v);
  out.system_call = function.call;
  if (store) t.emit_store(function.result, stored_at, result);
}

}  // namespace

void lower_call(Translator& t) {
  const CallTarget target = t.target_of_call();
  if (target.kind == CallTarget::Kind::unknown) refuse(target.problem);
  if (target.kind == CallTarget::Kind::system) return call_system(t, *target.system);

  const CallLayout layout = call_layout(*target.module, *target.parameters, *target.returns);
  const bool indirect = target.kind == CallTarget::Kind::indirect;
  const Operand address = indirect ? t.source(1, ValueType::u64) : Operand::none();
  pass_arguments(t, target, layout);
  if (indirect) {
    t.emit(Operation::call_indirect, ValueType::none, {}, {address});
    t.info().calls_indirectly = true;
  } else {
    t.emit(Operation::call, ValueType::none, {}, {}).target = target.function;
    auto& callees = t.info().callees;
    if (std::find(callees.begin(), callees.end(), target.function) == callees.end()) {
      callees.push_back(target.function);
    }
  }
  take_results(t, target, layout);
}

}  // namespace heddle::code::lowering
