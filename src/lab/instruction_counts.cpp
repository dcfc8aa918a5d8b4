#include "lab/instruction_counts.h"

#include "config/toml_table.h"

namespace heddle::lab {

InstructionCounts read_instruction_counts(std::string_view text, const std::string& file) {
  const toml::table parsed = config::parse_toml(text, file);
  const config::TomlTable top(parsed, file, {"workload"});
  InstructionCounts counts;
  for (const config::TomlTable& table :
       top.tables("workload", {"name", "grid", "tiny", "small", "medium", "large", "paper"})) {
    const std::string name = table.text("name");
    const workload::GridChoice grid =
        table.at("grid", [&] { return workload::parse_grid_choice(table.text("grid")); });
    for (const workload::Size size : workload::kSizes) {
      const std::string_view key = workload::name_of(size);
      if (!table.has(key)) continue;
      if (!counts.emplace(WorkloadForm(name, size, grid), table.whole_number(key, 0)).second) {
        table.fail(key, "there are two counts for this workload, grid and size");
      }
    }
  }
  return counts;
}

const InstructionCounts& known_instruction_counts() {
  static const InstructionCounts counts = [] {
    const InstructionCountsFile& file = instruction_counts_files().front();
    return read_instruction_counts(file.text,
                                   "descriptions/workloads/" + std::string(file.name) + ".toml");
  }();
  return counts;
}

}  // namespace heddle::lab
