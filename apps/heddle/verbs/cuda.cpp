#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "cuda/runtime/device_properties.h"
#include "cuda/runtime/environment.h"
#include "cuda/static_runtime/elf_image.h"
#include "cuda/static_runtime/mapped_file.h"
#include "cuda/static_runtime/static_runtime.h"
#include "energy_option.h"
#include "file_stamp.h"
#include "gpu/check_constructible.h"
#include "locality_output.h"
#include "machine_options.h"
#include "memory_options.h"
#include "option_values.h"
#include "path_for_loader.h"
#include "run_outputs.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

struct CudaOptions {
  std::vector<std::string> command;
  bool functional = false;
  std::string json;
  std::string max_registers;
  MachineOptions machine;
  MemoryChoice memory;
};

/// The folder of the runtime library, as a path that the dynamic loader accepts. It is the folder
/// of this program (in a build) or ../lib/heddle (installed). Throws InputError if the library is
/// in neither, or if there is no such path.
std::filesystem::path runtime_folder() {
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::filesystem::path installed = program.parent_path() / "lib" / "heddle";
  for (const std::filesystem::path& folder : {program, installed}) {
    if (std::filesystem::exists(folder / cuda::kRuntimeLibrary)) return path_for_loader(folder);
  }
  throw InputError(fmt::format("{} is missing: it must be in {} or in {}", cuda::kRuntimeLibrary,
                               program.string(), installed.string()));
}

/// Throws InputError for a program that cannot be run. Scripts, and programs that are found through
/// PATH, are not checked here: the runtime library checks them when they start.
void check_program(const std::string& program) {
  if (program.find('/') == std::string::npos) return;
  const cuda::MappedFile file(program);
  const std::optional<cuda::ElfImage> image = cuda::ElfImage::read(file.bytes());
  if (!image) return;
  if (image->needs_library(cuda::kRuntimeLibrary)) return;
  if (image->needs_library(cuda::kRuntimeLibrary12)) return;
  if (image->needs_library("libcudart.so.")) {
    throw InputError(
        fmt::format("'{}' needs the runtime of a CUDA version that Heddle does not support; build "
                    "it with CUDA 13 or 12",
                    program));
  }
  const cuda::StaticRuntime runtime = cuda::static_runtime_in(*image);
  if (const std::string why = cuda::unsupported_reason(runtime, program); !why.empty()) {
    throw InputError(why);
  }
  if (runtime == cuda::StaticRuntime::replaceable && !image->has_section(".interp")) {
    throw InputError(fmt::format(
        "'{}' is linked with -static, so that no library can be loaded into it; link it without "
        "-static",
        program));
  }
}

/// Sets an environment variable, or removes it if `value` is empty.
void set_variable(const char* name, const std::string& value) {
  if (value.empty()) {
    ::unsetenv(name);
  } else {
    ::setenv(name, value.c_str(), 1);
  }
}

/// The absolute path of a file; empty if `file` is empty. It is needed because the program may
/// change its working directory before the file is opened.
std::string absolute_path(const std::string& file) {
  return file.empty() ? file : std::filesystem::absolute(file).string();
}

/// The name of a built-in machine, or the absolute path of a description file.
std::string machine_name(const std::string& machine) {
  const bool is_file = machine.ends_with(".toml") || machine.find('/') != std::string::npos;
  return is_file ? absolute_path(machine) : machine;
}

/// The value of --energy for the runtime library, with the technology's name or the absolute path
/// of its file. Empty if energy is not requested.
std::string energy_for_runtime(const std::string& value, const gpu::Machine& machine) {
  const std::optional<EnergyRequest> request = parse_energy(value);
  if (!request) return "";
  const std::string& requested = request->technology;
  const energy::Technology technology = technology_for(*request, machine);
  return (requested.ends_with(".toml") ? absolute_path(requested) : technology.name) +
         (request->listed == ListedComponents::all ? ",all" : "");
}

/// The value of LD_PRELOAD. Our library comes after the user's, so that the user's libraries can
/// intercept CUDA calls.
std::string preloaded_libraries(const std::filesystem::path& folder) {
  const std::string ours = (folder / cuda::kRuntimeLibrary).string();
  const char* const before = std::getenv("LD_PRELOAD");
  return before == nullptr ? ours : fmt::format("{}:{}", before, ours);
}

