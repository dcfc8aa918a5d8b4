#pragma once

// A direct model of Partition. It examines all state in every cycle, and a stalled request retries
// in every cycle.

#include <algorithm>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "memory/banked_channel_model.h"
#include "memory/cache_tags_model.h"
#include "memory/dram/banked_dram.h"
#include "memory/dram/fixed_channel.h"
#include "memory/dram/fr_fcfs.h"
#include "memory/partition_bench.h"

namespace heddle::memory {

/// Memory with a fixed latency or with banks, stepped by DRAM cycles.
class ChannelModel {
 public:
  explicit ChannelModel(const DramDescription& dram) : dram_(dram) {
    if (dram.policy == "fixed") return;
    const BankedDramParameters& banked = dram.policy_parameters.get<BankedDramParameters>();
    banks_.emplace(BankedChannelSetup{
        .map = {.channels = 1,
                .interleave_bytes = banked.row_bytes,
                .banks = banked.banks,
                .row_bytes = banked.row_bytes,
                .hash_banks = banked.hash_banks},
        .timing = {.cas_latency = Cycles(banked.cas_latency),
                   .precharge = Cycles(banked.precharge),
                   .row_to_column = Cycles(banked.activate),
                   .row_active = Cycles(banked.active),
                   .row_cycle = Cycles(banked.active + banked.precharge),
                   .write_recovery = Cycles(banked.write_recovery)},
        .bandwidth = {dram.bandwidth_bytes, dram.bandwidth_cycles},
        .transaction_bytes = dram.transaction_bytes,
        .queue_entries = dram.queue_entries,
        .overhead = Cycles(dram.overhead),
        .policy = dram.policy,
        .age_limit = Cycles(dram.policy_parameters.get<FrFcfsParameters>().age_limit)});
  }

  bool accepts(std::uint64_t cycle) const {
    if (banks_) return banks_->accepts();
    return std::count_if(done_.begin(), done_.end(), [&](const BankedChannelModel::Done& done) {
             return done.at > cycle;
           }) < static_cast<long>(dram_.queue_entries);
  }
  void add(const DramRequest& request, std::uint64_t cycle) {
    ++(request.is_write ? writes : reads);
    if (banks_) return banks_->add(request, cycle);
    std::uint64_t bytes = 0;
    while (bytes < request.bytes) bytes += dram_.transaction_bytes;
    const std::uint64_t latency = dram_.policy_parameters.get<FixedDramParameters>().latency;
    bus_free_ = std::max(bus_free_, (cycle + latency + dram_.overhead) * dram_.bandwidth_bytes) +
                bytes * dram_.bandwidth_cycles;
    done_.push_back({.token = request.token,
                     .at = (bus_free_ + dram_.bandwidth_bytes - 1) / dram_.bandwidth_bytes});
  }
  void step(std::uint64_t cycle) {
    if (banks_) banks_->step(cycle);
  }
  /// The requests that are done at the start of a cycle and have not been returned before.
  std::vector<std::uint32_t> take_done(std::uint64_t cycle) {
    const std::vector<BankedChannelModel::Done>& all = banks_ ? banks_->done : done_;
    std::vector<std::uint32_t> tokens;
    while (reported_ < all.size() && all[reported_].at <= cycle) {
      tokens.push_back(all[reported_++].token);
    }
    return tokens;
  }
  bool idle() const { return reads + writes == reported_; }

  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

 private:
  DramDescription dram_;
  std::optional<BankedChannelModel> banks_;
  std::vector<BankedChannelModel::Done> done_;
  std::uint64_t bus_free_ = 0;  ///< In ticks: `bandwidth_bytes` ticks per cycle.
  std::size_t reported_ = 0;    ///< The number of requests that take_done() has returned.
};

class PartitionModel {
 public:
  struct SentResponse {
    std::uint16_t sm = 0;
    std::uint32_t token = 0;
    std::uint64_t arrival = 0;
    friend auto operator<=>(const SentResponse&, const SentResponse&) = default;
  };
  struct PerformedAtomic {
    std::uint32_t token = 0;
    std::uint64_t cycle = 0;
    friend bool operator==(const PerformedAtomic&, const PerformedAtomic&) = default;
  };

