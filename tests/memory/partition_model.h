#pragma once

// The rules of Partition, written down as they are said: every cycle looks at everything, and who
// could not be let in asks again.

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

/// Memory of a fixed latency, or of banks, walked by its own cycles.
class ChannelModel {
 public:
  explicit ChannelModel(const DramDescription& is) : is_(is) {
    if (is.policy == "fixed") return;
    const BankedDramParameters& has = is.own.of<BankedDramParameters>();
    banks_.emplace(BankedMachine{.map = {.channels = 1,
                                         .interleave_bytes = has.row_bytes,
                                         .banks = has.banks,
                                         .row_bytes = has.row_bytes,
                                         .hash_banks = has.hash_banks},
                                 .timing = {.cas_latency = Cycles(has.cas_latency),
                                            .precharge = Cycles(has.precharge),
                                            .row_to_column = Cycles(has.activate),
                                            .row_active = Cycles(has.active),
                                            .row_cycle = Cycles(has.active + has.precharge),
                                            .write_recovery = Cycles(has.write_recovery)},
                                 .bandwidth = {is.bandwidth_bytes, is.bandwidth_cycles},
                                 .transaction_bytes = is.transaction_bytes,
                                 .queue_entries = is.queue_entries,
                                 .overhead = Cycles(is.overhead),
                                 .policy = is.policy,
                                 .age_limit = Cycles(is.own.of<FrFcfsParameters>().age_limit)});
  }

  bool accepts(std::uint64_t cycle) const {
    if (banks_) return banks_->accepts();
    return std::count_if(done_.begin(), done_.end(), [&](const BankedChannelModel::Done& done) {
             return done.at > cycle;
           }) < static_cast<long>(is_.queue_entries);
  }
  void add(const DramRequest& request, std::uint64_t cycle) {
    ++(request.is_write ? writes : reads);
    if (banks_) return banks_->add(request, cycle);
    std::uint64_t bytes = 0;
    while (bytes < request.bytes) bytes += is_.transaction_bytes;
    const std::uint64_t latency = is_.own.of<FixedDramParameters>().latency;
    pins_free_ = std::max(pins_free_, (cycle + latency + is_.overhead) * is_.bandwidth_bytes) +
                 bytes * is_.bandwidth_cycles;
    done_.push_back({.token = request.token,
                     .at = (pins_free_ + is_.bandwidth_bytes - 1) / is_.bandwidth_bytes});
  }
  void walk(std::uint64_t cycle) {
    if (banks_) banks_->walk(cycle);
  }
  /// What is done at the begin of a cycle and was not told before.
  std::vector<std::uint32_t> tell(std::uint64_t cycle) {
    const std::vector<BankedChannelModel::Done>& all = banks_ ? banks_->done : done_;
    std::vector<std::uint32_t> tokens;
    while (told_ < all.size() && all[told_].at <= cycle) tokens.push_back(all[told_++].token);
    return tokens;
  }
  bool idle() const { return reads + writes == told_; }

  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

 private:
  DramDescription is_;
  std::optional<BankedChannelModel> banks_;
  std::vector<BankedChannelModel::Done> done_;
  std::uint64_t pins_free_ = 0;  ///< In parts of a cycle, `bandwidth_bytes` of them.
  std::size_t told_ = 0;
};

class PartitionModel {
 public:
  struct Sent {
    std::uint16_t sm = 0;
    std::uint32_t token = 0;
    std::uint64_t arrival = 0;
    friend auto operator<=>(const Sent&, const Sent&) = default;
  };
  struct Performed {
    std::uint32_t token = 0;
    std::uint64_t cycle = 0;
    friend bool operator==(const Performed&, const Performed&) = default;
  };

