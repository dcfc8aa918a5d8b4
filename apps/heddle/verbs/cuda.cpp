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
#include "gpu/refuse_impossible.h"
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

/// The folder of the runtime, which lies beside this program, as the loader of programs can be told
/// it. Throws InputError.
std::filesystem::path runtime_folder() {
  std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  if (!std::filesystem::exists(folder / cuda::kRuntimeLibrary)) {
    throw InputError(fmt::format("there is no {} in {}: it belongs beside heddle",
                                 cuda::kRuntimeLibrary, folder.string()));
  }
  return path_for_loader(folder);
}

/// Throws InputError for a program that cannot be run. What is found by the path, and what is no
/// program itself (a script, say), is not looked into: the runtime does that when a program begins.
void check_program(const std::string& program) {
  if (program.find('/') == std::string::npos) return;
  const cuda::MappedFile file(program);
  const std::optional<cuda::ElfImage> image = cuda::ElfImage::read(file.bytes());
  if (!image) return;
  if (image->needs_library(cuda::kRuntimeLibrary)) return;
  if (image->needs_library(cuda::kRuntimeLibrary12)) return;
  if (image->needs_library("libcudart.so.")) {
    throw InputError(
        fmt::format("'{}' was built with another CUDA than 12 or 13, whose runtime Heddle "
                    "does not have; build it with CUDA 13",
                    program));
  }
  const cuda::StaticRuntime runtime = cuda::static_runtime_in(*image);
  if (const std::string why = cuda::why_not_run(runtime, program); !why.empty()) {
    throw InputError(why);
  }
  if (runtime == cuda::StaticRuntime::known && !image->has_section(".interp")) {
    throw InputError(fmt::format(
        "'{}' is linked with -static, so that nothing can be loaded into it; link it without",
        program));
  }
}

void set_variable(const char* name, const std::string& value) {
  if (value.empty()) {
    ::unsetenv(name);
  } else {
    ::setenv(name, value.c_str(), 1);
  }
}

/// The program may go to another folder before it needs the file.
std::string from_anywhere(const std::string& file) {
  return file.empty() ? file : std::filesystem::absolute(file).string();
}

std::string machine_name(const std::string& machine) {
  const bool file = machine.ends_with(".toml") || machine.find('/') != std::string::npos;
  return file ? from_anywhere(machine) : machine;
}

/// As the runtime finds it: by name, or by a file that is there from anywhere.
std::string technology_name(const std::string& asked, const gpu::Machine& machine) {
  const std::optional<energy::Technology> technology = technology_for(asked, machine);
  if (!technology) return "";
  return asked.ends_with(".toml") ? from_anywhere(asked) : technology->name;
}

/// The loader's list of libraries that it brings in, with ours after the user's: what those have of
/// CUDA's calls, they have to see them.
std::string brought_in(const std::filesystem::path& folder) {
  const std::string ours = (folder / cuda::kRuntimeLibrary).string();
  const char* const before = std::getenv("LD_PRELOAD");
  return before == nullptr ? ours : fmt::format("{}:{}", before, ours);
}

void prepare_environment(const CudaOptions& options, const std::string& technology) {
  const std::filesystem::path folder = runtime_folder();
  std::string path = folder.string();
  if (const char* const before = std::getenv("LD_LIBRARY_PATH")) path += fmt::format(":{}", before);
  set_variable("LD_LIBRARY_PATH", path);
  // Whatever the program itself is linked to: its children may have the static runtime.
  set_variable("LD_PRELOAD", brought_in(folder));
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
  set_variable(cuda::kTraceVariable, from_anywhere(options.machine.trace.file));
  set_variable(cuda::kTraceSmsVariable, options.machine.trace.sms);
  set_variable(cuda::kTraceCyclesVariable, options.machine.trace.cycles);
  set_variable(cuda::kSampleVariable, options.machine.samples.interval);
  set_variable(cuda::kSampleCountersVariable, options.machine.samples.counters);
  set_variable(cuda::kSampleCsvVariable, from_anywhere(options.machine.samples.csv));
  set_variable(cuda::kPowerChartVariable, from_anywhere(options.machine.samples.chart));
  set_variable(cuda::kJsonVariable, from_anywhere(options.json));
  set_variable(cuda::kJsonStampVariable, file_stamp(options.json));
  set_variable(cuda::kEnergyVariable, technology);
  set_variable(cuda::kCountEachVariable,
               counts_each(options.machine.counters, options.json) ? "1" : "");
}

