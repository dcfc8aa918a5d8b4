#pragma once

// A reference model of the load-store unit for its tests. It works cycle by cycle with simple data
// structures, and shares only the types of the interface with the unit.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "memory/dram/address_map.h"
#include "memory/interconnect.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

/// A port that transfers `bytes` bytes in `cycles` cycles. It counts time in units of 1 / `bytes`
/// of a cycle.
class ModelPort {
 public:
  explicit ModelPort(memory::PortParameters port) : port_(port) {}
  /// Books the transfer of `bytes` from cycle `earliest` on; returns the cycle in which it is done.
  std::uint64_t book(std::uint64_t earliest, std::uint64_t bytes) {
    free_ = std::max(free_, earliest * port_.bytes) + bytes * port_.cycles;
    return (free_ + port_.bytes - 1) / port_.bytes;
  }
  std::uint64_t free_from() const { return free_ / port_.bytes; }

 private:
  memory::PortParameters port_;
  std::uint64_t free_ = 0;
};

class LoadStoreModel {
 public:
  LoadStoreModel(const LoadStoreDescription& description,
                 const memory::InterconnectDescription& interconnect, memory::PortParameters port,
                 const memory::AddressMap& partitions, std::uint16_t sm)
      : description_(description),
        interconnect_(interconnect),
        partitions_(partitions),
        sm_(sm),
        out_(port),
        in_(port) {
    paths_[0].description = description.l1.cache;
    paths_[0].capacity = description.lsu.queue;
    paths_[1].description = description.constant.cache;
    paths_[1].capacity = description.constant.queue;
    paths_[2].description = description.texture.cache;
    paths_[2].capacity = description.texture.queue;
    for (Path& path : paths_) {
      if (path.description.sector_bytes == 0) {
        path.description.sector_bytes = path.description.line_bytes;
      }
    }
  }

  bool accepts(MemoryPath path) const {
    if (path == MemoryPath::shared && !description_.lsu.shared_pipe) {
      return std::count_if(scratchpad_starts_.begin(), scratchpad_starts_.end(),
                           [&](std::uint64_t start) { return start > now_; }) <
             description_.scratchpad.queue;
    }
    const Path& queue = paths_[path == MemoryPath::constant  ? 1
                               : path == MemoryPath::texture ? 2
                                                             : 0];
    std::size_t waiting = 0;
    for (const Instruction& each : queue.instructions) waiting += each.all_hit ? 0 : 1;
    return waiting < queue.capacity;
  }

  void add(const MemoryInstruction& memory_instruction, std::uint64_t at) {
    Instruction instruction{
        .memory_instruction = memory_instruction, .earliest = at, .accesses = {}};
    const bool completes = memory_instruction.action != MemoryAction::store;
    Path* path = &paths_[0];
    if (memory_instruction.path == MemoryPath::shared) {
      instruction.min_cycles = scratchpad_passes(memory_instruction);
      if (!description_.lsu.shared_pipe) {
        const std::uint64_t start = std::max(at, scratchpad_free_);
        scratchpad_free_ = start + instruction.min_cycles;
        scratchpad_starts_.push_back(start);
        if (completes) {
          completions[memory_instruction.token] =
              start + instruction.min_cycles - 1 + description_.scratchpad.latency;
        }
        return;
      }
      instruction.accesses.push_back({});
    } else if (memory_instruction.path == MemoryPath::constant) {
      path = &paths_[1];
      instruction.accesses =
          pieces(memory_instruction, std::max(memory_instruction.bytes_per_lane, 4U), 1, 32);
    } else if (memory_instruction.path == MemoryPath::texture) {
      path = &paths_[2];
      instruction.accesses = pieces(memory_instruction, path->description.line_bytes, 1, 32);
      const std::uint32_t lanes = description_.texture.lanes;
      instruction.min_cycles = (32 + lanes - 1) / lanes;
    } else {
      const memory::CoalescerParameters& shape = description_.coalescer.shape;
      const std::uint32_t piece =
          memory_instruction.action == MemoryAction::atomic
              ? std::min(shape.segment_bytes, description_.lsu.request_bytes)
              : shape.segment_bytes;
      instruction.accesses =
          pieces(memory_instruction, piece, shape.sector_bytes, static_cast<int>(shape.group));
      instruction.earliest += description_.lsu.address_cycles;
    }
    if (completes) {
      instruction.load = loads_.size();
      loads_.push_back({.token = memory_instruction.token, .parts = instruction.accesses.size()});
    }
    instruction.all_hit = all_hit(*path, instruction);
    path->instructions.push_back(instruction);
  }

