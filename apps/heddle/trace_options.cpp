#include "trace_options.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "option_values.h"

namespace heddle {
namespace {

constexpr const char* kSms = "--trace-sms";
constexpr const char* kCycles = "--trace-cycles";

/// The parts of a text, of which there is one more than separators.
std::vector<std::string> split(const std::string& text, char separator) {
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

std::vector<std::uint32_t> parse_sms(const std::string& text, std::uint32_t sms) {
  std::vector<std::uint32_t> chosen;
  for (const std::string& part : split(text, ',')) {
    const std::vector<std::string> ends = split(part, '-');
    if (ends.size() > 2) throw InputError(fmt::format("{} {}: expected 0,3,8-11", kSms, text));
    const std::uint64_t first = parse_whole_number(kSms, ends.front(), 0, sms - 1);
    const std::uint64_t last = parse_whole_number(kSms, ends.back(), first, sms - 1);
    for (std::uint64_t sm = first; sm <= last; ++sm) {
      chosen.push_back(static_cast<std::uint32_t>(sm));
    }
  }
  return chosen;
}

int open_to_write(const std::string& file, int flags) {
  // Opened once more, a file that standard output goes to would be written over from its begin.
  const int descriptor = file == "-" || file == "/dev/stdout" ? ::dup(STDOUT_FILENO)
                         : file == "/dev/stderr"
                             ? ::dup(STDERR_FILENO)
                             : ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
  if (descriptor < 0) {
    throw InputError(fmt::format("cannot write {}: {}", file, std::strerror(errno)));
  }
  return descriptor;
}

}  // namespace

const char* TraceOptions::given_alone() const {
  return !sms.empty() ? kSms : !cycles.empty() ? kCycles : nullptr;
}

void add_trace_options(CLI::App& verb, TraceOptions& options) {
  verb.add_option("--trace", options.file,
                  "Write what happens in the chip, a line an event; '-' for standard output")
      ->type_name("FILE|-")
      ->check(file_name());
  verb.add_option(kSms, options.sms, "Of these multiprocessors only: 0,3,8-11")->type_name("LIST");
  verb.add_option(kCycles, options.cycles,
                  "From cycle A until before cycle B only; without A from the first, without B to "
                  "the last")
      ->type_name("A:B");
}

trace::Selection parse_selection(const TraceOptions& options, std::uint32_t sms) {
  trace::Selection selection;
  if (!options.sms.empty()) selection.sms = parse_sms(options.sms, sms);
  if (options.cycles.empty()) return selection;
  const std::vector<std::string> ends = split(options.cycles, ':');
  if (ends.size() != 2 || options.cycles == ":") {
    throw InputError(fmt::format("{} {}: expected A:B", kCycles, options.cycles));
  }
  if (!ends[0].empty()) selection.from = Cycle(parse_whole_number(kCycles, ends[0]));
  if (!ends[1].empty()) selection.until = Cycle(parse_whole_number(kCycles, ends[1]));
  if (selection.from >= selection.until) {
    throw InputError(
        fmt::format("{} {}: there is no cycle between these", kCycles, options.cycles));
  }
  return selection;
}

void check_trace(const TraceOptions& options, std::uint32_t sms) {
  if (options.file.empty()) {
    if (const char* const alone = options.given_alone()) {
      throw InputError(fmt::format("{}: of which --trace?", alone));
    }
    return;
  }
  parse_selection(options, sms);
  std::error_code ignored;
  if (!std::filesystem::is_fifo(options.file, ignored)) {
    ::close(open_to_write(options.file, O_APPEND));
  }
}

TraceOutput::TraceOutput(const TraceOptions& options, std::uint32_t sms)
    : file_(options.file),
      descriptor_(open_to_write(file_, O_TRUNC)),
      trace_(parse_selection(options, sms), [this](std::string_view text) { write(text); }) {}

TraceOutput::~TraceOutput() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void TraceOutput::write(std::string_view text) {
  while (!text.empty() && descriptor_ >= 0 && failure_.empty()) {
    const ::ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      failure_ = std::strerror(errno);
    }
  }
}

void TraceOutput::finish() {
  trace_.write_all();
  write("# end\n");
  if (descriptor_ >= 0 && ::close(descriptor_) != 0 && failure_.empty()) {
    failure_ = std::strerror(errno);
  }
  descriptor_ = -1;
  if (!failure_.empty()) {
    throw InputError(
        fmt::format("cannot write {}: {}; the trace in it is not whole", file_, failure_));
  }
}

}  // namespace heddle
