// The compiler assumes access energies for each register level (sm/operands/place_energies.h). They
// equal the energies of the technology storage-40nm, with which runs of the same paper are charged.

#include "sm/operands/place_energies.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "energy/technology.h"

namespace heddle::energy {
namespace {

/// The picojoules of an access per word. An access consists of the given events, and moves the 32
/// words of a warp's register.
double picojoules_per_word(const Technology& technology, std::initializer_list<Event> events,
                           double entries) {
  double sum = 0;
  for (const Event event : events) sum += technology.energies[event]->picojoules(entries).value();
  return sum / 32;
}

TEST(PlaceEnergies, MatchTheTechnology) {
  const Technology technology = load_technology("storage-40nm");
  for (std::uint32_t entries = 1; entries <= 8; ++entries) {
    SCOPED_TRACE(entries);
    const code::PlaceEnergies compiler = sm::place_energies(entries);
    const auto expect = [&](double energy, std::initializer_list<Event> events) {
      EXPECT_NEAR(energy, picojoules_per_word(technology, events, entries), 1e-12);
    };
    expect(compiler.main_read, {Event::register_read, Event::register_read_carried});
    expect(compiler.main_write, {Event::register_written, Event::register_written_carried});
    expect(compiler.operand_read_private,
           {Event::operand_file_read, Event::operand_file_carried_private});
    expect(compiler.operand_read_shared,
           {Event::operand_file_read, Event::operand_file_carried_shared});
    expect(compiler.operand_write_private,
           {Event::operand_file_written, Event::operand_file_carried_private});
    expect(compiler.operand_write_shared,
           {Event::operand_file_written, Event::operand_file_carried_shared});
    expect(compiler.last_result_read, {Event::last_result_read, Event::last_result_carried});
    expect(compiler.last_result_write, {Event::last_result_written, Event::last_result_carried});
  }
}

}  // namespace
}  // namespace heddle::energy