  /// All requests that will ever come.
  PartitionModel(const PartitionMachine& machine, std::vector<Request> requests)
      : is_(machine),
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
      came_.push_back(through_port(free, request.arrival.number, request.carried_bytes));
    }
  }

  bool done() const {
    return next_ == requests_.size() && waiting_.empty() && queue_.empty() && channel_.idle();
  }
  void walk(std::uint64_t now) {
    std::vector<std::uint64_t> dram_cycles;
    while (begins_in_core_cycle(dram_next_) <= now) dram_cycles.push_back(dram_next_++);
    for (const std::uint64_t cycle : dram_cycles) {
      if (cycle > 0) channel_.walk(cycle - 1);
      for (const std::uint32_t token : channel_.tell(cycle)) come(token, now);
      enter(cycle);
    }
    if (next_ < requests_.size() && came_[next_] <= now && now >= may_access_) {
      if (access(requests_[next_], now)) {
        ++next_;
        may_access_ = now + (is_.parts.l2.present ? is_.parts.l2.interval : 1);
      }
    }
    if (!dram_cycles.empty()) enter(dram_cycles.back());
    send(now);
  }
  /// After the last cycle: what is ready later.
  void send_rest() { send(~std::uint64_t{0}); }

  std::vector<Sent> sent;
  std::vector<Performed> performed;
  const ChannelModel& channel() const { return channel_; }

 private:
  struct Waiting {
    Request request;
    std::set<std::uint64_t> missing;  ///< Sectors, numbered through all of memory.
  };
  struct Queued {
    DramRequest request;
    std::uint64_t from = 0;
  };
  struct Ready {
    std::uint64_t at = 0;
    std::uint64_t order = 0;
    Request request;
  };

  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  std::uint64_t begins_in_core_cycle(std::uint64_t dram_cycle) const {
    return (dram_cycle * is_.core_mhz + is_.dram_mhz - 1) / is_.dram_mhz;
  }
  std::uint64_t through_port(std::uint64_t& free, std::uint64_t from, std::uint32_t data) const {
    const std::uint64_t bytes = is_.interconnect.header_bytes + data;
    if (bytes == 0) return from;
    free = std::max(free, from * is_.port.bytes) + bytes * is_.port.cycles;
    return (free + is_.port.bytes - 1) / is_.port.bytes;
  }

  void ask(bool is_write, std::uint64_t address, std::uint32_t bytes, std::uint32_t token,
           std::uint64_t now) {
    queue_.push_back(
        {.request = {.address = address, .is_write = is_write, .bytes = bytes, .token = token},
         .from = (now * is_.dram_mhz + is_.core_mhz - 1) / is_.core_mhz});
  }
  void enter(std::uint64_t dram_cycle) {
    while (!queue_.empty() && queue_.front().from <= dram_cycle && channel_.accepts(dram_cycle)) {
      channel_.add(queue_.front().request, dram_cycle);
      queue_.pop_front();
    }
  }
  bool has_room() const { return queue_.size() < is_.parts.memory.queue; }
  bool writes_back() const { return is_.parts.l2.write == "back"; }
  std::uint32_t sector_bytes() const { return is_.parts.l2.sector_bytes; }
  std::uint32_t line_sectors() const { return is_.parts.l2.line_bytes / sector_bytes(); }

  bool access(const Request& request, std::uint64_t now) {
    if (!is_.parts.l2.present) return access_memory(request, now);
    if (request.kind == RequestKind::write && !writes_back()) return write_through(request, now);

    const bool is_write = request.kind == RequestKind::write;
    const std::uint64_t line = request.address / is_.parts.l2.line_bytes;
    SectorMask touched = 0;
    SectorMask needed = 0;  // What must be fetched if it is not there.
    for (std::uint32_t s = 0; s < line_sectors(); ++s) {
      const std::uint64_t begin = (line * line_sectors() + s) * sector_bytes();
      const std::uint64_t end = begin + sector_bytes();
      if (request.address >= end || request.address + request.bytes <= begin) continue;
      touched |= SectorMask{1} << s;
      const bool covered = request.address <= begin && request.address + request.bytes >= end;
      if (!is_write || !covered) needed |= SectorMask{1} << s;
    }
    const bool line_is_there = tags_.present(line);
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
    if (waits_for != 0 && !register_for(line)) return false;
    const bool writes_memory =
        request.kind == RequestKind::atomic && !writes_back() && waits_for == 0;
    if ((to_fetch != 0 || !line_is_there || writes_memory) && !has_room()) return false;
    const auto reservation = tags_.reserve(line, touched);
    if (!reservation) return false;

    if (is_write && (invalid & ~needed) != 0) tags_.insert(line, invalid & ~needed, true);
    if (is_write || (request.kind == RequestKind::atomic && writes_back())) {
      tags_.write(line, touched, true);
    }
    if (waits_for != 0) {
      Waiting& waiting = waiting_.emplace_back(Waiting{.request = request, .missing = {}});
      for (std::uint32_t s = 0; s < line_sectors(); ++s) {
        if ((waits_for >> s & 1) != 0) waiting.missing.insert(line * line_sectors() + s);
      }
    }
    ask_for_sectors(false, line, to_fetch, now);
    if (reservation->evicted) {
      ask_for_sectors(true, reservation->evicted->line, reservation->evicted->dirty, now);
    }
    if (!is_write && waits_for == 0) serve(request, now, is_.parts.l2.latency);
    return true;
  }
  bool access_memory(const Request& request, std::uint64_t now) {
    if (!has_room()) return false;
    if (request.kind == RequestKind::write) {
      ask(true, request.address, request.bytes, kNobody, now);
    } else {
      ask(false, request.address, request.bytes, next_token_, now);
      fetches_[next_token_] = {next_token_};
      waiting_.push_back({.request = request, .missing = {next_token_++}});
    }
    return true;
  }
  bool write_through(const Request& request, std::uint64_t now) {
    if (!has_room()) return false;
    ask(true, request.address, request.bytes, kNobody, now);
    const std::uint64_t line = request.address / is_.parts.l2.line_bytes;
    if (tags_.present(line)) tags_.touch(line);
    return true;
  }

  /// Whether a request may wait for the line.
  bool register_for(std::uint64_t line) const {
    std::map<std::uint64_t, std::uint32_t> waiting;
    for (const Waiting& other : waiting_) {
      ++waiting[other.request.address / is_.parts.l2.line_bytes];
    }
    if (waiting.contains(line)) return waiting[line] < is_.parts.l2.merges;
    return waiting.size() < is_.parts.l2.mshrs;
  }
  void ask_for_sectors(bool is_write, std::uint64_t line, SectorMask sectors, std::uint64_t now) {
    for (std::uint32_t s = 0; s < line_sectors(); ++s) {
      if ((sectors >> s & 1) == 0) continue;
      const std::uint32_t token = next_token_++;
      const std::uint64_t first = line * line_sectors() + s;
      std::uint32_t count = 0;
      for (; s < line_sectors() && (sectors >> s & 1) != 0; ++s, ++count) {
        fetches_[token].insert(line * line_sectors() + s);
      }
      ask(is_write, first * sector_bytes(), count * sector_bytes(), is_write ? kNobody : token,
          now);
    }
  }

  void come(std::uint32_t token, std::uint64_t now) {
    if (token == kNobody) return;
    const std::set<std::uint64_t> sectors = fetches_[token];
    if (is_.parts.l2.present) {
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
      if (!is_.parts.l2.present || !writes_back()) {
        ask(true, request.address, request.bytes, kNobody, now);
      }
      unit_free_ = std::max(unit_free_, now) + request.passes * is_.parts.atomic.interval;
      at = unit_free_ + (is_.parts.l2.present ? is_.parts.l2.latency : 0);
    }
    ready_.push_back({.at = at, .order = order_++, .request = request});
  }
  void send(std::uint64_t now) {
    ready_.sort([](const Ready& a, const Ready& b) {
      return std::tuple(a.at, a.order) < std::tuple(b.at, b.order);
    });
    while (!ready_.empty() && ready_.front().at <= now) {
      const Ready& ready = ready_.front();
      const std::uint64_t gone = through_port(out_free_, ready.at, ready.request.answer_bytes);
      sent.push_back({.sm = ready.request.sm,
                      .token = ready.request.token,
                      .arrival = gone + is_.interconnect.latency});
      ready_.pop_front();
    }
  }

  PartitionMachine is_;
  std::vector<Request> requests_;    ///< In the order in which they access.
  std::vector<std::uint64_t> came_;  ///< When each has passed the port.
  std::size_t next_ = 0;
  std::uint64_t may_access_ = 0;
  CacheTagsModel tags_;
  std::list<Waiting> waiting_;
  std::map<std::uint32_t, std::set<std::uint64_t>> fetches_;  ///< The sectors of each token.
  std::uint32_t next_token_ = 0;
  std::list<Queued> queue_;
  ChannelModel channel_;
  std::uint64_t dram_next_ = 0;
  std::uint64_t unit_free_ = 0;
  std::list<Ready> ready_;
  std::uint64_t order_ = 0;
  std::uint64_t out_free_ = 0;
};

}  // namespace heddle::memory
