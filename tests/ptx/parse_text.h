#pragma once

// Helpers that parse small PTX texts, for the tests of the parser.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "ptx/parser.h"

namespace heddle::ptx::test {

inline constexpr std::string_view kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// Parses a module with these directives, which begin in line 4 of its text.
inline ParseResult parse_module(std::string_view directives) {
  return parse(std::string(kHeader).append(directives), "test.ptx");
}

/// Declarations of registers of all types, on one line.
inline constexpr std::string_view kRegisters =
    ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; "
    ".reg .f64 %fd<9>; .reg .u32 %u<9>; .reg .s64 %sd<9>; .reg .f16 %h<9>; .reg .b8 %b<9>; ";

/// Parses a kernel with this body, which begins in line 5 of the module's text.
inline ParseResult parse_body(std::string_view body) {
  return parse_module(fmt::format(
      ".entry kernel(.param .u64 pointer, .param .u32 number) {{ {}\n{}\n}}\n", kRegisters, body));
}

/// Every error as "line:column+length message".
inline std::vector<std::string> errors_of(const ParseResult& result) {
  std::vector<std::string> out;
  for (const Diagnostic& d : result.diagnostics.entries()) {
    out.push_back(
        fmt::format("{}:{}+{} {}", d.location.line, d.location.column, d.length, d.message));
  }
  return out;
}

/// The function with this name; an empty function if there is none. The reference is valid as long
/// as the result.
inline const Function& function_of(const ParseResult& result, std::string_view name = "kernel") {
  for (const Function& f : result.module.functions) {
    if (f.name == name) return f;
  }
  static const Function none;
  return none;
}

const Function& function_of(ParseResult&& result, std::string_view name = "kernel") = delete;

/// The variable with this name; null if there is none.
inline const Variable* variable_of(const ParseResult& result, std::string_view name) {
  for (const Variable& v : result.module.variables) {
    if (v.name == name) return &v;
  }
  return nullptr;
}

/// The name of the register that the operand names; "not a register" for other operands.
inline std::string register_name(const Function& function, const Operand& operand) {
  if (operand.kind != Operand::Kind::reg) return "not a register";
  return function.registers.at(operand.index).name;
}

/// All errors of a parse, for failure messages.
inline std::string explain(const ParseResult& result) {
  std::string out;
  for (const std::string& e : errors_of(result)) out += e + "\n";
  return out;
}

}  // namespace heddle::ptx::test

/// Expects no errors, and prints those that there are.
#define HEDDLE_EXPECT_PARSES(result) EXPECT_TRUE((result).ok()) << explain(result)
