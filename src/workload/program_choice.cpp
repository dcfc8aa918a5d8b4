#include "workload/program_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/error.h"

namespace heddle::workload {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// The decimal number that the text consists of; empty if it is not a number.
std::optional<std::uint64_t> parse_number(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

constexpr std::string_view kRegisters = "registers=";

std::uint32_t parse_registers(const std::string& text) {
  const std::optional<std::uint64_t> count = parse_number(text.substr(kRegisters.size()));
  if (!count || *count < 1 || *count > 255) {
    throw InputError(fmt::format("'{}': a thread has from 1 to 255 registers", text));
  }
  return static_cast<std::uint32_t>(*count);
}

bool is_grid(const std::string& text) {
  return text == name_of(GridChoice::input) || text == name_of(GridChoice::resident);
}

/// The workload's name in a program's text, without options.
std::string name_in(const std::string& program) { return program.substr(0, program.find(':')); }

bool is_workload(const std::string& name) {
  const std::vector<const Workload*>& all = all_workloads();
  return std::any_of(all.begin(), all.end(),
                     [&](const Workload* workload) { return workload->name == name; });
}

/// Splits the text at each '+' that is not part of a workload's name. A part that does not begin
/// with a workload's name is joined with the next part if the two begin with one.
std::vector<std::string> split_programs(const std::string& text) {
  std::vector<std::string> programs;
  for (const std::string& part : split(text, '+')) {
    const bool continues_name = !programs.empty() && !is_workload(name_in(programs.back())) &&
                                is_workload(name_in(programs.back() + "+" + part));
    if (continues_name) {
      programs.back() += "+" + part;
    } else {
      programs.push_back(part);
    }
  }
  return programs;
}

ProgramChoice parse_program(const std::string& text, const ProgramChoice& defaults) {
  const std::vector<std::string> parts = split(text, ':');
  ProgramChoice program = defaults;
  program.workload = &find_workload(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (const std::optional<std::uint64_t> seed = parse_number(parts[i])) {
      program.seed = *seed;
    } else if (is_grid(parts[i])) {
      program.grid = parse_grid_choice(parts[i]);
    } else if (parts[i].starts_with(kRegisters)) {
      program.registers = parse_registers(parts[i]);
    } else {
      program.size = parse_size(parts[i]);
    }
  }
  program.workload->require(program.grid);
  if (program.size == Size::paper && !program.workload->has_paper_size) {
    throw InputError(
        fmt::format("no paper gives a size for '{}'; choose tiny, small, medium or large",
                    program.workload->name));
  }
  return program;
}

}  // namespace

bool names_several_programs(const std::string& text) { return split_programs(text).size() > 1; }

std::vector<ProgramChoice> parse_programs(const std::string& text, const ProgramChoice& defaults) {
  const std::vector<std::string> parts = split_programs(text);
  if (parts.size() > kMaxPrograms) {
    throw InputError(fmt::format("'{}' names {} programs; at most {} can run side by side", text,
                                 parts.size(), kMaxPrograms));
  }
  std::vector<ProgramChoice> programs;
  programs.reserve(parts.size());
  for (const std::string& part : parts) programs.push_back(parse_program(part, defaults));
  return programs;
}

}  // namespace heddle::workload