void prepare_environment(const CudaOptions& options, const std::string& technology) {
  const std::filesystem::path folder = runtime_folder();
  std::string path = folder.string();
  if (const char* const before = std::getenv("LD_LIBRARY_PATH")) path += fmt::format(":{}", before);
  set_variable("LD_LIBRARY_PATH", path);
  // Set for every program, because its child processes may be linked with the static runtime.
  set_variable("LD_PRELOAD", preloaded_libraries(folder));
  set_variable(cuda::kMachineVariable, machine_name(options.machine.machine));
  set_variable(cuda::kSettingsVariable,
               fmt::format("{}", fmt::join(options.machine.settings, "\n")));
  set_variable(cuda::kFunctionalVariable, options.functional ? "1" : "");
  set_variable(cuda::kThreadsVariable, options.machine.threads);
  set_variable(cuda::kRegistersVariable, options.max_registers);
  set_variable(cuda::kCyclesVariable, options.machine.limits.cycles);
  set_variable(cuda::kInstructionsVariable, options.machine.limits.instructions);
  set_variable(cuda::kMemoryVariable, options.memory.device_memory);
  set_variable(cuda::kGapVariable, options.memory.allocation_gap);
  set_variable(cuda::kOutOfBoundsVariable, options.memory.out_of_bounds);
  set_variable(cuda::kTraceVariable, absolute_path(options.machine.trace.file));
  set_variable(cuda::kTraceSmsVariable, options.machine.trace.sms);
  set_variable(cuda::kTraceCyclesVariable, options.machine.trace.cycles);
  set_variable(cuda::kSampleVariable, options.machine.samples.interval);
  set_variable(cuda::kSampleCountersVariable, options.machine.samples.counters);
  set_variable(cuda::kSampleCsvVariable, absolute_path(options.machine.samples.csv));
  set_variable(cuda::kPowerChartVariable, absolute_path(options.machine.samples.chart));
  const LocalityOptions& locality = options.machine.locality;
  set_variable(cuda::kLocalityVariable, absolute_path(locality.file));
  set_variable(cuda::kLocalityChartVariable, absolute_path(locality.chart));
  set_variable(cuda::kLocalityStreamVariable, locality.stream);
  set_variable(cuda::kLocalityAccessesVariable, locality.accesses);
  set_variable(cuda::kLocalityStageVariable, locality.stage);
  set_variable(cuda::kLocalityReadingVariable, locality.reading);
  set_variable(cuda::kLocalityIntervalVariable, locality.interval);
  set_variable(cuda::kJsonVariable, absolute_path(options.json));
  set_variable(cuda::kJsonStampVariable, file_stamp(options.json));
  set_variable(cuda::kEnergyVariable, technology);
  set_variable(cuda::kCountEachVariable,
               wants_component_counters(options.machine.counters, options.json) ? "1" : "");
}

/// Warns if none of the machine's settings has an effect on a functional simulation.
void warn_of_settings_without_effect(const std::string& name, const gpu::Machine& machine,
                                     const std::vector<std::string>& settings) {
  if (settings.empty() || cuda::are_distinguishable(machine, gpu::load_machine(name, {}))) return;
  say("--set: no effect with --functional, which simulates no cycles");
}

void check_samples(const CudaOptions& options, const gpu::Machine& machine) {
  const SampleOptions& samples = options.machine.samples;
  if (options.functional && samples.given_option() != nullptr) {
    throw InputError(fmt::format("{}: not with --functional, which simulates no cycles",
                                 samples.given_option()));
  }
  parse_sampling(samples, options.json, options.machine.energy, machine);
  if (!samples.csv.empty()) output_of("--sample-csv", samples.csv);
  if (!samples.chart.empty()) output_of("--power-chart", samples.chart);
}