  /// `requests` are all requests of the test, in any order.
  PartitionModel(const PartitionMachine& machine, std::vector<Request> requests)
      : machine_(machine),
        requests_(std::move(requests)),
        tags_({.bytes = machine.parts.l2.bytes,
               .line_bytes = machine.parts.l2.line_bytes,
               .sector_bytes = machine.parts.l2.sector_bytes,
               .ways = machine.parts.l2.ways}),
        channel_(machine.parts.dram) {
    std::stable_sort(requests_.begin(), requests_.end(), [](const Request& a, const Request& b) {
      return std::tuple(a.arrival, a.sm) < std::tuple(b.arrival, b.sm);
    });
    std::uint64_t free = 0;
    for (const Request& request : requests_) {
      port_passed_.push_back(through_port(free, request.arrival.number, request.carried_bytes));
    }
  }

  bool done() const {
    return next_request_ == requests_.size() && waiting_.empty() && queue_.empty() &&
           channel_.idle();
  }
  void step(std::uint64_t now) {
    std::vector<std::uint64_t> dram_cycles;
    while (begins_in_core_cycle(next_dram_cycle_) <= now) dram_cycles.push_back(next_dram_cycle_++);
    for (const std::uint64_t cycle : dram_cycles) {
      if (cycle > 0) channel_.step(cycle - 1);
      for (const std::uint32_t token : channel_.take_done(cycle)) complete_fetch(token, now);
      enter_channel(cycle);
    }
    if (next_request_ < requests_.size() && port_passed_[next_request_] <= now &&
        now >= next_access_) {
      if (access(requests_[next_request_], now)) {
        ++next_request_;
        next_access_ = now + (machine_.parts.l2.present ? machine_.parts.l2.interval : 1);
      }
    }
    if (!dram_cycles.empty()) enter_channel(dram_cycles.back());
    send(now);
  }
  /// Sends the responses that become ready after the last simulated cycle.
  void send_rest() { send(~std::uint64_t{0}); }

  std::vector<SentResponse> sent;
  std::vector<PerformedAtomic> performed;
  const ChannelModel& channel() const { return channel_; }

 private:
  struct WaitingRequest {
    Request request;
    std::set<std::uint64_t> missing;  ///< Numbers of sectors, counted from address 0.
  };
  struct QueuedRequest {
    DramRequest request;
    std::uint64_t from = 0;  ///< The first DRAM cycle in which it may enter the channel.
  };
  struct ReadyResponse {
    std::uint64_t at = 0;
    std::uint64_t order = 0;
    Request request;
  };

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint64_t begins_in_core_cycle(std::uint64_t dram_cycle) const {
    return (dram_cycle * machine_.core_mhz + machine_.dram_mhz - 1) / machine_.dram_mhz;
  }
  std::uint64_t through_port(std::uint64_t& free, std::uint64_t from, std::uint32_t data) const {
    const std::uint64_t bytes = machine_.interconnect.header_bytes + data;
    if (bytes == 0) return from;
    free = std::max(free, from * machine_.port.bytes) + bytes * machine_.port.cycles;
    return (free + machine_.port.bytes - 1) / machine_.port.bytes;
  }

  void queue_request(bool is_write, std::uint64_t address, std::uint32_t bytes, std::uint32_t token,
                     std::uint64_t now) {
    queue_.push_back(
        {.request = {.address = address, .is_write = is_write, .bytes = bytes, .token = token},
         .from = (now * machine_.dram_mhz + machine_.core_mhz - 1) / machine_.core_mhz});
  }
  void enter_channel(std::uint64_t dram_cycle) {
    while (!queue_.empty() && queue_.front().from <= dram_cycle && channel_.accepts(dram_cycle)) {
      channel_.add(queue_.front().request, dram_cycle);
      queue_.pop_front();
    }
  }
  bool has_space() const { return queue_.size() < machine_.parts.memory.queue; }
  bool writes_back() const { return machine_.parts.l2.write == "back"; }
  std::uint32_t sector_bytes() const { return machine_.parts.l2.sector_bytes; }
  std::uint32_t line_sectors() const { return machine_.parts.l2.line_bytes / sector_bytes(); }

