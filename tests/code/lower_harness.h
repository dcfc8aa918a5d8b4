#pragma once

// Lowers small PTX texts and prints each machine instruction on one line, with the register names
// of the PTX text. So a test shows the translation of an instruction on one line.

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "code/unit.h"
#include "ptx/parser.h"

namespace heddle::code::test {

inline ptx::Module parse_module(const std::string& body, const std::string& file = "test.ptx",
                                const std::string& target = "sm_90") {
  const std::string text = ".version 8.5\n.target " + target + "\n.address_size 64\n" + body;
  ptx::ParseResult result = ptx::parse(text, file);
  EXPECT_TRUE(result.ok()) << render(result.diagnostics, file, text);
  return std::move(result.module);
}

inline Unit lower_text(const std::string& body) {
  std::vector<ptx::Module> modules;
  modules.push_back(parse_module(body));
  return lower(modules);
}

inline std::uint32_t function_index(const Unit& unit, const std::string& name) {
  for (std::uint32_t f = 0; f < unit.program.functions.size(); ++f) {
    if (unit.program.functions[f].name == name) return f;
  }
  ADD_FAILURE() << "no function " << name;
  return 0;
}

inline const Variable& find_variable(const Unit& unit, const std::string& name) {
  for (const Variable& variable : unit.program.variables) {
    if (variable.name == name) return variable;
  }
  ADD_FAILURE() << "no variable " << name;
  static const Variable kNothing;
  return kNothing;
}

/// The names that PTX gives to a function's virtual registers and predicates.
struct Names {
  std::vector<std::string> registers;
  std::vector<std::string> predicates;

