#include "code/compile.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "code/call_graph.h"
#include "code/listing.h"
#include "device/loaded_module.h"
#include "gpu/machine.h"
#include "json_output.h"
#include "option_values.h"
#include "print.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

struct CompileOptions {
  std::vector<std::string> files;
  std::string entry;
  std::uint32_t max_registers = 0;
  bool listing = false;
  std::vector<std::string> hierarchy;
  std::string json;
};

/// The options of the compiler. They are those of machine 'storage' if a register hierarchy is
/// requested; else they are for no particular machine.
code::CompileOptions compile_options(const CompileOptions& options) {
  code::CompileOptions compiler_options;
  if (!options.hierarchy.empty()) {
    std::vector<std::string> settings{"operands.policy=managed"};
    for (const std::string& setting : options.hierarchy) settings.push_back("operands." + setting);
    compiler_options = gpu::load_machine("storage", settings).compile_options();
  }
  compiler_options.max_registers = options.max_registers;
  return compiler_options;
}

/// The summary of the kernel named `entry`, or of all kernels if `entry` is empty. Throws
/// InputError if there is no kernel of this name.
std::vector<code::KernelSummary> chosen_kernels(const code::Program& program,
                                                const std::string& entry) {
  std::vector<code::KernelSummary> kernels = code::summaries_of(program);
  if (entry.empty()) return kernels;
  std::vector<std::string> names;
  for (code::KernelSummary& kernel : kernels) {
    if (kernel.name == entry) return {std::move(kernel)};
    names.push_back(kernel.name);
  }
  throw InputError(fmt::format("unknown kernel '{}'{}", entry, suggestion(entry, names)));
}

nlohmann::ordered_json kernels_to_json(const std::vector<code::KernelSummary>& kernels) {
  nlohmann::ordered_json json;
  json["schema"] = "heddle-compile-2";
  json["kernels"] = nlohmann::ordered_json::array();
  for (const code::KernelSummary& kernel : kernels) {
    json["kernels"].push_back({{"name", kernel.name},
                               {"registers", kernel.registers},
                               {"predicates", kernel.predicates},
                               {"spill_stores", kernel.spill_stores},
                               {"spill_loads", kernel.spill_loads},
                               {"shared_bytes", kernel.shared_bytes},
                               {"local_bytes", kernel.local_bytes},
                               {"stack_unbounded", kernel.stack_unbounded},
                               {"constant_bytes", kernel.constant_bytes},
                               {"instructions", kernel.instructions},
                               {"blocks", kernel.blocks},
                               {"unsupported", kernel.unsupported}});
  }
  return json;
}

void print_summary(const code::KernelSummary& kernel) {
  print("kernel {}\n", kernel.name);
  print("  {} registers, {} predicates; {} spill stores, {} spill loads\n", kernel.registers,
        kernel.predicates, kernel.spill_stores, kernel.spill_loads);
  print("  {} bytes shared, {} local{}, {} constant\n", kernel.shared_bytes, kernel.local_bytes,
        kernel.stack_unbounded ? " and the stack of recursive calls" : "", kernel.constant_bytes);
  print("  {} instructions in {} basic blocks\n", kernel.instructions, kernel.blocks);
  for (const std::string& reason : kernel.unsupported) {
    print("  cannot be launched: {}\n", reason);
  }
}

/// Prints the chosen kernels, and after them the functions that they can call.
void print_listings(const code::Program& program, const std::vector<code::KernelSummary>& kernels) {
  const code::CallGraph calls(program);
  std::set<std::uint32_t> called;
  const auto print_listing = [&](std::uint32_t index) {
    if (!program.functions[index].is_extern) {
      print("\n{}", code::listing_of(program, program.functions[index]));
    }
  };
  for (std::uint32_t index = 0; index < program.functions.size(); ++index) {
    const code::FunctionInfo& function = program.functions[index];
    const bool is_chosen =
        function.is_kernel && std::any_of(kernels.begin(), kernels.end(), [&](const auto& kernel) {
          return kernel.name == function.name;
        });
    if (!is_chosen) continue;
    print_listing(index);
    for (const std::uint32_t callee : calls.reachable_from(index)) {
      if (callee != index) called.insert(callee);
    }
  }
  for (const std::uint32_t index : called) print_listing(index);
}

void compile_file(const CompileOptions& options) {
  std::vector<device::PtxSource> sources;
  for (const std::string& file : options.files) sources.push_back({file, read_file(file)});
  const code::Program program = code::compile(device::parse_all(sources), compile_options(options));
  const std::vector<code::KernelSummary> kernels = chosen_kernels(program, options.entry);

  if (!options.json.empty()) {
    write_json(kernels_to_json(kernels), OutputFile(options.json));
    if (options.json == "-") return;
  }
  for (const code::KernelSummary& kernel : kernels) print_summary(kernel);
  if (kernels.empty()) print("the PTX has no kernels\n");
  if (options.listing) print_listings(program, kernels);
}

}  // namespace

void add_compile(CLI::App& app, ExitCode&) {
  CLI::App* verb =
      app.add_subcommand("compile", "Compile PTX; show its machine code and resource usage");
  auto options = std::make_shared<CompileOptions>();
  verb->add_option("file", options->files, "PTX files; several are linked together")
      ->required()
      ->type_name("FILE.ptx");
  verb->add_option("--entry,--kernel", options->entry, "Show only this kernel")->type_name("NAME");
  verb->add_option("--max-registers", options->max_registers,
                   "Limit on registers per thread; values that do not fit are spilled")
      ->type_name("N")
      ->check(CLI::Range(16, 255));
  verb->add_flag("--listing", options->listing, "Print the machine code");
  verb->add_option("--hierarchy", options->hierarchy,
                   "Allocate values to a register hierarchy, as for machine 'storage' with "
                   "operands.policy=managed and operands.KEY=VALUE for each KEY=VALUE")
      ->type_name("KEY=VALUE,...")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  verb->add_option("--json", options->json,
                   "Write the kernels' resource usage as JSON; '-' for standard output")
      ->type_name("FILE|-")
      ->check(file_name());
  verb->footer(
      "The register count includes the functions that a kernel calls. In a listing, ' marks the\n"
      "last read of a register, 'reconverges at' names the instruction where the paths of a\n"
      "divergent branch reconverge, and the number after // is the line of the PTX.\n"
      "With --hierarchy, R5@o2 is in entry 2 of the operand file, R5@l1 in word 1 of the\n"
      "last-result file, R5@o2+m also in the main register file; R5>o2 is read from the main file\n"
      "and copied to entry 2. Comment lines mark where strands begin and where a warp is suspended."
      "\n\n"
      "Examples: heddle compile workloads/reduction/kernel.ptx\n"
      "          heddle compile workloads/reduction/kernel.ptx --listing --hierarchy "
      "entries=3,last_results=3");
  verb->callback([options] { compile_file(*options); });
}

}  // namespace heddle