/// Says so where what was changed of a machine can make no difference, without time.
void report_vain_settings(const std::string& name, const gpu::Machine& machine,
                          const std::vector<std::string>& settings) {
  if (settings.empty() || cuda::look_different(machine, gpu::load_machine(name, {}))) return;
  say("--set: without time (--functional) it makes no difference");
}

void check_samples(const CudaOptions& options, const gpu::Machine& machine) {
  const SampleOptions& samples = options.machine.samples;
  if (options.functional && samples.given() != nullptr) {
    throw InputError(fmt::format("{}: there is no time (--functional)", samples.given()));
  }
  parse_sampling(samples, options.json, options.machine.energy, machine);
  if (!samples.csv.empty()) output_of("--sample-csv", samples.csv);
  if (!samples.chart.empty()) output_of("--power-chart", samples.chart);
}

/// What is wrong with the options is said before the program starts. Returns the technology that
/// its energy is accounted with.
std::string check_options(const CudaOptions& options) {
  const std::string machine =
      options.machine.machine.empty() ? cuda::kDefaultMachine : options.machine.machine;
  const TraceOptions& trace = options.machine.trace;
  if (options.functional && trace.given() != nullptr) {
    throw InputError(fmt::format("{}: there is no time (--functional)", trace.given()));
  }
  if (trace.file == "-") {
    throw InputError("--trace: standard output is the program's; name a file");
  }
  const gpu::Machine loaded = gpu::load_machine(machine, options.machine.settings);
  gpu::refuse_impossible(loaded);
  if (options.functional) report_vain_settings(machine, loaded, options.machine.settings);
  if (!options.machine.threads.empty())
    parse_whole_number("--threads", options.machine.threads, 1, 256);
  if (!options.max_registers.empty()) {
    parse_whole_number("--max-registers", options.max_registers, 16, 255);
  }
  parse_limits(options.machine.limits);
  if (options.functional && !options.machine.limits.cycles.empty()) {
    throw InputError("--max-cycles: there is no time (--functional)");
  }
  if (options.functional && !options.machine.threads.empty()) {
    throw InputError("--threads: without time (--functional) there is one");
  }
  if (counts_each(options.machine.counters, options.json) && options.functional) {
    throw InputError("--counters: there is nothing counted without time (--functional)");
  }
  if (options.functional && !options.machine.energy.empty()) {
    throw InputError("--energy: there is no time (--functional)");
  }
  if (options.json == "-") {
    throw InputError("--json: standard output is the program's; name a file");
  }
  check_samples(options, loaded);
  parse_memory_options(options.memory);
  check_trace(trace, loaded.chip.sms);
  if (!options.json.empty()) const OutputFile tried(options.json);
  return technology_name(options.machine.energy, loaded);
}

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::fflush(nullptr);
  ::execvp(words.front(), words.data());
  throw InputError(fmt::format("cannot run '{}': {}", command.front(), std::strerror(errno)));
}

void run_cuda_program(const CudaOptions& options) {
  const std::string technology = check_options(options);
  check_program(options.command.front());
  prepare_environment(options, technology);
  become(options.command);
}

}  // namespace

void add_cuda(CLI::App& app, ExitCode&) {
  CLI::App* verb =
      app.add_subcommand("cuda", "Run a CUDA program, as it is, with its kernels simulated");
  auto options = std::make_shared<CudaOptions>();
  add_machine_choice(*verb, options->machine);
  verb->add_flag("--functional", options->functional,
                 "Run kernels without time, as fast as the host can");
  verb->add_option("--json", options->json, "Write what was counted as JSON")
      ->type_name("FILE")
      ->check(file_name());
  add_counters_option(*verb, options->machine.counters);
  add_energy_option(*verb, options->machine.energy);
  add_sample_options(*verb, options->machine.samples);
  add_trace_options(*verb, options->machine.trace);
  add_launch_options(*verb, options->machine);
  add_memory_options(*verb, options->memory);
  add_out_of_bounds_option(*verb, options->memory);
  verb->add_option("--max-registers", options->max_registers,
                   "Registers a thread may have; what does not fit is spilled")
      ->type_name("N");
  verb->add_option("program", options->command, "The program, and its own arguments")
      ->required()
      ->type_name("-- PROGRAM [ARGUMENT...]");
  verb->footer(fmt::format(
      "The program is built as usual, with nvcc. Its output, input and exit code are its own;\n"
      "a summary of its kernels comes at the end on standard error. Without --machine, '{}' is "
      "simulated.\n\n"
      "Example:\n"
      "  nvcc -o app app.cu\n"
      "  heddle cuda --machine warpman --set l1.bytes=64K --json app.json -- ./app -n 100",
      cuda::kDefaultMachine));
  verb->callback([options] { run_cuda_program(*options); });
}

}  // namespace heddle
