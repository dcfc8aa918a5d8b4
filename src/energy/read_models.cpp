#include "energy/read_models.h"

#include "energy/figures.h"

namespace heddle::energy {
namespace {

using config::TomlTable;

Origin origin_in(const TomlTable& table, const Technology& technology) {
  return {.source = table.text("source"),
          .technology = technology.name,
          .place = table.place("source")};
}

ChipModel read_chip_model(const TomlTable& table, const Technology& technology) {
  ChipModel model{.watts = figure(table, "watts"),
                  .leakage_share = share(table, "leakage_share"),
                  .memory_system_share = share(table, "memory_system_share"),
                  .multiprocessors = figure(table, "multiprocessors"),
                  .register_file_share = share(table, "register_file_share"),
                  .fetch_and_decode_share = share(table, "fetch_and_decode_share"),
                  .instruction_bit_share = share(table, "instruction_bit_share"),
                  .origin = origin_in(table, technology)};
  require_within(table, "watts", model.watts, 0);
  require_within(table, "multiprocessors", model.multiprocessors, 1);
  return model;
}

Wires read_wires(const TomlTable& table, const Technology& technology) {
  Wires wires{.femtofarads_per_millimetre = figure(table, "femtofarads_per_millimetre"),
              .word_bits = figure(table, "word_bits"),
              .switching = share(table, "switching"),
              .origin = origin_in(table, technology)};
  require_within(table, "femtofarads_per_millimetre", wires.femtofarads_per_millimetre, 0);
  require_within(table, "word_bits", wires.word_bits, 1);
  return wires;
}

}  // namespace

void read_models(const TomlTable& top, Technology& technology) {
  const auto chip =
      top.table("chip_model", {"watts", "leakage_share", "memory_system_share", "multiprocessors",
                               "register_file_share", "fetch_and_decode_share",
                               "instruction_bit_share", "source"});
  if (chip) technology.chip_model = read_chip_model(*chip, technology);
  const auto wires =
      top.table("wires", {"femtofarads_per_millimetre", "word_bits", "switching", "source"});
  if (wires) technology.wires = read_wires(*wires, technology);
}

}  // namespace heddle::energy
