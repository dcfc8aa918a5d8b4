#include "report.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "base/file.h"
#include "memory_options.h"
#include "timing_json.h"
#include "timing_report.h"

namespace heddle::cuda {
namespace {

using nlohmann::ordered_json;

double mean_lanes(const KernelTotals& kernel) {
  if (kernel.warp_instructions == 0) return 0;
  return static_cast<double>(kernel.thread_instructions) /
         static_cast<double>(kernel.warp_instructions);
}

/// The program's command line.
ordered_json command() {
  ordered_json arguments = ordered_json::array();
  const std::string text = read_file("/proc/self/cmdline");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\0', begin), text.size());
    arguments.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return arguments;
}

}  // namespace

std::string readable_name(const std::string& kernel) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(kernel.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : kernel;
}

std::string report_text(const ProcessTotals& totals, const std::string& signal,
                        const TimedChip* timed) {
  std::string text;
  if (!signal.empty()) {
    text = fmt::format("heddle: {} ended the program; kernels until then:\n", signal);
  }
  if (totals.kernels.empty()) return text + "heddle: no kernel was launched\n";
  text += timed != nullptr ? machine_text(*timed, {})
                           : fmt::format("{:24}none: functional simulation only\n", "machine");
  const std::vector<Timing> timings =
      timed != nullptr ? timing_by_kernel(timed->chip.runs()) : std::vector<Timing>();
  for (const KernelTotals& kernel : totals.kernels) {
    text += fmt::format("kernel                  {}\n", readable_name(kernel.kernel));
    text += fmt::format("  launches              {}\n", kernel.launches);
    text += fmt::format("  warp instructions     {} ({:.1f} lanes active)\n",
                        kernel.warp_instructions, mean_lanes(kernel));
    if (const Timing* const timing = find_timing(timings, kernel.kernel)) {
      text += timing_text(*timed, *timing, {.indent = 2});
    }
  }
  if (timings.size() > 1) {
    text += "all kernels\n" + timing_text(*timed, total_timing(timed->chip.runs()), {.indent = 2});
  }
  return text + strays_text(totals.strays);
}

ordered_json report_to_json(const ProcessTotals& totals, const std::string& signal,
                            const TimedChip* timed) {
  ordered_json json{{"schema", "heddle-cuda-2"}, {"program", command()}};
  if (!totals.fault.empty()) json["fault"] = totals.fault;
  if (!signal.empty()) json["ended_by"] = signal;
  add_strays(json, totals.strays);
  if (timed != nullptr) {
    json["machine"] = machine_to_json(timed->chip.machine());
    add_unfinished(json, *timed);
  } else {
    json["kernels"] = ordered_json::array();
    for (const KernelTotals& kernel : totals.kernels) {
      json["kernels"].push_back({{"name", kernel.kernel},
                                 {"launches", kernel.launches},
                                 {"warp_instructions", kernel.warp_instructions},
                                 {"thread_instructions", kernel.thread_instructions}});
    }
  }
  return json;
}

}  // namespace heddle::cuda
