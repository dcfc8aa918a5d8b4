// Executes every form of instruction on a real NVIDIA GPU and records the results. A test compares
// the simulator's results with this record.

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <optional>

#include "base/output_file.h"
#include "cuda_device.h"
#include "operand_values.h"
#include "program.h"
#include "record.h"
#include "survey.h"

namespace {

using namespace heddle;
using namespace heddle::silicon;

std::string heading() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "querying the GPU's properties");
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "querying the driver's version");
  return fmt::format(
      "# Results of {} for forms of PTX instructions, on {:%Y-%m-%d}, compiled by CUDA's driver "
      "{}.\n"
      "# Each line: a form and the digest of its results in {} threads, or '~' and every {}th "
      "result.\n",
      properties.name, fmt::gmtime(std::time(nullptr)), driver, kFormThreads, kThreadStep);
}

/// All results, one form after another. Each result takes as many bytes as its type, the lowest
/// first.
std::string packed(const std::vector<Form>& forms, const std::vector<Results>& results) {
  std::string bytes;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const unsigned width = (width_of(forms[i].result) + 7) / 8;
    for (const std::uint64_t value : results[i]) {
      for (unsigned byte = 0; byte < width; ++byte) {
        bytes += static_cast<char>(value >> (8 * byte));
      }
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Executes forms of PTX instructions on a real NVIDIA GPU.",
               "heddle_silicon_instructions"};
  std::string output;
  std::string values;
  app.add_option("-o,--output", output, "Write the record to this file")
      ->required()
      ->type_name("FILE");
  app.add_option(
         "--values", values,
         "Write all results to this file, form after form, each in as many bytes as its type")
      ->type_name("FILE");
  app.footer(kExitCodes);
  return run_program(app, argc, argv, [&] {
    const OutputFile record_file(output);
    std::optional<OutputFile> values_file;
    if (!values.empty()) values_file.emplace(values);
    require_gpu();
    const std::vector<Form> forms = all_forms();
    const std::vector<Results> results =
        run_forms(forms, [](const std::string& ptx) { return std::make_unique<CudaDevice>(ptx); });
    Record record{.heading = heading(), .forms = {}};
    for (std::size_t i = 0; i < forms.size(); ++i) {
      record.forms[forms[i].name] = record_form(forms[i], results[i]);
    }
    record_file.write(to_text(record));
    if (values_file) values_file->write(packed(forms, results));
    fmt::print("{} forms, each by {} threads\n", forms.size(), kFormThreads);
    return true;
  });
}
