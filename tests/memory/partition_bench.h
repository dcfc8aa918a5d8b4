#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "memory/dram/banked_dram.h"
#include "memory/dram/fixed_channel.h"
#include "memory/partition/partition.h"

namespace heddle::memory {

/// The parameters of a partition and its environment.
struct PartitionMachine {
  PartitionDescription parts;
  InterconnectDescription interconnect{.latency = 40, .bytes_per_cycle = 32, .header_bytes = 8};
  PortParameters port{.bytes = 32, .cycles = 1};
  std::uint32_t core_mhz = 1;
  std::uint32_t dram_mhz = 1;
  std::uint32_t sms = 4;

  std::unique_ptr<Partition> make(std::uint32_t index = 0) const {
    return std::make_unique<Partition>(parts, interconnect, port, ClockRatio(core_mhz, dram_mhz),
                                       index, sms);
  }
};

/// The partition of most tests. There is no other partition. The L2 latency is 50 cycles, and the
/// memory latency is 100 cycles. Lines have 4 sectors of 32 bytes. Memory transfers 16 bytes per
/// cycle, and the port 32 bytes per cycle. A header has 8 bytes, and a response takes 40 cycles
/// through the crossbar.
///
/// Numbers in the tests' comments are core cycles. A fraction, such as 1104.25, means that a
/// message has left the port during cycle 1104. The crossbar takes it in the next cycle, 1105.
///
/// For example, a read of 32 bytes arrives at 1000 and misses. It passes the port at 1001. Its
/// first byte arrives from memory at 1101, and its last at 1103. The response has 40 bytes: it has
/// left the port at 1104.25, and arrives at 1145.
inline PartitionMachine plain_partition() {
  PartitionMachine machine;
  machine.parts.memory = {.partitions = 1, .interleave_bytes = 1024, .queue = 16};
  machine.parts.l2 = {.bytes = 16384,
                      .line_bytes = 128,
                      .sector_bytes = 32,
                      .ways = 4,
                      .latency = 50,
                      .interval = 1,
                      .mshrs = 16,
                      .merges = 8};
  machine.parts.dram.policy = "fixed";
  machine.parts.dram.queue_entries = 64;
  machine.parts.dram.policy_parameters.get<FixedDramParameters>().latency = 100;
  // For tests that select a policy with banks instead.
  machine.parts.dram.policy_parameters.get<BankedDramParameters>().row_bytes = 2048;
  return machine;
}

/// Records atomics in the order in which they are performed.
class AtomicLog {
 public:
  struct Done {
    std::uint32_t token = 0;
    std::uint32_t lanes = 0;
    friend bool operator==(const Done&, const Done&) = default;
  };

  /// Returns the work of an atomic, which records `token` when it is performed.
  AtomicWork* work(std::uint32_t token) {
    works_.push_back(std::make_unique<Work>(*this, token));
    return works_.back().get();
  }
  std::vector<Done> done;

 private:
  class Work final : public AtomicWork {
   public:
    Work(AtomicLog& log, std::uint32_t token) : log_(log), token_(token) {}
    void perform(LaneMask lanes) override { log_.done.push_back({token_, lanes.bits()}); }

   private:
    AtomicLog& log_;
    std::uint32_t token_;
  };
  std::vector<std::unique_ptr<Work>> works_;
};

inline Request read_of(std::uint32_t token, std::uint64_t address, std::uint64_t arrival,
                       std::uint32_t bytes = 32, std::uint16_t sm = 0) {
  return {.address = address,
          .bytes = bytes,
          .kind = RequestKind::read,
          .sm = sm,
          .token = token,
          .response_bytes = bytes,
          .lanes = {},
          .arrival = Cycle(arrival)};
}
inline Request write_of(std::uint64_t address, std::uint64_t arrival, std::uint32_t bytes = 32,
                        std::uint16_t sm = 0) {
  return {.address = address,
          .bytes = bytes,
          .kind = RequestKind::write,
          .sm = sm,
          .carried_bytes = bytes,
          .lanes = {},
          .arrival = Cycle(arrival)};
}

/// A partition whose requests are identified by their tokens.
class PartitionBench {
 public:
  explicit PartitionBench(const PartitionMachine& machine, std::uint32_t index = 0)
      : sms_(machine.sms), partition(machine.make(index)) {
    partition->declare(counters_);
  }

  void send(const Request& request) {
    std::vector<Request> requests{request};
    partition->receive(requests);
  }
  void read(std::uint32_t token, std::uint64_t address, std::uint64_t arrival,
            std::uint32_t bytes = 32) {
    send(read_of(token, address, arrival, bytes));
  }
  void write(std::uint64_t address, std::uint64_t arrival, std::uint32_t bytes = 32) {
    send(write_of(address, arrival, bytes));
  }
  /// Sends an atomic on 4 bytes that the first `passes` lanes perform, all at the same address. It
  /// therefore passes through the atomic unit `passes` times.
  void atomic(std::uint32_t token, std::uint64_t address, std::uint64_t arrival,
              std::uint32_t passes = 1, std::uint16_t sm = 0) {
    Request request = read_of(token, address, arrival, 4, sm);
    request.kind = RequestKind::atomic;
    request.carried_bytes = request.bytes;
    request.passes = passes;
    request.lanes = LaneMask::first_lanes(static_cast<int>(passes));
    request.work = log.work(token);
    send(request);
  }
  /// Advances the partition to `until`. Returns the arrival time of each new response, by token.
  std::map<std::uint32_t, std::uint64_t> responses(std::uint64_t until = 1'000'000) {
    partition->advance(Cycle(until));
    std::map<std::uint32_t, std::uint64_t> times;
    for (std::uint32_t sm = 0; sm < sms_; ++sm) {
      for (const Response& response : partition->outbox(sm)) {
        times[response.token] = response.arrival.number;
      }
      partition->outbox(sm).clear();
    }
    return times;
  }
  /// The value of a counter.
  std::uint64_t count(std::string_view name) const {
    for (const Counter& counter : counters_.all()) {
      if (counter.name == name) return *counter.value;
    }
    throw InputError("no counter " + std::string(name));
  }

 private:
  std::uint32_t sms_;
  CounterList counters_;

 public:
  AtomicLog log;
  std::unique_ptr<Partition> partition;
};

}  // namespace heddle::memory