  /// Begins a cycle: responses that have passed the port take effect.
  void begin(std::uint64_t now) {
    now_ = now;
    take_in();
    while (!passed_responses_.empty() && passed_responses_.front().at == now) {
      receive(passed_responses_.front().token);
      passed_responses_.pop_front();
    }
  }
  /// Ends a cycle: makes its accesses, also for instructions that were added in this cycle.
  void end() {
    for (std::size_t path = 0; path < 3; ++path) try_access(path);
    const Path& l1 = paths_[0];
    const bool is_booked = !l1.instructions.empty() && l1.instructions.front().all_hit;
    if (l1.free_from <= now_ && !is_booked) try_prefetch();
  }

  void deliver(const memory::Response& response) { arriving_.push_back(response); }

  /// Writes all dirty lines of the L1 back. Nothing may be in flight.
  void write_back_all() {
    for (auto& [number, set] : paths_[0].sets) {
      for (Line& line : set) write_back(line);
    }
  }

  struct Counts {
    std::uint64_t hits = 0, misses = 0, merged = 0, evictions = 0;
    std::uint64_t store_hits = 0, store_misses = 0, writebacks = 0, writeback_bytes = 0;
    std::uint64_t issued = 0, useful = 0, late = 0, redundant = 0, dropped = 0;  ///< Prefetches.
  };
  const Counts& counts(std::size_t path) const { return paths_[path].counts; }

  std::map<std::uint32_t, std::uint64_t> completions;  ///< By token.
  std::vector<memory::Request> sent;  ///< In order of sending; the test empties it.

 private:
  /// One access of an instruction: a coalesced segment, a cache line or a constant.
  struct Piece {
    std::uint64_t address = 0;
    std::vector<int> lanes;
    std::set<std::uint64_t> parts;  ///< Addresses of the accessed sectors.
  };
  struct Instruction {
    MemoryInstruction memory_instruction;
    std::uint64_t earliest = 0;
    std::uint64_t min_cycles = 1;
    std::vector<Piece> accesses;
    std::size_t next = 0;  ///< The index of the next access to make.
    std::uint64_t started = 0;
    std::size_t load = 0;  ///< An index of loads_.
    bool all_hit = false;
    memory::LaneAddresses addresses = *memory_instruction.addresses;
  };
  struct Load {
    std::uint32_t token = 0;
    std::size_t parts = 0;
    std::uint64_t at = 0;
  };
  static constexpr std::size_t kNoLoad = ~std::size_t{0};
  /// An access that waits for sectors of a line.
  struct Waiter {
    std::size_t load = 0;  ///< kNoLoad for a store.
    std::set<std::uint64_t> missing_sectors;
  };
  struct Line {
    std::uint64_t number = 0;
    std::set<std::uint64_t> valid, pending, dirty;  ///< Addresses of sectors.
    bool is_unused_prefetch = false;
  };
  /// A line that is to be prefetched.
  struct Proposal {
    std::uint64_t line = 0;
    std::uint64_t earliest = 0;
  };
  struct Path {
    CacheDescription description;
    std::size_t capacity = 0;
    std::deque<Instruction> instructions;
    std::uint64_t free_from = 0;
    std::map<std::uint64_t, std::list<Line>> sets;  ///< Least recently used first.
    std::map<std::uint64_t, std::vector<Waiter>> fetched;
    Counts counts;