  explicit Names(const ptx::Function& function) {
    for (const ptx::Register& reg : function.registers) {
      (reg.type == ValueType::pred ? predicates : registers).push_back(reg.name);
    }
  }
  /// The register's name in the PTX text; registers without one are t0, t1 and so on.
  static std::string of(const std::vector<std::string>& names, std::uint32_t index) {
    return index < names.size() ? names[index] : "t" + std::to_string(index - names.size());
  }
};

inline std::string write(const Unit& unit, const Names& names, const Operand& operand) {
  using Kind = Operand::Kind;
  std::ostringstream out;
  out << std::hex;
  switch (operand.kind) {
    case Kind::none:
      out << "_";
      break;
    case Kind::reg:
      out << Names::of(names.registers, operand.index);
      break;
    case Kind::predicate:
      out << (operand.negated ? "!" : "") << Names::of(names.predicates, operand.index);
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

inline const char* write(Space space) {
  constexpr const char* kNames[] = {"generic", "global",   "shared",
                                    "local",   "constant", "parameter"};
  return kNames[static_cast<int>(space)];
}

/// "operation.type.source_type destinations <- sources", then the fields with non-default values.
inline std::string write(const Unit& unit, const Names& names, const Instruction& in) {
  std::ostringstream out;
  if (in.guard.present()) {
    out << "@" << (in.guard.negated ? "!" : "") << Names::of(names.predicates, in.guard.predicate)
        << " ";
  }
  out << name_of(in.operation);
  if (in.type != ValueType::none) out << "." << name_of(in.type);
  if (in.source_type != ValueType::none) out << "." << name_of(in.source_type);
  const auto list = [&](const auto& operands) {
    bool first = true;
    for (const Operand& operand : operands) {
      out << (first ? " " : ", ") << write(unit, names, operand);
      first = false;
    }
  };
  list(in.destinations);
  if (!in.sources.empty()) {
    out << " <-";
    list(in.sources);
  }
  const auto number = [&](const char* name, auto value, auto usual) {
    if (value != usual) out << " " << name << "=" << static_cast<std::int64_t>(value);
  };
  const auto flag = [&](const char* name, bool value) {
    if (value) out << " " << name;
  };
  const Instruction usual;
  number("rounding", in.rounding, usual.rounding);
  number("integral", in.integral_rounding, usual.integral_rounding);
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
  number("comparison", in.comparison, usual.comparison);
  number("boolean", in.boolean, usual.boolean);
  number("test", in.test, usual.test);
  number("mode", in.permute_mode, usual.permute_mode);
  number("table", in.table, usual.table);
  number("shuffle", in.shuffle, usual.shuffle);
  number("vote", in.vote, usual.vote);
  flag("match_all", in.match_all);
  flag("unsynchronised", !in.synchronous);
  number("special", in.special, usual.special);
  if (in.space != usual.space) out << " " << write(in.space);
  flag("to_space", in.to_space);
  number("vector", in.vector_count, usual.vector_count);
  number("reduction", in.reduction, usual.reduction);
  number("order", in.order, usual.order);
  number("scope", in.scope, usual.scope);
  number("cache", in.cache, usual.cache);
  flag("outgoing", in.outgoing);
  number("bytes", in.copy_bytes, usual.copy_bytes);
  number("wait", in.copy_wait, usual.copy_wait);
  number("offset", in.offset, usual.offset);
  number("geometry", in.geometry, usual.geometry);
  number("level", in.level, usual.level);
  number("query", in.query, usual.query);
  number("boundary", in.boundary, usual.boundary);
  flag("formatted", in.formatted);
  flag("of_surface", in.is_surface_query);
  number("gather", in.gather_component, usual.gather_component);
  number("barrier", in.barrier, usual.barrier);
  number("call", in.system_call, usual.system_call);
  if (in.target != kNone) {
    if (in.operation == Operation::call) {
      out << " -> " << unit.program.functions[in.target].name;
    } else {
      out << " -> " << in.target;
    }
  }
  return out.str();
}

/// A function's instructions, one per line; a line "-- n" begins block n > 0.
inline std::string write_function(const std::vector<ptx::Module>& modules, const Unit& unit,
                                  const std::string& name) {
  const std::uint32_t f = function_index(unit, name);
  const ptx::Function* source = nullptr;
  for (const ptx::Module& module : modules) {
    for (const ptx::Function& function : module.functions) {
      if (function.name == name && !function.is_declaration) source = &function;
    }
  }
  if (source == nullptr) return "not defined";
  const Names names(*source);
  std::string out;
  for (std::size_t b = 0; b < unit.bodies[f].blocks.size(); ++b) {
    if (b > 0) out += "-- " + std::to_string(b) + "\n";
    for (const Instruction& in : unit.bodies[f].blocks[b].instructions) {
      out += write(unit, names, in) + "\n";
    }
  }
  return out;
}

inline std::string lowered_function(const std::string& text, const std::string& name) {
  std::vector<ptx::Module> modules;
  modules.push_back(parse_module(text));
  return write_function(modules, lower(modules), name);
}

/// A kernel that contains `body`, with registers of every kind and three parameters.
inline std::string kernel_around(const std::string& body, const std::string& before = "") {
  return before +
         ".visible .entry k(.param .u64 in, .param .u32 n, .param .align 4 .b8 s[12]) {\n"
         ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b64 %d<20>;"
         ".reg .f64 %g<9>;\n" +
         body + "\n}\n";
}

/// The translation of instructions in a kernel, without the exit at its end.
inline std::string lowered(const std::string& body, const std::string& before = "") {
  std::string out = lowered_function(kernel_around(body, before), "k");
  const std::string end = "exit\n";
  if (out.size() >= end.size() && out.compare(out.size() - end.size(), end.size(), end) == 0) {
    out.resize(out.size() - end.size());
  }
  if (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

/// The first reason why a kernel that contains `body` cannot run; empty if it can.
inline std::string refusal(const std::string& body, const std::string& before = "") {
  const Unit unit = lower_text(kernel_around(body, before));
  const FunctionInfo& info = unit.program.functions[function_index(unit, "k")];
  return info.unsupported.empty() ? "" : info.unsupported.front().message;
}

}  // namespace heddle::code::test
