#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "device/device.h"
#include "device/loaded_module.h"
#include "exec_argument.h"
#include "exec_report.h"
#include "machine_options.h"
#include "memory_options.h"
#include "option_values.h"
#include "print.h"
#include "progress.h"
#include "run_outputs.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

struct ExecOptions {
  std::vector<std::string> files;
  std::string entry;
  std::string grid, block;
  std::string shared = "0";
  std::vector<std::string> arguments;
  std::vector<std::string> dumps;
  std::string json;
  std::uint32_t max_registers = 0;
  MachineOptions machine;
  MemoryChoice memory;
};

/// The kernel that --entry names; without --entry, the only kernel. Throws InputError if there is
/// no such kernel, or several.
device::Kernel choose_kernel(const device::Device& device, const device::LoadedModule& module,
                             const std::string& entry) {
  if (!entry.empty()) return device.find_kernel(module, entry);
  std::string names;
  int count = 0;
  std::string only;
  for (const code::FunctionInfo& function : module.program().functions) {
    if (!function.is_kernel) continue;
    only = function.name;
    names += "\n  " + function.name;
    ++count;
  }
  if (count == 0) throw InputError("the PTX has no kernels");
  if (count > 1) throw InputError("several kernels: choose one with --entry:" + names);
  return device.find_kernel(module, only);
}

struct Buffer {
  device::DevicePointer address = 0;
  std::uint64_t bytes = 0;
};

/// Makes the kernel's arguments, and allocates and fills the buffers among them. Adds the buffers
/// to `buffers` under their names.
device::Arguments make_arguments(device::Device& device, const ExecOptions& options,
                                 std::map<std::string, Buffer>& buffers) {
  device::Arguments arguments;
  for (const std::string& text : options.arguments) {
    const ExecArgument argument = parse_exec_argument(text);
    if (!argument.is_buffer()) {
      arguments.add_bytes(argument.scalar.data(), argument.scalar.size());
      continue;
    }
    if (buffers.contains(argument.buffer)) {
      throw InputError(fmt::format("--arg {}: two buffers are named '{}'", text, argument.buffer));
    }
    Buffer buffer{.bytes = argument.bytes};
    if (argument.file.empty()) {
      buffer.address = device.allocate(buffer.bytes, argument.buffer);
    } else {
      const std::string content = read_file(argument.file);
      if (content.empty()) throw InputError(fmt::format("--arg {}: the file is empty", text));
      buffer.bytes = content.size();
      buffer.address = device.allocate(buffer.bytes, argument.buffer);
      device.copy_to_device(buffer.address, std::as_bytes(std::span(content)));
    }
    buffers[argument.buffer] = buffer;
    arguments.add(buffer.address);
  }
  return arguments;
}

/// The value of one --dump: a buffer's name, and the file that its content is written to. Checked
/// before the kernel runs, so that a typing error loses no results.
struct Dump {
  std::string name;
  OutputFile file;
};

std::vector<Dump> parse_dumps(const ExecOptions& options) {
  std::vector<Dump> dumps;
  for (const std::string& text : options.dumps) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
      throw InputError(fmt::format("--dump {}: expected NAME:FILE", text));
    }
    const std::string name = text.substr(0, colon);
    const std::string prefix = "buf:" + name + ":";
    bool is_known = false;
    for (const std::string& given : options.arguments) is_known |= given.starts_with(prefix);
    if (!is_known) {
      throw InputError(fmt::format(
          "--dump {}: unknown buffer '{}'; --arg buf:NAME:BYTES makes a buffer", text, name));
    }
    dumps.push_back({name, output_of("--dump", text.substr(colon + 1))});
  }
  return dumps;
}

device::LaunchConfiguration launch_configuration(const ExecOptions& options) {
  const ExtentText grid = parse_extent("--grid", options.grid);
  const ExtentText block = parse_extent("--block", options.block);
  const std::uint64_t shared = parse_bytes("--shared " + options.shared, options.shared);
  if (const std::uint32_t max = device::Limits{}.shared_bytes_per_block; shared > max) {
    throw InputError(
        fmt::format("--shared {}: a block can have at most {} bytes", options.shared, max));
  }
  device::LaunchConfiguration configuration;
  configuration.grid = {grid.x, grid.y, grid.z};
  configuration.block = {block.x, block.y, block.z};
  configuration.dynamic_shared_bytes = static_cast<std::uint32_t>(shared);
  return configuration;
}

/// `timed` is null for a functional simulation. `block`: the number of threads in a block.
device::DeviceOptions device_options(const ExecOptions& options, TimedChip* timed,
                                     std::uint64_t block) {
  device::DeviceOptions made;
  made.memory = parse_memory_options(options.memory);
  made.compile.max_registers = options.max_registers;
  made.max_warp_instructions = parse_limits(options.machine.limits).warp_instructions;
  if (timed == nullptr) return made;
  made.engine = &timed->chip;
  made.compile = timed->chip.machine().compile_options();
  made.compile.max_registers = options.max_registers;
  // Limits registers so that a block fits on a multiprocessor.
  made.compile.register_limit_of_kernel =
      [max = timed->chip.machine().max_registers(block)](std::string_view) { return max; };
  return made;
}