    std::list<Line>& set_of(std::uint64_t line) {
      return sets[line % (description.bytes / description.line_bytes / description.ways)];
    }
    Line* find(std::uint64_t line) {
      for (Line& each : set_of(line)) {
        if (each.number == line) return &each;
      }
      return nullptr;
    }
    /// The line that would be evicted; null if the set is not full or all its lines are pending.
    const Line* victim_for(std::uint64_t line) {
      std::list<Line>& set = set_of(line);
      if (set.size() < description.ways) return nullptr;
      const auto victim = std::find_if(set.begin(), set.end(),
                                       [](const Line& each) { return each.pending.empty(); });
      return victim == set.end() ? nullptr : &*victim;
    }
    void use(std::uint64_t line) {
      std::list<Line>& set = set_of(line);
      set.splice(set.end(), set, std::find_if(set.begin(), set.end(), [&](const Line& each) {
                   return each.number == line;
                 }));
    }
    /// The cache sectors that an access needs.
    std::set<std::uint64_t> sectors(const Piece& piece, std::uint64_t grain) const {
      std::set<std::uint64_t> all;
      for (const std::uint64_t part : piece.parts) {
        for (std::uint64_t byte = part; byte < part + grain; ++byte) {
          all.insert(byte / description.sector_bytes * description.sector_bytes);
        }
      }
      return all;
    }
  };
  struct PendingResponse {
    std::size_t responses = 0;
    std::size_t load = 0;
    int path = -1;
    std::uint64_t line = 0;
    std::set<std::uint64_t> sectors;
  };
  struct PassedResponse {
    std::uint32_t token = 0;
    std::uint64_t at = 0;
  };

  static std::vector<Piece> pieces(const MemoryInstruction& memory_instruction,
                                   std::uint64_t piece_bytes, std::uint64_t part_bytes, int group) {
    std::vector<Piece> all;
    std::size_t first = 0;
    for (int lane = 0; lane < kWarpSize; ++lane) {
      if (lane == group) first = all.size();
      if (!memory_instruction.lanes.contains(lane)) continue;
      const std::uint64_t address = (*memory_instruction.addresses)[static_cast<std::size_t>(lane)];
      const std::uint64_t piece = address / piece_bytes * piece_bytes;
      std::size_t at = first;
      while (at < all.size() && all[at].address != piece) ++at;
      if (at == all.size()) all.push_back({.address = piece, .lanes = {}, .parts = {}});
      all[at].lanes.push_back(lane);
      for (std::uint64_t byte = address; byte < address + memory_instruction.bytes_per_lane;
           ++byte) {
        all[at].parts.insert(byte / part_bytes * part_bytes);
      }
    }
    return all;
  }

  std::uint64_t scratchpad_passes(const MemoryInstruction& memory_instruction) const {
    const memory::ScratchpadParameters& shape = description_.scratchpad.shape;
    const std::uint64_t word_bytes = std::max(shape.bank_bytes, memory_instruction.bytes_per_lane);
    const std::uint64_t banks = shape.banks * shape.bank_bytes / word_bytes;
    const int together = static_cast<int>(
        std::min(32U, shape.pass_bytes / std::max(memory_instruction.bytes_per_lane, 4U)));
    std::uint64_t passes = 0;
    for (int first = 0; first < kWarpSize; first += together) {
      std::map<std::uint64_t, std::vector<std::uint64_t>> words;
      std::size_t max_words = 0;
      for (int lane = first; lane < first + together; ++lane) {
        if (!memory_instruction.lanes.contains(lane)) continue;
        const std::uint64_t word =
            (*memory_instruction.addresses)[static_cast<std::size_t>(lane)] / word_bytes;
        std::vector<std::uint64_t>& bank = words[word % banks];
        const bool is_repeated = std::find(bank.begin(), bank.end(), word) != bank.end();
        if (!is_repeated || memory_instruction.action == MemoryAction::atomic) bank.push_back(word);
        max_words = std::max(max_words, bank.size());
      }
      passes += max_words;
    }
    return passes;
  }

  std::uint64_t grain(const Path& path) const {
    return &path == paths_ ? description_.coalescer.shape.sector_bytes : 1;
  }
  bool looks_up(const Instruction& instruction) const {
    if (instruction.memory_instruction.path == MemoryPath::shared) return false;
    if (instruction.memory_instruction.path != MemoryPath::global) return true;
    return instruction.memory_instruction.action == MemoryAction::load &&
           instruction.memory_instruction.cached && description_.l1.present;
  }