/// Checks the options before the program starts. Returns the value of --energy for the runtime.
std::string check_options(const CudaOptions& options) {
  const std::string machine =
      options.machine.machine.empty() ? cuda::kDefaultMachine : options.machine.machine;
  const TraceOptions& trace = options.machine.trace;
  if (options.functional && trace.given_option() != nullptr) {
    throw InputError(
        fmt::format("{}: not with --functional, which simulates no cycles", trace.given_option()));
  }
  if (trace.file == "-") {
    throw InputError("--trace: standard output is the program's; give a file name");
  }
  const gpu::Machine loaded = gpu::load_machine(machine, options.machine.settings);
  gpu::check_constructible(loaded);
  if (options.functional)
    warn_of_settings_without_effect(machine, loaded, options.machine.settings);
  if (!options.machine.threads.empty())
    parse_whole_number("--threads", options.machine.threads, 1, kMaxHostThreads);
  if (!options.max_registers.empty()) {
    parse_whole_number("--max-registers", options.max_registers, 16, 255);
  }
  parse_limits(options.machine.limits);
  if (options.functional && !options.machine.limits.cycles.empty()) {
    throw InputError("--max-cycles: not with --functional, which simulates no cycles");
  }
  if (options.functional && !options.machine.threads.empty()) {
    throw InputError("--threads: not with --functional, which uses one host thread");
  }
  if (wants_component_counters(options.machine.counters, options.json) && options.functional) {
    throw InputError("--counters: not with --functional, which simulates no cycles");
  }
  if (options.functional && !options.machine.energy.empty()) {
    throw InputError("--energy: not with --functional, which simulates no cycles");
  }
  if (options.json == "-") {
    throw InputError("--json: standard output is the program's; give a file name");
  }
  check_samples(options, loaded);
  const LocalityOutput tried_locality(options.machine.locality, !options.functional);
  parse_memory_options(options.memory);
  check_trace(trace, loaded.chip.sms);
  if (!options.json.empty()) const OutputFile tried(options.json);
  return energy_for_runtime(options.machine.energy, loaded);
}

/// Replaces this process with the program. Throws InputError if that fails.
[[noreturn]] void execute(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& text : command) arguments.push_back(const_cast<char*>(text.c_str()));
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  ::execvp(arguments.front(), arguments.data());
  throw InputError(fmt::format("cannot run '{}': {}", command.front(), std::strerror(errno)));
}

void run_cuda_program(const CudaOptions& options) {
  const std::string technology = check_options(options);
  check_program(options.command.front());
  prepare_environment(options, technology);
  execute(options.command);
}

}  // namespace

void add_cuda(CLI::App& app, ExitCode&) {
  CLI::App* verb =
      app.add_subcommand("cuda", "Run an unmodified CUDA program with its kernels simulated");
  auto options = std::make_shared<CudaOptions>();
  add_machine_choice(*verb, options->machine);
  verb->add_flag("--functional", options->functional,
                 "Functional simulation: execute kernels without simulating cycles, which is much "
                 "faster");
  verb->add_option("--json", options->json, "Write the results of all kernels as JSON")
      ->type_name("FILE")
      ->check(file_name());
  add_counters_option(*verb, options->machine.counters);
  add_energy_option(*verb, options->machine.energy);
  add_sample_options(*verb, options->machine.samples);
  add_trace_options(*verb, options->machine.trace);
  add_locality_options(*verb, options->machine.locality);
  add_launch_options(*verb, options->machine);
  add_memory_options(*verb, options->memory);
  add_out_of_bounds_option(*verb, options->memory);
  verb->add_option("--max-registers", options->max_registers,
                   "Limit on registers per thread; values that do not fit are spilled")
      ->type_name("N");
  verb->add_option("program", options->command, "The program and its arguments")
      ->required()
      ->type_name("-- PROGRAM [ARGUMENT...]");
  verb->footer(fmt::format(
      "Build the program with nvcc as usual. Its input, output and exit code are unchanged; a\n"
      "summary of its kernels is printed to standard error at the end. The default machine is "
      "'{}'.\n\n"
      "Examples: nvcc -o app app.cu\n"
      "          heddle cuda -- ./app\n"
      "          heddle cuda --machine warpman --set l1.bytes=64K --json app.json -- ./app -n 100",
      cuda::kDefaultMachine));
  verb->callback([options] { run_cuda_program(*options); });
}

}  // namespace heddle