void exec_kernel(const ExecOptions& options) {
  const device::LaunchConfiguration configuration = launch_configuration(options);
  std::vector<device::PtxSource> sources;
  for (const std::string& file : options.files) sources.push_back({file, read_file(file)});
  const std::vector<Dump> dumps = parse_dumps(options);
  RunOutputs outputs(options.json, options.machine);
  Progress progress;
  const std::unique_ptr<TimedChip> timed = make_chip(options.machine, options.json, progress);
  device::DeviceOptions requested =
      device_options(options, timed.get(), configuration.block.count());
  requested.print = outputs.printer(progress);
  requested.notice = RunOutputs::notifier(progress);
  requested.access_observers = outputs.start_locality(timed.get());
  device::Device device(requested);
  const device::LoadedModule& module = device.load(sources);
  const device::Kernel kernel = choose_kernel(device, module, options.entry);
  std::map<std::string, Buffer> buffers;
  const device::Arguments arguments = make_arguments(device, options, buffers);

  const code::FunctionInfo& info = module.program().functions[kernel.function];
  nlohmann::ordered_json description = exec_kernel_to_json(info, configuration);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds_so_far = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const auto to_json = [&](nlohmann::ordered_json host) {
    add_strays(description, device.stray_instructions());
    nlohmann::ordered_json json = exec_to_json(description, std::move(host), timed.get());
    add_memory(json, options.memory);
    return json;
  };
  const device::LaunchResult result = outputs.simulate_or_report_fault(
      [&] { return device.launch(kernel, configuration, arguments); }, progress, timed.get(),
      [&](const exec::SimulatedFault& fault) {
        description["fault"] = fault.what();
        return to_json({{"seconds", seconds_so_far()}});
      });
  const double seconds = seconds_so_far();
  RunOutputs::Results results{
      .json =
          [&] {
            description["warp_instructions"] = result.warp_instructions;
            description["thread_instructions"] = result.thread_instructions;
            const double rate = rate_of(result.warp_instructions, seconds);
            return to_json({{"seconds", seconds}, {"warp_instructions_per_second", rate}});
          },
      .print_summary =
          [&] {
            print_exec(info, configuration, result, seconds, timed.get());
            print("{}", strays_text(device.stray_instructions()));
          }};
  for (const Dump& dump : dumps) {
    results.others.emplace_back([&] {
      const Buffer& buffer = buffers.at(dump.name);
      const std::vector<char> content = device.download<char>(buffer.address, buffer.bytes);
      dump.file.write(std::string_view(content.data(), content.size()));
    });
  }
  outputs.write(results, timed.get());
}

}  // namespace

void add_exec(CLI::App& app, ExitCode&) {
  CLI::App* verb = app.add_subcommand("exec", "Run a kernel of a PTX file on given arguments");
  auto options = std::make_shared<ExecOptions>();
  verb->add_option("file", options->files, "PTX files; several are linked together")
      ->required()
      ->type_name("FILE.ptx");
  verb->add_option("--entry,--kernel", options->entry,
                   "The kernel to run; needed only if the PTX has several kernels")
      ->type_name("NAME");
  verb->add_option("--grid", options->grid, "Blocks in the grid")
      ->required()
      ->type_name("X[,Y[,Z]]");
  verb->add_option("--block", options->block, "Threads in a block")
      ->required()
      ->type_name("X[,Y[,Z]]");
  verb->add_option("--shared", options->shared, "Dynamic shared memory per block")
      ->type_name("BYTES");
  verb->add_option("--arg", options->arguments,
                   "An argument of the kernel; repeat it for each parameter, in order")
      ->type_name("TYPE:VALUE|buf:NAME:BYTES|buf:NAME:@FILE")
      ->allow_extra_args(false);
  verb->add_option("--dump", options->dumps, "Write a buffer to a file after the kernel")
      ->type_name("NAME:FILE")
      ->allow_extra_args(false);
  verb->add_option("--json", options->json, "Write the result as JSON; '-' for standard output")
      ->type_name("FILE|-")
      ->check(file_name());
  verb->add_option("--max-registers", options->max_registers,
                   "Limit on registers per thread; values that do not fit are spilled")
      ->type_name("N")
      ->check(CLI::Range(16, 255));
  add_memory_options(*verb, options->memory);
  add_out_of_bounds_option(*verb, options->memory);
  add_machine_options(*verb, options->machine);
  verb->footer(
      "TYPE is u8 s8 u16 s16 u32 s32 u64 s64 f16 f32 f64, or b8 b16 b32 b64 for hexadecimal bits.\n"
      "'buf' allocates a buffer in device memory, zeroed or filled with a file's bytes, and "
      "passes\n"
      "its address. BYTES may end in K, M or G.\n"
      "With --machine, the simulation is timed; without it, functional.\n\n"
      "Examples: add 4096 pairs of floats and write the sums to a file\n"
      "  heddle exec workloads/vector-add/kernel.ptx --grid 16 --block 256 --arg buf:a:16K \\\n"
      "              --arg buf:b:16K --arg buf:sum:16K --arg u32:4096 --dump sum:sum.bin\n"
      "          the same, timed on a machine\n"
      "  heddle exec workloads/vector-add/kernel.ptx --grid 16 --block 256 --arg buf:a:16K \\\n"
      "              --arg buf:b:16K --arg buf:sum:16K --arg u32:4096 --machine warpman");
  verb->callback([options] { exec_kernel(*options); });
}

}  // namespace heddle
