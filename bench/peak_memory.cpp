#include "peak_memory.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <exception>
#include <fstream>

#include "gpu/machine.h"
#include "timed_run.h"
#include "workload/workload.h"

namespace heddle {
namespace {

/// The peak resident set size of this process, in bytes, as Linux reports it; 0 if it does not.
/// getrusage() would include the parent's peak.
std::uint64_t peak_resident_bytes() {
  std::ifstream in("/proc/self/status");
  for (std::string token; in >> token;) {
    std::uint64_t kibibytes = 0;
    if (token == "VmHWM:" && in >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

/// Starts this program again, to report the peak memory of `workload`. `out` is the file descriptor
/// of its standard output. Returns the process, or 0 on failure.
pid_t start_again(const std::string& workload, int out) {
  std::string program = "/proc/self/exe";
  std::string option = kReportPeakMemory;
  std::string name = workload;
  const std::array<char*, 4> arguments{program.data(), option.data(), name.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  pid_t process = 0;
  const int failed =
      posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? process : 0;
}

}  // namespace

PeakMemory peak_memory_of(const std::string& workload) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return {};
  const pid_t process = start_again(workload, ends[1]);
  close(ends[1]);
  PeakMemory peak;
  unsigned long bytes = 0;
  std::FILE* const output = fdopen(ends[0], "r");
  const bool read = process != 0 && std::fscanf(output, "%lu %lf", &bytes, &peak.seconds) == 2;
  std::fclose(output);
  int status = 0;
  if (process == 0 || waitpid(process, &status, 0) != process) return {};
  peak.bytes = bytes;
  peak.passed = read && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return peak;
}

int report_peak_memory(const std::string& workload) {
  try {
    const TimedRun run = run_timed(workload::find_workload(workload), workload::Size::medium,
                                   gpu::load_machine("warpman"));
    std::printf("%lu %.9f\n", static_cast<unsigned long>(peak_resident_bytes()), run.seconds);
    return run.passed ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle_bench: %s: %s\n", workload.c_str(), error.what());
    return 2;
  }
}

}  // namespace heddle
