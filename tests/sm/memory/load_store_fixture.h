#pragma once

// A load-store unit with round figures, for tests that work times out by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
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
inline MemoryCompletion completed(std::uint32_t token, std::uint64_t at) {
  return {.token = token, .at = Cycle(at)};
}

/// Address cycles 2, all latencies 20 but the constants' 8, the crossbar's 24; 32 bytes a cycle.
class LoadStoreFixture : public testing::Test {
 protected:
  LoadStoreFixture() {
    description.constant.cache.latency = 8;
    description.texture.cache.latency = 20;
  }

  /// With the description as it is when it is first asked for.
  LoadStoreUnit& unit() {
    if (!unit_) {
      unit_.emplace(description, interconnect, memory::PortParameters{.bytes = 32, .cycles = 1},
                    memory::AddressMap({.channels = 1, .interleave_bytes = 4096}),
                    std::uint16_t{5});
    }
    return *unit_;
  }

  /// The next unit() is another one.
  void anew() { unit_.reset(); }

  /// 4 bytes a lane, `step` bytes apart.
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
  MemoryInstruction through(MemoryPath path, MemoryInstruction made) {
    made.path = path;
    return made;
  }

  std::vector<MemoryCompletion> advance(std::uint64_t now) {
    std::vector<MemoryCompletion> done;
    unit().advance(Cycle(now), done);
    return done;
  }
  /// What has been sent, which is taken.
  std::vector<memory::Request> sent() {
    std::vector<memory::Request> taken;
    taken.swap(unit().outbox(0));
    return taken;
  }
  /// The answer to a request arrives.
  void answer(const memory::Request& request, std::uint64_t arrival) {
    unit().deliver({.token = request.token,
                    .bytes = interconnect.header_bytes + request.answer_bytes,
                    .arrival = Cycle(arrival)});
  }
  /// The lines at these addresses are in the path's cache from `before` on, at the latest.
  void warm(MemoryPath path, const std::vector<std::uint64_t>& lines, std::uint64_t before) {
    for (const std::uint64_t line : lines) {
      unit().add(through(path, load(0, line, 0)), Cycle(0));
    }
    advance(before - 100);
    for (const memory::Request& request : sent()) answer(request, before - 100);
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
  memory::InterconnectDescription interconnect{
      .latency = 24, .bytes_per_cycle = 32, .header_bytes = 8};

 private:
  memory::LaneAddresses addresses_{};
  std::optional<LoadStoreUnit> unit_;
};

}  // namespace heddle::sm
