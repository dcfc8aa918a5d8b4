#pragma once

// A fixture: a load-store unit with write-back policies.

#include <string>

#include "sm/memory/load_store_fixture.h"
#include "sm/memory/load_store_traffic.h"

namespace heddle::sm {

class L1WritesFixture : public LoadStoreFixture {
 protected:
  void set_write_policy(const std::string& policy) {
    description.l1.global_writes = policy;
    description.l1.local_writes = policy;
  }
  /// Makes the L1 one set of two lines.
  void use_two_lines() {
    description.l1.cache.bytes = 256;
    description.l1.cache.ways = 2;
  }
  /// A store of all 128 bytes of a line.
  MemoryInstruction store(std::uint64_t address) {
    return instruction(MemoryAction::store, 0, address);
  }
  /// A store of a line's first 64 bytes.
  MemoryInstruction store_half(std::uint64_t address) {
    MemoryInstruction made = instruction(MemoryAction::store, 0, address, 2);
    made.bytes_per_lane = 2;
    return made;
  }
  MemoryInstruction local(MemoryInstruction made) {
    made.local = true;
    return made;
  }
  MemoryInstruction uncached(MemoryInstruction made) {
    made.cached = false;
    return made;
  }
  MemoryInstruction atomic(std::uint32_t token, std::uint64_t address) {
    MemoryInstruction made = instruction(MemoryAction::atomic, token, address);
    made.work = &work;
    return made;
  }
  /// Whether a load in cycle `at` hits in the L1. The unit must be idle.
  bool hits(std::uint64_t address, std::uint64_t at) {
    return unit().add(load(99, address), Cycle(at)) == Cycle(at + 2 + 20);
  }
  NoWork work;
};

inline void expect(const memory::Request& request, memory::RequestKind kind, std::uint64_t address,
                   std::uint64_t arrival) {
  EXPECT_EQ(request.kind, kind);
  EXPECT_EQ(request.address, address);
  EXPECT_EQ(request.bytes, 128u);
  EXPECT_EQ(request.arrival, Cycle(arrival));
}

}  // namespace heddle::sm
