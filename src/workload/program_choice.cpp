#include "workload/program_choice.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/error.h"

namespace heddle::workload {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::optional<std::uint64_t> number_of(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_grid(const std::string& text) {
  return text == name_of(GridShape::input) || text == name_of(GridShape::resident);
}

ProgramChoice parse_program(const std::string& text, const ProgramChoice& usual) {
  const std::vector<std::string> parts = split(text, ':');
  ProgramChoice program = usual;
  program.workload = &find_workload(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (const std::optional<std::uint64_t> seed = number_of(parts[i])) {
      program.seed = *seed;
    } else if (is_grid(parts[i])) {
      program.grid = parse_grid_shape(parts[i]);
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

std::vector<ProgramChoice> parse_programs(const std::string& text, const ProgramChoice& usual) {
  const std::vector<std::string> parts = split(text, '+');
  if (parts.size() > kMostPrograms) {
    throw InputError(fmt::format("'{}' are {} programs; no more than {} run side by side", text,
                                 parts.size(), kMostPrograms));
  }
  std::vector<ProgramChoice> programs;
  programs.reserve(parts.size());
  for (const std::string& part : parts) programs.push_back(parse_program(part, usual));
  return programs;
}

}  // namespace heddle::workload
