// The design with a scalar register file (SRF; Xiang's dissertation, Toward Efficient SIMT
// Execution, section 2.4.2): uniform values are in a small file of their own. A table renames
// vector registers to scalar registers. Renaming is part of the decode stage; fetch.latency has one
// cycle more on a machine in which it takes a stage of its own.
//
// A scalar register is taken when the instruction issues (hardware: when it is decoded), and is
// free again when a vector instruction writes the register or the warp ends. A uniform instruction
// that writes a renamed register keeps its scalar register.

#include "sm/redundancy/uniform_vectors.h"

namespace heddle::sm {
namespace {

struct ScalarFileParameters {
  std::uint32_t scalar_registers = 128;

  void declare(config::Declarations& parameters) {
    parameters.number("scalar_registers", scalar_registers, {.least = 0, .most = 1 << 16},
                      "scalar registers of a sub-core ('scalar-file'); 0: any number");
  }
  static void check(const SmDescription& sm) { check_uniform_vectors(sm); }
  static void storage(config::StorageList& list) {
    list.add({.name = "scalar_register_file",
              .bits = "sm.sub_cores * redundancy.scalar_registers * 32",
              .meaning = "uniform values",
              .source = "simt, section 2.5"});
    list.add({.name = "scalar_renaming",
              .bits = "sm.registers / 32 * bits(redundancy.scalar_registers)",
              .meaning = "the scalar register of each vector register",
              .source = "simt, section 2.5"});
    list_reuse_buffer(list);
  }
};

const RedundancyRegistry::Entry scalar_file_entry{
    "scalar-file", "like 'token', but uniform values are in a scalar register file",
    [](const ScalarFileParameters& own, const RedundancyDescription& description) {
      return std::make_unique<UniformVectors>(
          description, ScalarPlace::scalar_file,
          own.scalar_registers == 0 ? std::nullopt : std::optional(own.scalar_registers));
    }};

}  // namespace
}  // namespace heddle::sm
