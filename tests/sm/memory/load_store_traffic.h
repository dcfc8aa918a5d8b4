#pragma once

// Random instructions for load-store units, and a memory that responds after random latencies.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "memory/port.h"
#include "memory/request.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

class NoWork final : public memory::AtomicWork {
 public:
  void perform(LaneMask) override {}
};

/// The parameters of a unit and of its traffic.
struct TrafficShape {
  LoadStoreDescription description;
  std::uint64_t span = 8192;             ///< All addresses are below this.
  unsigned busy_cycles = 8;              ///< Cycles with a new instruction, of every 16 cycles.
  std::uint64_t longest_response = 300;  ///< Latencies of responses are below this, in cycles.
  memory::PortParameters port{.bytes = 32, .cycles = 1};
};

class LoadStoreTraffic {
 public:
  LoadStoreTraffic(const TrafficShape& shape, std::uint32_t seed) : shape_(shape), random_(seed) {}

  bool has_new_instruction() { return below(16) < shape_.busy_cycles; }
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  /// Makes a random instruction, whose addresses are valid until the next call.
  MemoryInstruction next(std::uint32_t token) {
    MemoryInstruction instruction;
    instruction.token = token;
    instruction.path = std::array{MemoryPath::global, MemoryPath::global, MemoryPath::shared,
                                  MemoryPath::constant, MemoryPath::texture}[below(5)];
    if (instruction.path == MemoryPath::global || instruction.path == MemoryPath::shared) {
      instruction.action = std::array{MemoryAction::load, MemoryAction::load, MemoryAction::load,
                                      MemoryAction::store, MemoryAction::atomic}[below(5)];
    }
    instruction.bytes_per_lane =
        instruction.action == MemoryAction::atomic ? 2U << below(3) : 1U << below(5);
    instruction.lanes =
        below(3) == 0 ? LaneMask::all() : LaneMask(1U + std::uint32_t(random_()) / 2);
    instruction.cached = below(8) != 0;
    instruction.wants_old_values = below(2) == 0;
    instruction.work = &work_;
    choose_addresses(instruction.bytes_per_lane);
    instruction.addresses = &addresses_;
    if (instruction.path == MemoryPath::global && instruction.action != MemoryAction::atomic) {
      instruction.local = below(3) == 0;
    }
    // Local memory has separate addresses.
    if (instruction.local) {
      for (std::uint64_t& address : addresses_) address += shape_.span;
    }
    return instruction;
  }

 private:
  void choose_addresses(std::uint64_t bytes) {
    const std::uint64_t base = below(shape_.span);
    const std::uint64_t kind = below(4);
    const std::uint64_t stride = kind == 0 ? bytes : kind == 1 ? 0 : bytes << below(6);
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
      std::uint64_t address = base + lane * stride;
      if (kind == 3) address = base + below(std::uint64_t{64} << below(5));
      addresses_[lane] = address % shape_.span / bytes * bytes;
    }
  }

  TrafficShape shape_;
  std::mt19937_64 random_;
  memory::LaneAddresses addresses_{};
  NoWork work_;
};

/// Makes the response to a request; a write has none. The latency depends on the request only.
inline std::optional<memory::Response> respond(const memory::Request& request,
                                               std::uint64_t longest, std::uint32_t header_bytes) {
  if (request.kind == memory::RequestKind::write) return std::nullopt;
  const std::uint64_t hash =
      (request.address * 31 + request.arrival.number) * 0x9e3779b97f4a7c15U >> 40;
  // Many responses have no latency, and some a long one.
  const std::uint64_t latency = hash % 4 == 0 ? 0 : hash / 4 % longest;
  return memory::Response{.token = request.token,
                          .bytes = header_bytes + request.response_bytes,
                          .arrival = request.arrival + Cycles(latency)};
}

}  // namespace heddle::sm
