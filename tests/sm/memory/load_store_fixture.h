#pragma once

// A fixture with a load-store unit and simple parameters, for tests with cycles computed by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sm/memory/load_store_unit.h"

namespace heddle::sm {

inline bool operator==(const MemoryCompletion& a, const MemoryCompletion& b) {
  return a.token == b.token && a.at == b.at;
}
inline void PrintTo(const MemoryCompletion& completion, std::ostream* out) {
  *out << completion.token << " at " << completion.at.number;
}
inline MemoryCompletion completion(std::uint32_t token, std::uint64_t at) {
  return {.token = token, .at = Cycle(at)};
}

/// lsu.address_cycles is 2. Latencies are 20 cycles, but 8 for the constant cache and 24 for the
/// crossbar. The crossbar's ports transfer 32 bytes per cycle.
class LoadStoreFixture : public testing::Test {
 protected:
  LoadStoreFixture() {
    description.constant.cache.latency = 8;
    description.texture.cache.latency = 20;
  }

  /// The unit, which the first call makes from `description`.
  LoadStoreUnit& unit() {
    if (!unit_) {
      unit_.emplace(description, interconnect, memory::PortParameters{.bytes = 32, .cycles = 1},
                    memory::AddressMap({.channels = 1, .interleave_bytes = 4096}), std::uint16_t{5},
                    ports ? std::make_unique<BankArbiter>(
                                SharedBanks{}, description.scratchpad.shape.pass_bytes, *ports)
                          : nullptr);
    }
    return *unit_;
  }

  /// Discards the unit; the next call of unit() makes a new one.
  void discard_unit() { unit_.reset(); }

  /// An instruction that accesses 4 bytes per lane, `step` bytes apart.
  MemoryInstruction instruction(MemoryAction action, std::uint32_t token, std::uint64_t address,
                                std::uint64_t step = 4) {
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
      addresses_[lane] = address + lane * step;
    }
    MemoryInstruction made;
    made.action = action;
    made.lanes = LaneMask::all();
    made.addresses = &addresses_;
    made.token = token;
    return made;
  }
  MemoryInstruction load(std::uint32_t token, std::uint64_t address, std::uint64_t step = 4) {
    return instruction(MemoryAction::load, token, address, step);
  }
  MemoryInstruction with_path(MemoryPath path, MemoryInstruction made) {
    made.path = path;
    return made;
  }

  /// Advances the unit to cycle `now`; returns the completions that it reports.
  std::vector<MemoryCompletion> advance(std::uint64_t now) {
    std::vector<MemoryCompletion> done;
    unit().advance(Cycle(now), done);
    return done;
  }
  /// Removes and returns the requests that the unit has sent.
  std::vector<memory::Request> take_requests() {
    std::vector<memory::Request> taken;
    taken.swap(unit().outbox(0));
    return taken;
  }
  /// Delivers the response to a request.
  void respond(const memory::Request& request, std::uint64_t arrival) {
    unit().deliver({.token = request.token,
                    .bytes = interconnect.header_bytes + request.response_bytes,
                    .arrival = Cycle(arrival)});
  }
  /// Loads the lines at these addresses into the path's cache, before cycle `before`.
  void warm(MemoryPath path, const std::vector<std::uint64_t>& lines, std::uint64_t before) {
    for (const std::uint64_t line : lines) {
      unit().add(with_path(path, load(0, line, 0)), Cycle(0));
    }
    advance(before - 100);
    for (const memory::Request& request : take_requests()) respond(request, before - 100);
    advance(before);
    ASSERT_TRUE(unit().idle());
  }

  std::uint64_t counter(const std::string& name) {
    CounterList counters;
    unit().declare(counters);
    for (const Counter& each : counters.all()) {
      if (each.name == name) return *each.value;
    }
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }

  LoadStoreDescription description;
  /// The ports of the banks that scratchpad and L1 share with registers; none if they have their
  /// own.
  std::optional<BankPorts> ports;
  memory::InterconnectDescription interconnect{
      .latency = 24, .bytes_per_cycle = 32, .header_bytes = 8};

 private:
  memory::LaneAddresses addresses_{};
  std::optional<LoadStoreUnit> unit_;
};

}  // namespace heddle::sm