  bool access(const Request& request, std::uint64_t now) {
    if (!machine_.parts.l2.present) return access_memory(request, now);
    if (request.kind == RequestKind::write && !writes_back()) return write_through(request, now);

    const bool is_write = request.kind == RequestKind::write;
    const std::uint64_t line = request.address / machine_.parts.l2.line_bytes;
    SectorMask touched = 0;
    SectorMask needed = 0;  // Sectors that must be fetched if they are invalid.
    for (std::uint32_t s = 0; s < line_sectors(); ++s) {
      const std::uint64_t begin = (line * line_sectors() + s) * sector_bytes();
      const std::uint64_t end = begin + sector_bytes();
      if (request.address >= end || request.address + request.bytes <= begin) continue;
      touched |= SectorMask{1} << s;
      const bool is_covered = request.address <= begin && request.address + request.bytes >= end;
      if (!is_write || !is_covered) needed |= SectorMask{1} << s;
    }
    const bool line_is_present = tags_.is_present(line);
    SectorMask to_fetch = 0;
    SectorMask pending = 0;
    SectorMask invalid = 0;
    for (std::uint32_t s = 0; s < line_sectors(); ++s) {
      const SectorMask sector = SectorMask{1} << s;
      if ((touched & sector) == 0) continue;
      const CacheTags::Probe found = tags_.probe(line, sector);
      if (found == CacheTags::Probe::pending) pending |= sector;
      if (found == CacheTags::Probe::hit || found == CacheTags::Probe::pending) continue;
      invalid |= sector;
      to_fetch |= needed & sector;
    }
    const SectorMask waits_for = is_write ? to_fetch : to_fetch | pending;
    if (waits_for != 0 && !has_mshr_for(line)) return false;
    const bool writes_memory =
        request.kind == RequestKind::atomic && !writes_back() && waits_for == 0;
    if ((to_fetch != 0 || !line_is_present || writes_memory) && !has_space()) return false;
    const auto reservation = tags_.reserve(line, touched);
    if (!reservation) return false;

    if (is_write && (invalid & ~needed) != 0) tags_.insert(line, invalid & ~needed, true);
    if (is_write || (request.kind == RequestKind::atomic && writes_back())) {
      tags_.write(line, touched, true);
    }
    if (waits_for != 0) {
      WaitingRequest& waiting =
          waiting_.emplace_back(WaitingRequest{.request = request, .missing = {}});
      for (std::uint32_t s = 0; s < line_sectors(); ++s) {
        if ((waits_for >> s & 1) != 0) waiting.missing.insert(line * line_sectors() + s);
      }
    }
    queue_sectors(false, line, to_fetch, now);
    if (reservation->evicted) {
      queue_sectors(true, reservation->evicted->line, reservation->evicted->dirty, now);
    }
    if (!is_write && waits_for == 0) serve(request, now, machine_.parts.l2.latency);
    return true;
  }
  bool access_memory(const Request& request, std::uint64_t now) {
    if (!has_space()) return false;
    if (request.kind == RequestKind::write) {
      queue_request(true, request.address, request.bytes, kNone, now);
    } else {
      queue_request(false, request.address, request.bytes, next_token_, now);
      fetches_[next_token_] = {next_token_};
      waiting_.push_back({.request = request, .missing = {next_token_++}});
    }
    return true;
  }
  bool write_through(const Request& request, std::uint64_t now) {
    if (!has_space()) return false;
    queue_request(true, request.address, request.bytes, kNone, now);
    const std::uint64_t line = request.address / machine_.parts.l2.line_bytes;
    if (tags_.is_present(line)) tags_.touch(line);
    return true;
  }