  bool hits(Path& path, const Piece& piece) {
    const Line* line = path.find(piece.address / path.description.line_bytes);
    if (line == nullptr) return false;
    const std::set<std::uint64_t> needed = path.sectors(piece, grain(path));
    return std::includes(line->valid.begin(), line->valid.end(), needed.begin(), needed.end());
  }
  /// Whether the instruction waits for no earlier instruction and all its accesses hit. Such an
  /// instruction occupies no queue entry; its accesses are made in the usual cycles.
  bool all_hit(Path& path, const Instruction& instruction) {
    if (!looks_up(instruction)) return false;
    std::uint64_t free_from = path.free_from;
    for (const Instruction& before : path.instructions) {
      if (!before.all_hit) return false;
      const std::uint64_t begin = before.next == 0 ? before.earliest : before.started;
      free_from = std::max(
          free_from, begin + std::max<std::uint64_t>(before.min_cycles, before.accesses.size()));
    }
    if (free_from > instruction.earliest) return false;
    return std::all_of(instruction.accesses.begin(), instruction.accesses.end(),
                       [&](const Piece& piece) { return hits(path, piece); });
  }

  void try_access(std::size_t index) {
    Path& path = paths_[index];
    if (path.instructions.empty()) return;
    Instruction& instruction = path.instructions.front();
    if (now_ < instruction.earliest || now_ < path.free_from) return;
    if (!access(index, instruction)) return;
    if (instruction.next == 0) instruction.started = now_;
    path.free_from = now_ + 1;
    if (++instruction.next < instruction.accesses.size()) return;
    path.free_from = std::max(path.free_from, instruction.started + instruction.min_cycles);
    path.instructions.pop_front();
  }

  bool can_send() const { return out_.free_from() <= now_ + description_.lsu.send_backlog; }

  /// Proposes the lines after one that a load missed, if the machine prefetches next lines.
  void propose_after(std::uint64_t line) {
    if (description_.l1.prefetch.policy != "next-line") return;
    for (std::uint64_t i = 1; i <= description_.l1.prefetch.degree; ++i) {
      if (proposals_.size() == description_.l1.prefetch.queue) {
        ++paths_[0].counts.dropped;
      } else {
        proposals_.push_back({.line = line + i, .earliest = now_ + 1});
      }
    }
  }
  /// Looks up the oldest proposed line. If it has to wait, it is tried again in the next cycle.
  void try_prefetch() {
    Path& path = paths_[0];
    if (proposals_.empty() || proposals_.front().earliest > now_) return;
    const std::uint64_t number = proposals_.front().line;
    Line evicted;
    if (path.find(number) != nullptr) {
      ++path.counts.redundant;
    } else if (path.fetched.size() == path.description.mshrs || !can_send()) {
      return;
    } else if (make_line(path, number, evicted)) {
      ++path.counts.issued;
      Line& line = *path.find(number);
      line.is_unused_prefetch = true;
      const std::uint64_t begin = number * path.description.line_bytes;
      for (std::uint64_t at = 0; at < path.description.line_bytes;
           at += path.description.sector_bytes) {
        line.pending.insert(begin + at);
      }
      path.fetched[number].push_back({.load = kNoLoad, .missing_sectors = line.pending});
      fetch(0, number, line.pending);
      write_back(evicted);
    } else {
      ++path.counts.dropped;
    }
    proposals_.pop_front();
  }
  /// Counts the first use of a line that a prefetch has fetched.
  static void use_prefetch(Line& line, std::uint64_t& count) {
    if (line.is_unused_prefetch) ++count;
    line.is_unused_prefetch = false;
  }

