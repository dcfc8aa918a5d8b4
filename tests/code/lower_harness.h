#pragma once

// Helpers for tests of lowering, the translation of PTX into machine instructions. They lower small
// PTX texts and print each machine instruction on one line, with the register names of the PTX
// text.

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "code/compilation_unit.h"
#include "ptx/parser.h"

namespace heddle::code::test {

/// Parses a module that consists of a header of three lines and these directives.
inline ptx::Module parse_module(const std::string& directives, const std::string& file = "test.ptx",
                                const std::string& target = "sm_90") {
  const std::string text = ".version 8.5\n.target " + target + "\n.address_size 64\n" + directives;
  ptx::ParseResult result = ptx::parse(text, file);
  EXPECT_TRUE(result.ok()) << render(result.diagnostics, file, text);
  return std::move(result.module);
}

inline CompilationUnit lower_text(const std::string& directives) {
  std::vector<ptx::Module> modules;
  modules.push_back(parse_module(directives));
  return lower(modules);
}

/// The index of the function with this name. Fails the test and returns 0 if there is none.
inline std::uint32_t function_index(const CompilationUnit& unit, const std::string& name) {
  for (std::uint32_t f = 0; f < unit.program.functions.size(); ++f) {
    if (unit.program.functions[f].name == name) return f;
  }
  ADD_FAILURE() << "no function " << name;
  return 0;
}

/// The variable with this name. Fails the test and returns an empty variable if there is none.
inline const Variable& find_variable(const CompilationUnit& unit, const std::string& name) {
  for (const Variable& variable : unit.program.variables) {
    if (variable.name == name) return variable;
  }
  ADD_FAILURE() << "no variable " << name;
  static const Variable kNothing;
  return kNothing;
}

/// The names of a function's virtual registers and predicates in the PTX text.
struct RegisterNames {
  std::vector<std::string> registers;
  std::vector<std::string> predicates;

