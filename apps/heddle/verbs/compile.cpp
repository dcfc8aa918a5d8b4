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

/// What machine code is made for: no machine in particular, unless levels of registers are asked
/// for.
code::CompileOptions compile_options(const CompileOptions& options) {
  code::CompileOptions made;
  if (!options.hierarchy.empty()) {
    std::vector<std::string> settings{"operands.policy=managed"};
    for (const std::string& setting : options.hierarchy) settings.push_back("operands." + setting);
    made = gpu::load_machine("storage", settings).compile_options();
  }
  made.max_registers = options.max_registers;
  return made;
}

std::vector<code::KernelSummary> chosen(const code::Program& program, const std::string& entry) {
  std::vector<code::KernelSummary> kernels = code::summaries_of(program);
  if (entry.empty()) return kernels;
  std::vector<std::string> names;
  for (code::KernelSummary& kernel : kernels) {
    if (kernel.name == entry) return {std::move(kernel)};
    names.push_back(kernel.name);
  }
  throw InputError(fmt::format("there is no kernel '{}'{}", entry, suggestion(entry, names)));
}

nlohmann::ordered_json kernels_to_json(const std::vector<code::KernelSummary>& kernels) {
  nlohmann::ordered_json json;
  json["schema"] = "heddle-compile-1";
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
        kernel.stack_unbounded ? " and what its calls need" : "", kernel.constant_bytes);
  print("  {} instructions in {} blocks\n", kernel.instructions, kernel.blocks);
  for (const std::string& reason : kernel.unsupported) {
    print("  cannot be launched: {}\n", reason);
  }
}

/// The kernels that were asked for, and after them the functions that they can call.
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
    const bool wanted =
        function.is_kernel && std::any_of(kernels.begin(), kernels.end(), [&](const auto& kernel) {
          return kernel.name == function.name;
        });
    if (!wanted) continue;
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
  const std::vector<code::KernelSummary> kernels = chosen(program, options.entry);

  if (!options.json.empty()) {
    write_json(kernels_to_json(kernels), OutputFile(options.json));
    if (options.json == "-") return;
  }
  for (const code::KernelSummary& kernel : kernels) print_summary(kernel);
  if (kernels.empty()) print("there is no kernel in it\n");
  if (options.listing) print_listings(program, kernels);
}

}  // namespace

void add_compile(CLI::App& app, ExitCode&) {
  CLI::App* verb =
      app.add_subcommand("compile", "Show the machine code that PTX becomes, and what it needs");
  auto options = std::make_shared<CompileOptions>();
  verb->add_option("file", options->files, "The PTX; several files are linked")
      ->required()
      ->type_name("FILE.ptx");
  verb->add_option("--entry,--kernel", options->entry, "Only this kernel")->type_name("NAME");
  verb->add_option("--max-registers", options->max_registers,
                   "Registers a thread may have; what does not fit is spilled")
      ->type_name("N")
      ->check(CLI::Range(16, 255));
  verb->add_flag("--listing", options->listing, "Print the machine code");
  verb->add_option("--hierarchy", options->hierarchy,
                   "Place values in levels of registers, as for --machine storage with "
                   "operands.policy=managed, and operands.KEY=VALUE of each of these")
      ->type_name("KEY=VALUE,...")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  verb->add_option("--json", options->json,
                   "Write what the kernels need as JSON; '-' for standard output, and nothing else")
      ->type_name("FILE|-")
      ->check(file_name());
  verb->footer(
      "Registers are counted with all that a kernel calls. In a listing, ' stands after a "
      "register\n"
      "that is read for the last time, and 'meets at' names the instruction where the threads "
      "that\n"
      "a branch parts come together again; the number after // is the line of the PTX.\n"
      "With --hierarchy (entries=3,last_results=3), R5@o2 is in entry 2 of the operand file, "
      "R5@l1\n"
      "in word 1 of the last-result file, R5@o2+m also in the main file; R5>o2 is read from the "
      "main\n"
      "file and put into entry 2. Lines tell where strands begin and where a warp is suspended.");
  verb->callback([options] { compile_file(*options); });
}

}  // namespace heddle