  bool access(std::size_t index, const Instruction& instruction) {
    Path& path = paths_[index];
    const Piece& piece = instruction.accesses[instruction.next];
    if (instruction.memory_instruction.path == MemoryPath::shared) {
      if (instruction.memory_instruction.action == MemoryAction::store) return true;
      complete_part(instruction.load,
                    now_ + instruction.min_cycles - 1 + description_.scratchpad.latency);
      return true;
    }
    if (looks_up(instruction)) return look_up(index, instruction, piece);
    if (instruction.memory_instruction.action == MemoryAction::store) {
      return store(path, instruction, piece);
    }
    if (!can_send()) return false;
    const std::uint64_t number = piece.address / path.description.line_bytes;
    Line* line = description_.l1.present ? path.find(number) : nullptr;
    if (line != nullptr) write_back(*line);
    if (instruction.memory_instruction.action == MemoryAction::load) {
      read(piece.parts, description_.coalescer.shape.sector_bytes,
           {.responses = 0, .load = instruction.load, .path = -1, .line = 0, .sectors = {}});
    } else {
      if (line != nullptr) invalidate(path, *line);
      send_atomic(instruction, piece);
    }
    return true;
  }

  static void invalidate(Path& path, Line& line) {
    line.valid.clear();
    if (!line.pending.empty()) return;
    path.set_of(line.number).remove_if([&](const Line& it) { return it.number == line.number; });
  }
  void write(const std::set<std::uint64_t>& parts, std::uint64_t part_bytes) {
    for (const auto& [address, bytes] : ranges(parts, part_bytes)) {
      send(address, bytes, memory::RequestKind::write, bytes, 0, 0);
    }
  }
  void write_back(Line& line) {
    if (line.dirty.empty()) return;
    const std::uint64_t sector_bytes = paths_[0].description.sector_bytes;
    write(line.dirty, sector_bytes);
    ++paths_[0].counts.writebacks;
    paths_[0].counts.writeback_bytes += line.dirty.size() * sector_bytes;
    line.dirty.clear();
  }

  bool store(Path& path, const Instruction& instruction, const Piece& piece) {
    const std::uint64_t number = piece.address / path.description.line_bytes;
    Line* line = description_.l1.present ? path.find(number) : nullptr;
    const bool found = line != nullptr;
    const std::string policy = instruction.memory_instruction.local ? description_.l1.local_writes
                                                                    : description_.l1.global_writes;
    if (description_.l1.present && (policy == "back" || (policy == "back-no-allocate" && found))) {
      if (!store_in_l1(path, piece)) return false;
    } else {
      if (!can_send()) return false;
      if (found && policy == "evict") {
        invalidate(path, *line);
      } else if (found) {
        path.use(number);
      }
      write(piece.parts, description_.coalescer.shape.sector_bytes);
    }
    if (description_.l1.present) ++(found ? path.counts.store_hits : path.counts.store_misses);
    return true;
  }

  /// Makes a write-back store byte by byte. A sector that the store covers only partly is fetched
  /// if it is neither valid nor pending. Returns false if the store must wait.
  bool store_in_l1(Path& path, const Piece& piece) {
    const std::uint64_t number = piece.address / path.description.line_bytes;
    const std::uint64_t grain = description_.coalescer.shape.sector_bytes;
    std::set<std::uint64_t> bytes;
    for (const std::uint64_t part : piece.parts) {
      for (std::uint64_t byte = part; byte < part + grain; ++byte) bytes.insert(byte);
    }
    Line* line = path.find(number);
    std::set<std::uint64_t> covered;
    std::set<std::uint64_t> to_fetch;
    const std::set<std::uint64_t> touched = path.sectors(piece, grain);
    for (const std::uint64_t sector : touched) {
      if (line != nullptr && line->valid.count(sector) + line->pending.count(sector) > 0) continue;
      bool is_whole = true;
      for (std::uint64_t byte = sector; byte < sector + path.description.sector_bytes; ++byte) {
        is_whole = is_whole && bytes.count(byte) > 0;
      }
      (is_whole ? covered : to_fetch).insert(sector);
    }
    const auto fetched = path.fetched.find(number);
    if (!to_fetch.empty()) {
      const bool is_fetched = fetched != path.fetched.end();
      if (!is_fetched && path.fetched.size() == path.description.mshrs) return false;
      if (is_fetched && fetched->second.size() == path.description.merges) return false;
      if (!can_send()) return false;
    }
    Line evicted;
    if (line == nullptr) {
      const Line* const victim = path.victim_for(number);
      if (victim != nullptr && !victim->dirty.empty() && !can_send()) return false;
      if (!make_line(path, number, evicted)) return false;
    }
    path.use(number);
    line = path.find(number);
    line->valid.insert(covered.begin(), covered.end());
    line->pending.insert(to_fetch.begin(), to_fetch.end());
    line->dirty.insert(touched.begin(), touched.end());
    if (!to_fetch.empty()) {
      path.fetched[number].push_back({.load = kNoLoad, .missing_sectors = to_fetch});
      fetch(0, number, to_fetch);
    }
    write_back(evicted);
    return true;
  }