  explicit RegisterNames(const ptx::Function& function) {
    for (const ptx::Register& reg : function.registers) {
      (reg.type == ValueType::pred ? predicates : registers).push_back(reg.name);
    }
  }
  /// The name of a register or predicate. Those that lowering adds are called t0, t1 and so on.
  static std::string name_at(const std::vector<std::string>& names, std::uint32_t index) {
    return index < names.size() ? names[index] : "t" + std::to_string(index - names.size());
  }
};

/// The text of an operand, such as "%r1", "!%p2", "0xff", "c[0x160]" (the constant at that address)
/// or "name+0x4". The ending ":2" marks 64-bit operands that are not registers.
inline std::string text_of(const CompilationUnit& unit, const RegisterNames& names,
                           const Operand& operand) {
  using Kind = Operand::Kind;
  std::ostringstream out;
  out << std::hex;
  switch (operand.kind) {
    case Kind::none:
      out << "_";
      break;
    case Kind::reg:
      out << RegisterNames::name_at(names.registers, operand.index);
      break;
    case Kind::predicate:
      out << (operand.negated ? "!" : "")
          << RegisterNames::name_at(names.predicates, operand.index);
      break;
    case Kind::immediate:
      out << "0x" << operand.bits;
      break;
    case Kind::constant:
      out << "c[0x" << operand.index << "]";
      break;
    case Kind::variable:
    case Kind::generic_variable:
      out << (operand.kind == Kind::variable ? "" : "generic ")
          << unit.program.variables[operand.index].name;
      if (operand.bits != 0) out << "+0x" << operand.bits;
      break;
    case Kind::function:
      out << "&" << unit.program.functions[operand.index].name;
      break;
  }
  if (operand.width == 2 && operand.kind != Kind::reg) out << ":2";
  return out.str();
}

inline const char* text_of(Space space) {
  constexpr const char* kNames[] = {"generic", "global",   "shared",
                                    "local",   "constant", "parameter"};
  return kNames[static_cast<int>(space)];
}

/// The text of an instruction: "operation.type.source_type destinations <- sources", then its
/// fields with non-default values. Enumerations are printed as numbers.
inline std::string text_of(const CompilationUnit& unit, const RegisterNames& names,
                           const Instruction& in) {
  std::ostringstream out;
  if (in.guard.present()) {
    out << "@" << (in.guard.negated ? "!" : "")
        << RegisterNames::name_at(names.predicates, in.guard.predicate) << " ";
  }
  out << name_of(in.operation);
  if (in.type != ValueType::none) out << "." << name_of(in.type);
  if (in.source_type != ValueType::none) out << "." << name_of(in.source_type);
  const auto list = [&](const auto& operands) {
    bool first = true;
    for (const Operand& operand : operands) {
      out << (first ? " " : ", ") << text_of(unit, names, operand);
      first = false;
    }
  };
  list(in.destinations);
  if (!in.sources.empty()) {
    out << " <-";
    list(in.sources);
  }
  const auto number = [&](const char* name, auto value, auto default_value) {
    if (value != default_value) out << " " << name << "=" << static_cast<std::int64_t>(value);
  };
  const auto flag = [&](const char* name, bool value) {
    if (value) out << " " << name;
  };
  const Instruction defaults;
  number("rounding", in.rounding, defaults.rounding);
  number("integral", in.integral_rounding, defaults.integral_rounding);
  flag("ftz", in.flush_subnormals);
  flag("sat", in.saturate);
  flag("satfinite", in.saturate_finite);
  flag("relu", in.relu);
  flag("approx", in.approximate);
  flag("full", in.full_range);
  flag("NaN", in.propagate_nan);
  flag("xorsign", in.xorsign_abs);
  flag("carry_in", in.carry_in);
  flag("carry_out", in.carry_out);
  flag("wrap", in.wrap);
  flag("high", in.high);
  flag("shiftamt", in.shift_amount);
  flag("contractible", in.contractible);
  flag("oob", in.out_of_bounds_zero);
  number("comparison", in.comparison, defaults.comparison);
  number("boolean", in.boolean, defaults.boolean);
  number("test", in.test, defaults.test);
  number("mode", in.permute_mode, defaults.permute_mode);
  number("table", in.table, defaults.table);
  number("shuffle", in.shuffle, defaults.shuffle);
  number("vote", in.vote, defaults.vote);
  flag("match_all", in.match_all);
  flag("unsynchronised", !in.synchronous);
  number("special", in.special, defaults.special);
  if (in.space != defaults.space) out << " " << text_of(in.space);
  flag("to_space", in.to_space);
  number("vector", in.vector_count, defaults.vector_count);
  number("reduction", in.reduction, defaults.reduction);
  number("order", in.order, defaults.order);
  number("scope", in.scope, defaults.scope);
  number("cache", in.cache, defaults.cache);
  flag("outgoing", in.outgoing);
  number("bytes", in.copy_bytes, defaults.copy_bytes);
  number("wait", in.copy_wait, defaults.copy_wait);
  number("offset", in.offset, defaults.offset);
  number("geometry", in.geometry, defaults.geometry);
  number("level", in.level, defaults.level);
  number("query", in.query, defaults.query);
  number("boundary", in.boundary, defaults.boundary);
  flag("formatted", in.formatted);
  flag("of_surface", in.is_surface_query);
  number("gather", in.gather_component, defaults.gather_component);
  number("barrier", in.barrier, defaults.barrier);
  number("call", in.system_call, defaults.system_call);
  if (in.target != kNone) {
    if (in.operation == Operation::call) {
      out << " -> " << unit.program.functions[in.target].name;
    } else {
      out << " -> " << in.target;
    }
  }
  return out.str();
}

/// The text of a function: one instruction per line, and a line "-- n" before each block n > 0.
/// "not defined" if no module defines it.
inline std::string text_of_function(const std::vector<ptx::Module>& modules,
                                    const CompilationUnit& unit, const std::string& name) {
  const std::uint32_t f = function_index(unit, name);
  const ptx::Function* source = nullptr;
  for (const ptx::Module& module : modules) {
    for (const ptx::Function& function : module.functions) {
      if (function.name == name && !function.is_declaration) source = &function;
    }
  }
  if (source == nullptr) return "not defined";
  const RegisterNames names(*source);
  std::string out;
  for (std::size_t b = 0; b < unit.bodies[f].blocks.size(); ++b) {
    if (b > 0) out += "-- " + std::to_string(b) + "\n";
    for (const Instruction& in : unit.bodies[f].blocks[b].instructions) {
      out += text_of(unit, names, in) + "\n";
    }
  }
  return out;
}

/// Lowers a module that consists of these directives, and returns the text of one function.
inline std::string lowered_function(const std::string& directives, const std::string& name) {
  std::vector<ptx::Module> modules;
  modules.push_back(parse_module(directives));
  return text_of_function(modules, lower(modules), name);
}

/// A kernel that contains `body`, with registers of every type and three parameters. `before` holds
/// directives that precede the kernel.
inline std::string kernel_around(const std::string& body, const std::string& before = "") {
  return before +
         ".visible .entry k(.param .u64 in, .param .u32 n, .param .align 4 .b8 s[12]) {\n"
         ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b64 %d<20>;"
         ".reg .f64 %g<9>;\n" +
         body + "\n}\n";
}

/// The text of the instructions into which `body` is lowered, without the kernel's exit at its end.
inline std::string lowered(const std::string& body, const std::string& before = "") {
  std::string out = lowered_function(kernel_around(body, before), "k");
  const std::string end = "exit\n";
  if (out.size() >= end.size() && out.compare(out.size() - end.size(), end.size(), end) == 0) {
    out.resize(out.size() - end.size());
  }
  if (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

/// The first reason why Heddle cannot run a kernel that contains `body`; empty if it can.
inline std::string refusal(const std::string& body, const std::string& before = "") {
  const CompilationUnit unit = lower_text(kernel_around(body, before));
  const FunctionInfo& info = unit.program.functions[function_index(unit, "k")];
  return info.unsupported.empty() ? "" : info.unsupported.front().message;
}

}  // namespace heddle::code::test