  /// Whether the MSHRs have space for a request that waits for the line.
  bool has_mshr_for(std::uint64_t line) const {
    std::map<std::uint64_t, std::uint32_t> waiting;
    for (const WaitingRequest& other : waiting_) {
      ++waiting[other.request.address / machine_.parts.l2.line_bytes];
    }
    if (waiting.contains(line)) return waiting[line] < machine_.parts.l2.merges;
    return waiting.size() < machine_.parts.l2.mshrs;
  }
  void queue_sectors(bool is_write, std::uint64_t line, SectorMask sectors, std::uint64_t now) {
    for (std::uint32_t s = 0; s < line_sectors(); ++s) {
      if ((sectors >> s & 1) == 0) continue;
      const std::uint32_t token = next_token_++;
      const std::uint64_t first = line * line_sectors() + s;
      std::uint32_t count = 0;
      for (; s < line_sectors() && (sectors >> s & 1) != 0; ++s, ++count) {
        fetches_[token].insert(line * line_sectors() + s);
      }
      queue_request(is_write, first * sector_bytes(), count * sector_bytes(),
                    is_write ? kNone : token, now);
    }
  }

  void complete_fetch(std::uint32_t token, std::uint64_t now) {
    if (token == kNone) return;
    const std::set<std::uint64_t> sectors = fetches_[token];
    if (machine_.parts.l2.present) {
      for (const std::uint64_t sector : sectors) {
        tags_.fill(sector / line_sectors(), SectorMask{1} << sector % line_sectors());
      }
    }
    for (auto waiting = waiting_.begin(); waiting != waiting_.end();) {
      for (const std::uint64_t sector : sectors) waiting->missing.erase(sector);
      if (!waiting->missing.empty()) {
        ++waiting;
        continue;
      }
      if (waiting->request.kind != RequestKind::write) serve(waiting->request, now, 0);
      waiting = waiting_.erase(waiting);
    }
  }

  void serve(const Request& request, std::uint64_t now, std::uint32_t latency) {
    std::uint64_t at = now + latency;
    if (request.kind == RequestKind::atomic) {
      performed.push_back({request.token, now});
      if (!machine_.parts.l2.present || !writes_back()) {
        queue_request(true, request.address, request.bytes, kNone, now);
      }
      atomic_unit_free_ =
          std::max(atomic_unit_free_, now) + request.passes * machine_.parts.atomic.interval;
      at = atomic_unit_free_ + (machine_.parts.l2.present ? machine_.parts.l2.latency : 0);
    }
    ready_.push_back({.at = at, .order = order_++, .request = request});
  }
  void send(std::uint64_t now) {
    ready_.sort([](const ReadyResponse& a, const ReadyResponse& b) {
      return std::tuple(a.at, a.order) < std::tuple(b.at, b.order);
    });
    while (!ready_.empty() && ready_.front().at <= now) {
      const ReadyResponse& ready = ready_.front();
      const std::uint64_t passed =
          through_port(egress_free_, ready.at, ready.request.response_bytes);
      sent.push_back({.sm = ready.request.sm,
                      .token = ready.request.token,
                      .arrival = passed + machine_.interconnect.latency});
      ready_.pop_front();
    }
  }

  PartitionMachine machine_;
  std::vector<Request> requests_;           ///< In the order of their accesses.
  std::vector<std::uint64_t> port_passed_;  ///< When each request has passed the port.
  std::size_t next_request_ = 0;
  std::uint64_t next_access_ = 0;
  CacheTagsModel tags_;
  std::list<WaitingRequest> waiting_;
  std::map<std::uint32_t, std::set<std::uint64_t>> fetches_;  ///< The sectors of each token.
  std::uint32_t next_token_ = 0;
  std::list<QueuedRequest> queue_;
  ChannelModel channel_;
  std::uint64_t next_dram_cycle_ = 0;
  std::uint64_t atomic_unit_free_ = 0;
  std::list<ReadyResponse> ready_;
  std::uint64_t order_ = 0;
  std::uint64_t egress_free_ = 0;
};

}  // namespace heddle::memory