  /// Allocates a line and copies the evicted line to `evicted`. Returns false if all lines of the
  /// set are pending.
  static bool make_line(Path& path, std::uint64_t number, Line& evicted) {
    std::list<Line>& set = path.set_of(number);
    if (set.size() == path.description.ways) {
      const Line* const victim = path.victim_for(number);
      if (victim == nullptr) return false;
      evicted = *victim;
      set.remove_if([&](const Line& it) { return it.number == evicted.number; });
      ++path.counts.evictions;
    }
    set.push_back({.number = number, .valid = {}, .pending = {}, .dirty = {}});
    return true;
  }

  void fetch(std::size_t index, std::uint64_t number, const std::set<std::uint64_t>& sectors) {
    read(sectors, paths_[index].description.sector_bytes,
         {.responses = 0,
          .load = 0,
          .path = static_cast<int>(index),
          .line = number,
          .sectors = sectors});
  }

  bool look_up(std::size_t index, const Instruction& instruction, const Piece& piece) {
    Path& path = paths_[index];
    const std::uint64_t number = piece.address / path.description.line_bytes;
    if (hits(path, piece)) {
      path.use(number);
      ++path.counts.hits;
      use_prefetch(*path.find(number), path.counts.useful);
      complete_part(instruction.load, now_ + path.description.latency);
      return true;
    }
    const auto fetched = path.fetched.find(number);
    if (fetched == path.fetched.end() && path.fetched.size() == path.description.mshrs) {
      return false;
    }
    if (fetched != path.fetched.end() && fetched->second.size() == path.description.merges) {
      return false;
    }
    const Line* line = path.find(number);
    std::set<std::uint64_t> missing_sectors;
    std::set<std::uint64_t> to_fetch;
    for (const std::uint64_t sector : path.sectors(piece, grain(path))) {
      if (line != nullptr && line->valid.count(sector) > 0) continue;
      missing_sectors.insert(sector);
      if (line == nullptr || line->pending.count(sector) == 0) to_fetch.insert(sector);
    }
    if (!to_fetch.empty() && !can_send()) return false;
    Line evicted;
    if (line == nullptr && !make_line(path, number, evicted)) return false;
    path.use(number);
    path.find(number)->pending.insert(to_fetch.begin(), to_fetch.end());
    path.fetched[number].push_back({.load = instruction.load, .missing_sectors = missing_sectors});
    ++(to_fetch.empty() ? path.counts.merged : path.counts.misses);
    if (to_fetch.empty()) use_prefetch(*path.find(number), path.counts.late);
    if (!to_fetch.empty()) fetch(index, number, to_fetch);
    write_back(evicted);
    if (index == 0 && !to_fetch.empty()) propose_after(number);
    return true;
  }

