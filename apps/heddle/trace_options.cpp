#include "trace_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "base/error.h"
#include "option_values.h"

namespace heddle {
namespace {

constexpr const char* kSms = "--trace-sms";
constexpr const char* kCycles = "--trace-cycles";

/// Splits a text at each separator.
std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<std::uint32_t> parse_sms(const std::string& text, std::uint32_t sm_count) {
  std::vector<std::uint32_t> chosen;
  for (const std::string& part : parts_of(text, ',')) {
    const std::vector<std::string> ends = parts_of(part, '-');
    if (ends.size() > 2) throw InputError(fmt::format("{} {}: expected 0,3,8-11", kSms, text));
    const std::uint64_t first = parse_whole_number(kSms, ends.front(), 0, sm_count - 1);
    const std::uint64_t last = parse_whole_number(kSms, ends.back(), first, sm_count - 1);
    for (std::uint64_t sm = first; sm <= last; ++sm) {
      chosen.push_back(static_cast<std::uint32_t>(sm));
    }
  }
  return chosen;
}

}  // namespace

const char* TraceOptions::dependent_option() const {
  return !sms.empty() ? kSms : !cycles.empty() ? kCycles : nullptr;
}

void add_trace_options(CLI::App& verb, TraceOptions& options) {
  verb.add_option(
          "--trace", options.file,
          "Write a trace with one line for each event in the chip; '-' for standard output. "
          "Timed simulation only")
      ->type_name("FILE|-")
      ->check(file_name());
  verb.add_option(kSms, options.sms, "Trace these multiprocessors only, for example 0,3,8-11")
      ->type_name("LIST");
  verb.add_option(
          kCycles, options.cycles,
          "Trace only the cycles from A to B - 1; A defaults to the first cycle, B to the end")
      ->type_name("A:B");
}

trace::Selection parse_selection(const TraceOptions& options, std::uint32_t sm_count) {
  trace::Selection selection;
  if (!options.sms.empty()) selection.sms = parse_sms(options.sms, sm_count);
  if (options.cycles.empty()) return selection;
  const std::vector<std::string> ends = parts_of(options.cycles, ':');
  if (ends.size() != 2 || options.cycles == ":") {
    throw InputError(fmt::format("{} {}: expected A:B", kCycles, options.cycles));
  }
  if (!ends[0].empty()) selection.from = Cycle(parse_whole_number(kCycles, ends[0]));
  if (!ends[1].empty()) selection.until = Cycle(parse_whole_number(kCycles, ends[1]));
  if (selection.from >= selection.until) {
    throw InputError(fmt::format("{} {}: A must be less than B, in A:B", kCycles, options.cycles));
  }
  return selection;
}

void check_trace(const TraceOptions& options, std::uint32_t sm_count) {
  if (options.file.empty()) {
    if (const char* const dependent = options.dependent_option()) {
      throw InputError(fmt::format("{}: needs --trace", dependent));
    }
    return;
  }
  parse_selection(options, sm_count);
  const OutputFile tried(options.file);
}

TraceOutput::TraceOutput(const TraceOptions& options, std::uint32_t sm_count)
    : stream_(OutputFile(options.file)),
      trace_(parse_selection(options, sm_count),
             [this](std::string_view text) { stream_.write(text); }) {}

void TraceOutput::finish() {
  trace_.write_all();
  stream_.write("# end\n");
  try {
    stream_.close();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}; the trace in it is incomplete", error.what()));
  }
}

}  // namespace heddle
