#pragma once

// The events that take energy each time they occur. A technology states the energy of each event;
// energy/charges.h states which counters count it. event.cpp lists each event's component and the
// unit in which it is counted. Events named 'carried' are transfers over wires; a 'fill' brings a
// line into a cache.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_array.h"
#include "energy/component.h"

namespace heddle::energy {

enum class Event : std::uint8_t {
  instruction_access,
  instruction_fill,
  instruction_decoded,
  instruction_issued,
  branch_evaluated,
  register_read,
  register_written,
  register_lane_read,     ///< Of a register whose lanes all have the same value.
  register_lane_written,  ///< Of a register whose lanes all have the same value.
  register_read_carried,
  register_written_carried,
  operand_file_read,
  operand_file_written,
  operand_file_carried_private,  ///< To or from units of which every lane has one.
  operand_file_carried_shared,   ///< To or from units that several lanes share.
  last_result_read,
  last_result_written,
  last_result_carried,
  operand_collected,
  scalar_register_read,
  scalar_register_written,
  scoreboard_read,
  scoreboard_written,
  reuse_looked_up,
  reuse_updated,
  // Events of Warped-Preexecution (Kim et al.).
  register_renamed,
  mode_switched,
  result_queue_accessed,
  // Execution units, memories and the rest of the chip.
  integer_operation,
  fp32_operation,
  fp64_operation,
  special_operation,
  lanes_compared,
  addresses_made,
  shared_memory_accessed,
  l1_tags_read,
  l1_read,
  l1_written,
  constant_read,
  constant_fill,
  texture_read,
  texture_fill,
  texture_filtered,
  core_cycle,
  interconnect_carried,
  l2_tags_read,
  l2_moved,
  l2_atomic,
  dram_moved,
  dram_row_opened,
};
inline constexpr std::size_t kEvents = values_up_to(Event::dram_row_opened);

template <class Value>
using ByEvent = EnumArray<Event, Value, kEvents>;

struct EventDescription {
  Event event;
  std::string_view name;  ///< The name in technologies: "register_file.read".
  Component component;
  std::string_view unit;  ///< What one event is: "register of a warp".
};

const EventDescription& description_of(Event event);
/// The event with this name in technologies; empty if there is none.
std::optional<Event> find_event(std::string_view name);
std::vector<std::string> event_names();

}  // namespace heddle::energy
