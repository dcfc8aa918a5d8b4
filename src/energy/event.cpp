#include "energy/event.h"

#include <algorithm>
#include <array>

namespace heddle::energy {
namespace {

constexpr std::array<EventDescription, kEvents> kDescriptions{{
    {Event::instruction_access, "instruction_fetch.access", Component::instruction_fetch,
     "access of the instruction cache"},
    {Event::instruction_fill, "instruction_fetch.fill", Component::instruction_fetch,
     "line brought into the instruction cache"},
    {Event::instruction_decoded, "decode.instruction", Component::decode, "warp instruction"},
    {Event::instruction_issued, "scheduler.issue", Component::scheduler,
     "cycle in which a scheduler issues"},
    {Event::branch_evaluated, "branch_unit.branch", Component::branch_unit, "warp instruction"},
    {Event::register_read, "register_file.read", Component::register_file, "register of a warp"},
    {Event::register_written, "register_file.write", Component::register_file,
     "register of a warp"},
    {Event::register_lane_read, "register_file.read_lane", Component::register_file,
     "lane of a register"},
    {Event::register_lane_written, "register_file.write_lane", Component::register_file,
     "lane of a register"},
    {Event::register_read_carried, "register_wires.read", Component::register_wires,
     "register of a warp"},
    {Event::register_written_carried, "register_wires.write", Component::register_wires,
     "register of a warp"},
    {Event::operand_file_read, "operand_file.read", Component::operand_file, "register of a warp"},
    {Event::operand_file_written, "operand_file.write", Component::operand_file,
     "register of a warp"},
    {Event::operand_file_carried_private, "operand_file_wires.private",
     Component::operand_file_wires, "register of a warp"},
    {Event::operand_file_carried_shared, "operand_file_wires.shared", Component::operand_file_wires,
     "register of a warp"},
    {Event::last_result_read, "last_result_file.read", Component::last_result_file,
     "register of a warp"},
    {Event::last_result_written, "last_result_file.write", Component::last_result_file,
     "register of a warp"},
    {Event::last_result_carried, "last_result_wires.private", Component::last_result_wires,
     "register of a warp"},
    {Event::operand_collected, "operand_collectors.operand", Component::operand_collectors,
     "register of a warp"},
    {Event::scalar_register_read, "scalar_register_file.read", Component::scalar_register_file,
     "scalar register"},
    {Event::scalar_register_written, "scalar_register_file.write", Component::scalar_register_file,
     "scalar register"},
    {Event::scoreboard_read, "scoreboard.read", Component::scoreboard, "entry"},
    {Event::scoreboard_written, "scoreboard.write", Component::scoreboard, "entry"},
    {Event::reuse_looked_up, "reuse_buffer.lookup", Component::reuse_buffer, "look-up"},
    {Event::reuse_updated, "reuse_buffer.update", Component::reuse_buffer, "entry"},
    {Event::register_renamed, "preexecution.rename", Component::preexecution,
     "register of a warp looked up"},
    {Event::mode_switched, "preexecution.mode_switch", Component::preexecution, "switch of a warp"},
    {Event::result_queue_accessed, "preexecution.queue", Component::preexecution,
     "access of the result queue"},
    {Event::integer_operation, "integer_units.operation", Component::integer_units,
     "operation of a lane"},
    {Event::fp32_operation, "fp32_units.operation", Component::fp32_units, "operation of a lane"},
    {Event::fp64_operation, "fp64_units.operation", Component::fp64_units, "operation of a lane"},
    {Event::special_operation, "special_units.operation", Component::special_units,
     "operation of a lane"},
    {Event::lanes_compared, "integer_units.check", Component::integer_units,
     "comparison of the results of two lanes"},
    {Event::addresses_made, "memory_pipeline.instruction", Component::memory_pipeline,
     "warp instruction"},
    {Event::shared_memory_accessed, "shared_memory.access", Component::shared_memory,
     "16 bytes between banks and lanes"},
    {Event::l1_tags_read, "l1.tags", Component::l1, "look-up"},
    {Event::l1_read, "l1.read", Component::l1, "16 bytes"},
    {Event::l1_written, "l1.write", Component::l1, "16 bytes"},
    {Event::constant_read, "constant_cache.access", Component::constant_cache, "access"},
    {Event::constant_fill, "constant_cache.fill", Component::constant_cache, "line"},
    {Event::texture_read, "texture_unit.access", Component::texture_unit, "access of its cache"},
    {Event::texture_fill, "texture_unit.fill", Component::texture_unit, "line"},
    {Event::texture_filtered, "texture_unit.filter", Component::texture_unit,
     "operation of a lane"},
    {Event::core_cycle, "core.cycle", Component::core,
     "cycle of a multiprocessor with a resident block"},
    {Event::interconnect_carried, "interconnect.byte", Component::interconnect, "byte"},
    {Event::l2_tags_read, "l2.tags", Component::l2, "look-up"},
    {Event::l2_moved, "l2.byte", Component::l2, "byte read or written"},
    {Event::l2_atomic, "l2.atomic", Component::l2, "operation of a lane"},
    {Event::dram_moved, "dram.bit", Component::dram, "bit that passes the pins"},
    {Event::dram_row_opened, "dram.activation", Component::dram, "row opened"},
}};
static_assert([] {
  for (std::size_t i = 0; i < kEvents; ++i) {
    if (kDescriptions[i].event != static_cast<Event>(i)) return false;
  }
  return true;
}());

}  // namespace

const EventDescription& description_of(Event event) {
  return kDescriptions[static_cast<std::size_t>(event)];
}

std::optional<Event> find_event(std::string_view name) {
  const auto found =
      std::find_if(kDescriptions.begin(), kDescriptions.end(),
                   [&](const EventDescription& description) { return description.name == name; });
  if (found == kDescriptions.end()) return std::nullopt;
  return found->event;
}

std::vector<std::string> event_names() {
  std::vector<std::string> names;
  names.reserve(kDescriptions.size());
  for (const EventDescription& description : kDescriptions) names.emplace_back(description.name);
  return names;
}

}  // namespace heddle::energy
