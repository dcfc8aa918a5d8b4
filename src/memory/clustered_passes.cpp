#include "memory/clustered_passes.h"

#include <algorithm>
#include <array>

namespace heddle::memory {
namespace {

constexpr std::uint64_t kWordBytes = 4;
constexpr std::size_t kMaxClusters = 32;
constexpr std::size_t kMaxBankBytes = 16;

/// What a cluster delivers in one pass: at most kMaxBankBytes bytes.
struct ClusterPass {
  using Numbers = InlineVector<std::uint64_t, kMaxBankBytes / kWordBytes>;

  Numbers rows{};   ///< The numbers of its rows, each once.
  Numbers words{};  ///< The numbers of its words, each once.
};

bool contains(const ClusterPass::Numbers& numbers, std::uint64_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}
void insert(ClusterPass::Numbers& numbers, std::uint64_t number) {
  if (!contains(numbers, number)) numbers.push_back(number);
}

/// What one pass accesses if clusters gather.
class GatheringPass {
 public:
  GatheringPass(const ClusteredPasses::Shape& shape, ClusteredPasses::SameWord same_word)
      : shape_(shape), bank_bytes_(shape.row_bytes / shape.clusters), same_word_(same_word) {}

  /// Adds the access of a lane. Returns false, and adds nothing, if the lane cannot share the pass.
  bool add(std::uint64_t address, std::uint32_t bytes) {
    // The part of the access in each cluster: aligned, like the access, to its size.
    const std::uint64_t part_bytes = std::min<std::uint64_t>(bytes, bank_bytes_);
    for (std::uint64_t part = 0; part < bytes; part += part_bytes) {
      if (!accepts(address + part, part_bytes)) return false;
    }
    for (std::uint64_t part = 0; part < bytes; part += part_bytes) {
      ClusterPass& cluster = cluster_of(address + part);
      insert(cluster.rows, row_of(address));
      for_each_word(address + part, part_bytes,
                    [&](std::uint64_t word) { insert(cluster.words, word); });
    }
    return true;
  }

 private:
  template <class Visit>
  static void for_each_word(std::uint64_t address, std::uint64_t bytes, Visit&& visit) {
    for (std::uint64_t at = address; at < address + bytes; at += kWordBytes) visit(at / kWordBytes);
  }
  std::uint64_t row_of(std::uint64_t address) const { return address / shape_.row_bytes; }
  ClusterPass& cluster_of(std::uint64_t address) {
    return clusters_[address % shape_.row_bytes / bank_bytes_];
  }

  /// Whether the cluster can also deliver these bytes, which lie in it.
  bool accepts(std::uint64_t address, std::uint64_t bytes) {
    const ClusterPass& cluster = cluster_of(address);
    const std::uint64_t row = row_of(address);
    for (const std::uint64_t other : cluster.rows) {
      const bool is_same_bank = other % shape_.banks == row % shape_.banks;
      if (is_same_bank && (other != row || same_word_ == ClusteredPasses::SameWord::serialised)) {
        return false;
      }
    }
    std::uint64_t words = cluster.words.size();
    for_each_word(address, bytes,
                  [&](std::uint64_t word) { words += contains(cluster.words, word) ? 0U : 1U; });
    return words * kWordBytes <= bank_bytes_;
  }

  const ClusteredPasses::Shape& shape_;
  std::uint64_t bank_bytes_;
  ClusteredPasses::SameWord same_word_;
  std::array<ClusterPass, kMaxClusters> clusters_{};
};

/// The rows that each cluster delivers, one after another, if it delivers one row a pass.
class RowsOfClusters {
 public:
  /// The pass in which the cluster delivers the row. A new row is delivered after the others.
  std::size_t pass_of(std::size_t cluster, std::uint64_t row) {
    const std::uint64_t* const rows = rows_[cluster].data();
    for (std::size_t pass = 0; pass < counts_[cluster]; ++pass) {
      if (rows[pass] == row) return pass;
    }
    return next_pass(cluster, row);
  }
  /// A pass in which the cluster delivers nothing else.
  std::size_t next_pass(std::size_t cluster, std::uint64_t row) {
    rows_[cluster][counts_[cluster]] = row;
    return counts_[cluster]++;
  }

 private:
  std::array<std::uint8_t, kMaxClusters> counts_{};
  std::array<std::array<std::uint64_t, kWarpSize>, kMaxClusters> rows_;  ///< The first are valid.
};

}  // namespace

void ClusteredPasses::append_passes(const Group& group, SameWord same_word, Passes& found) const {
  RowsOfClusters clusters;
  const std::size_t first = found.size();
  for (LaneMask rest = group.lanes; !rest.empty(); rest = rest.without_lowest()) {
    const std::uint64_t address = group.addresses[static_cast<std::size_t>(rest.lowest())];
    // An access that is wider than a bank is in several clusters, always the same ones together.
    const std::uint64_t cluster = address % shape_.row_bytes / bank_bytes();
    const std::uint64_t row = address / shape_.row_bytes;
    const std::size_t pass =
        first + (same_word == SameWord::shared ? clusters.pass_of(cluster, row)
                                               : clusters.next_pass(cluster, row));
    if (pass == found.size()) found.push_back(0);
    found[pass] |= bank_of(address);
  }
}

void ClusteredPasses::append_gathering_passes(const Group& group, SameWord same_word,
                                              Passes& found) const {
  LaneMask waiting = group.lanes;
  while (!waiting.empty()) {
    GatheringPass pass(shape_, same_word);
    BankSet banks = 0;
    LaneMask served;
    for (LaneMask rest = waiting; !rest.empty(); rest = rest.without_lowest()) {
      const std::uint64_t address = group.addresses[static_cast<std::size_t>(rest.lowest())];
      if (!pass.add(address, group.bytes_per_lane)) continue;
      banks |= bank_of(address);
      served = served | LaneMask::of_lane(rest.lowest());
    }
    found.push_back(banks);
    waiting = waiting.without(served);
  }
}

ClusteredPasses::Passes ClusteredPasses::passes(const LaneAddresses& addresses, LaneMask active,
                                                std::uint32_t bytes_per_lane,
                                                SameWord same_word) const {
  Passes found;
  const int group_lanes = static_cast<int>(
      std::min<std::uint32_t>(kWarpSize, shape_.pass_bytes / std::max(bytes_per_lane, 4U)));
  for (int first = 0; first < kWarpSize; first += group_lanes) {
    const Group group{
        .addresses = addresses,
        .lanes = active & LaneMask(LaneMask::first_lanes(group_lanes).bits() << first),
        .bytes_per_lane = bytes_per_lane};
    if (group.lanes.empty()) continue;
    // Most accesses lie in one row.
    if (same_word == SameWord::shared &&
        differing_bits(addresses, group.lanes) < shape_.row_bytes) {
      found.push_back(bank_of(addresses[static_cast<std::size_t>(group.lanes.lowest())]));
    } else if (shape_.gathers) {
      append_gathering_passes(group, same_word, found);
    } else {
      append_passes(group, same_word, found);
    }
  }
  return found;
}

}  // namespace heddle::memory
