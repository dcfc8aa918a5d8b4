#include "energy/read_models.h"

#include <fmt/format.h>

#include "energy/array_model.h"
#include "energy/figures.h"

namespace heddle::energy {
namespace {

using config::TomlTable;

Origin origin_in(const TomlTable& table, const Technology& technology) {
  return {.source = table.text("source"),
          .technology = technology.name,
          .place = table.location("source")};
}

ChipModel read_chip_model(const TomlTable& table, const Technology& technology) {
  ChipModel model{.watts = read_figure(table, "watts"),
                  .leakage_share = read_share(table, "leakage_share"),
                  .memory_system_share = read_share(table, "memory_system_share"),
                  .multiprocessors = read_figure(table, "multiprocessors"),
                  .register_file_share = read_share(table, "register_file_share"),
                  .fetch_and_decode_share = read_share(table, "fetch_and_decode_share"),
                  .instruction_bit_share = read_share(table, "instruction_bit_share"),
                  .origin = origin_in(table, technology)};
  require_within(table, "watts", model.watts, 0);
  require_within(table, "multiprocessors", model.multiprocessors, 1);
  return model;
}

Wires read_wires(const TomlTable& table, const Technology& technology) {
  Wires wires{.femtofarads_per_millimetre = read_figure(table, "femtofarads_per_millimetre"),
              .word_bits = read_figure(table, "word_bits"),
              .switching = read_share(table, "switching"),
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

void read_array(const TomlTable& event, const Technology& technology, EventEnergy& energy) {
  const auto array = event.table("array", {"kilobytes", "width_bits", "ports", "access"});
  const ArrayShape shape{.kilobytes = read_figure(*array, "kilobytes"),
                         .width_bits = read_figure(*array, "width_bits"),
                         .ports = read_figure(*array, "ports"),
                         .node_nm = technology.node_nm,
                         .volts = technology.volts};
  require_within(*array, "kilobytes", shape.kilobytes, 1e-6, 1e6);
  require_within(*array, "width_bits", shape.width_bits, 1, 1e6);
  require_within(*array, "ports", shape.ports, 1, 1e3);
  const std::string access = array->text("access");
  if (access != "read" && access != "write") {
    array->fail("access", "'access' must be \"read\" or \"write\"");
  }
  const ArrayModel model(published_arrays(), access == "read" ? &PublishedArray::read_picojoules
                                                              : &PublishedArray::write_picojoules);
  energy.points = {{.picojoules = model.picojoules(shape)}};
  energy.estimate =
      fmt::format("from a curve that fits published arrays within {:.0f} %{}", 100 * model.error(),
                  model.covers(shape) ? "" : ", none of which has such a size");
}

}  // namespace heddle::energy