  /// Splits parts into requests: runs of consecutive bytes within an aligned block of
  /// request_bytes.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> ranges(const std::set<std::uint64_t>& parts,
                                                              std::uint64_t part_bytes) const {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> all;
    for (const std::uint64_t part : parts) {
      for (std::uint64_t byte = part; byte < part + part_bytes; ++byte) {
        if (!all.empty() && all.back().first + all.back().second == byte &&
            byte % description_.lsu.request_bytes != 0) {
          ++all.back().second;
        } else {
          all.emplace_back(byte, 1);
        }
      }
    }
    return all;
  }

  void read(const std::set<std::uint64_t>& parts, std::uint64_t part_bytes,
            PendingResponse expected) {
    const auto token = static_cast<std::uint32_t>(pending_responses_.size());
    for (const auto& [address, bytes] : ranges(parts, part_bytes)) {
      ++expected.responses;
      send(address, bytes, memory::RequestKind::read, 0, bytes, token);
    }
    pending_responses_.push_back(expected);
  }

  void send_atomic(const Instruction& instruction, const Piece& piece) {
    const auto token = static_cast<std::uint32_t>(pending_responses_.size());
    pending_responses_.push_back(
        {.responses = 1, .load = instruction.load, .path = -1, .line = 0, .sectors = {}});
    std::map<std::uint64_t, std::uint32_t> lanes_at;
    std::uint32_t passes = 0;
    std::uint32_t lanes = 0;
    for (const int lane : piece.lanes) {
      passes = std::max(passes, ++lanes_at[instruction.addresses[static_cast<std::size_t>(lane)]]);
      lanes |= 1U << lane;
    }
    const auto count = static_cast<std::uint32_t>(piece.lanes.size());
    const std::uint32_t each = instruction.memory_instruction.bytes_per_lane;
    const std::uint64_t end = *piece.parts.rbegin() + description_.coalescer.shape.sector_bytes;
    send(*piece.parts.begin(), static_cast<std::uint32_t>(end - *piece.parts.begin()),
         memory::RequestKind::atomic, each * count,
         instruction.memory_instruction.wants_old_values ? std::max(each, 4U) * count : 0, token);
    sent.back().passes = passes;
    sent.back().lanes = LaneMask(lanes);
    sent.back().work = instruction.memory_instruction.work;
  }

  void send(std::uint64_t address, std::uint32_t bytes, memory::RequestKind kind,
            std::uint32_t data_bytes, std::uint32_t response_bytes, std::uint32_t token) {
    memory::Request request;
    request.address = address;
    request.bytes = bytes;
    request.kind = kind;
    request.sm = sm_;
    request.token = token;
    request.carried_bytes = data_bytes;
    request.response_bytes = response_bytes;
    request.arrival =
        Cycle(out_.book(now_ + 1, interconnect_.header_bytes + data_bytes) + interconnect_.latency);
    sent.push_back(request);
  }

  void take_in() {
    std::stable_sort(
        arriving_.begin(), arriving_.end(),
        [](const memory::Response& a, const memory::Response& b) { return a.arrival < b.arrival; });
    while (!arriving_.empty() && arriving_.front().arrival.number <= now_) {
      const memory::Response& response = arriving_.front();
      passed_responses_.push_back(
          {response.token, in_.book(response.arrival.number, response.bytes)});
      arriving_.pop_front();
    }
  }

  void receive(std::uint32_t token) {
    PendingResponse& expected = pending_responses_[token];
    if (--expected.responses > 0) return;
    if (expected.path < 0) return complete_part(expected.load, now_);
    Path& path = paths_[expected.path];
    Line* line = path.find(expected.line);
    for (const std::uint64_t sector : expected.sectors) {
      line->pending.erase(sector);
      line->valid.insert(sector);
    }
    std::vector<Waiter> remaining;
    for (Waiter& waiter : path.fetched[expected.line]) {
      for (const std::uint64_t sector : expected.sectors) waiter.missing_sectors.erase(sector);
      if (!waiter.missing_sectors.empty()) {
        remaining.push_back(waiter);
      } else if (waiter.load != kNoLoad) {
        complete_part(waiter.load, now_);
      }
    }
    if (remaining.empty()) {
      path.fetched.erase(expected.line);
    } else {
      path.fetched[expected.line] = remaining;
    }
  }

  void complete_part(std::size_t index, std::uint64_t at) {
    Load& load = loads_[index];
    load.at = std::max(load.at, at);
    if (--load.parts == 0) completions[load.token] = load.at;
  }

  LoadStoreDescription description_;
  memory::InterconnectDescription interconnect_;
  memory::AddressMap partitions_;
  std::uint16_t sm_;
  ModelPort out_;
  ModelPort in_;
  Path paths_[3];
  std::deque<Proposal> proposals_;
  std::uint64_t scratchpad_free_ = 0;
  std::vector<std::uint64_t> scratchpad_starts_;
  std::vector<Load> loads_;
  std::vector<PendingResponse> pending_responses_;
  std::deque<memory::Response> arriving_;
  std::deque<PassedResponse> passed_responses_;
  std::uint64_t now_ = 0;
};

}  // namespace heddle::sm
