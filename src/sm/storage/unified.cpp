// Policy 'unified': registers, scratchpad and L1 are parts of one memory (Gebhart's dissertation,
// chapter 7). The memory has the bytes of sm.registers, sm.shared_bytes and l1.bytes together. Each
// launch divides it anew (sections 7.3.4 and 7.3.5): as many blocks as possible get their registers
// and their shared memory, and the L1 gets the rest. Nothing is lost, because the L1 is written
// through, and nothing else outlives a launch.
//
// Registers, scratchpad and L1 also share the memory's banks (sm/memory/bank_arbiter.h).

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "sm/memory/write_policy.h"
#include "sm/operands/operands.h"
#include "sm/residency/residency.h"
#include "sm/sm_description.h"
#include "sm/storage/launch_sizes.h"
#include "sm/storage/storage.h"

namespace heddle::sm {
namespace {

constexpr std::uint64_t kRegisterBytes = 4;

struct UnifiedParameters {
  std::uint32_t clusters = 8;
  bool gather = false;
  bool conflicts = true;
  std::uint64_t most_l1 = 0;

  void declare(config::Declarations& parameters) {
    parameters.number(
        "clusters", clusters, {.least = 8, .most = 32},
        "clusters of banks; 128 bytes of a kind of storage have as many bytes in each "
        "('unified')");
    parameters.flag(
        "gather", gather,
        "whether a cluster delivers bytes of several of its banks in a cycle, in sum as "
        "many as one bank has ('unified')");
    parameters.flag("conflicts", conflicts,
                    "whether accesses of registers, scratchpad and L1 to one bank conflict "
                    "('unified')");
    parameters.number("most_l1", most_l1, {.unit = "B", .least = 0, .most = 1U << 30},
                      "largest L1; what a launch leaves beyond it is switched off; 0: no limit "
                      "('unified')");
  }
  StorageProperties properties(const StorageDescription&) const {
    return {.shared_banks =
                SharedBanks{.clusters = clusters, .gathers = gather, .conflicts = conflicts}};
  }
  void check(const SmDescription& sm) const {
    check_l1(sm.memory.l1);
    if (!conflicts) return;
    check_scratchpad(sm.memory);
    if (sm.sub_cores.count > 1) {
      throw InputError(fmt::format(
          "storage.policy 'unified' gives one register file to a multiprocessor, but sm.sub_cores "
          "is {}, with a register file each; set storage.conflicts=no",
          sm.sub_cores.count));
    }
    if (make_operands(sm.operands)->share_ports() == nullptr) {
      throw InputError(fmt::format(
          "storage.policy 'unified' shares the banks of the register file, but operands.policy "
          "'{}' has none: choose 'banked', or set storage.conflicts=no",
          sm.operands.policy));
    }
  }

 private:
  void check_l1(const L1Description& l1) const {
    if (!l1.present) {
      throw InputError(
          "storage.policy 'unified' divides a memory among registers, scratchpad and L1, but "
          "l1.present is no: select storage.policy=fixed");
    }
    if (l1.cache.line_bytes != SharedBanks::kRowBytes) {
      throw InputError(fmt::format(
          "storage.policy 'unified' needs an L1 with lines of {} bytes, the bytes of a register of "
          "a warp, but l1.line_bytes is {}",
          SharedBanks::kRowBytes, l1.cache.line_bytes));
    }
    if (writes_back(write_policy_of(l1.global_writes)) ||
        writes_back(write_policy_of(l1.local_writes))) {
      throw InputError(
          "storage.policy 'unified' empties the L1 before a launch, so it must be written "
          "through: l1.global_writes and l1.local_writes must be 'through' or 'evict'");
    }
    const std::uint32_t set_bytes = l1.cache.ways * l1.cache.line_bytes;
    if (most_l1 != 0 && most_l1 < set_bytes) {
      throw InputError(
          fmt::format("storage.most_l1 is {}: the L1 has at least one set of {} lines of {} bytes",
                      most_l1, l1.cache.ways, l1.cache.line_bytes));
    }
  }
  void check_scratchpad(const LoadStoreDescription& memory) const {
    const memory::ScratchpadParameters& shape = memory.scratchpad.shape;
    const std::uint32_t bank_bytes = SharedBanks::kRowBytes / clusters;
    if (!std::has_single_bit(clusters) || shape.banks != clusters ||
        shape.bank_bytes != bank_bytes) {
      throw InputError(fmt::format(
          "storage.policy 'unified' with storage.clusters={} (a power of two) needs a scratchpad "
          "with one bank of each cluster: scratchpad.banks={} and scratchpad.bank_bytes={}, not "
          "{} and {}",
          clusters, clusters, bank_bytes, shape.banks, shape.bank_bytes));
    }
    if (!memory.lsu.shared_pipe) {
      throw InputError(
          "storage.policy 'unified' serves scratchpad and L1 one after the other: set "
          "lsu.shared_pipe=yes, or storage.conflicts=no");
    }
  }
};

class Unified final : public StoragePolicy {
 public:
  Unified(const UnifiedParameters& own, const SmDescription& sm)
      : sm_(sm),
        bytes_(kRegisterBytes * sm.residency.registers + sm.residency.shared_bytes +
               sm.memory.l1.cache.bytes),
        set_bytes_(sm.memory.l1.cache.ways * sm.memory.l1.cache.line_bytes),
        most_l1_(own.most_l1 == 0 ? bytes_ : own.most_l1) {}

  StorageSizes sizes_for(const BlockNeeds& needs) const override {
    Allocation taken =
        properties_of(sm_.residency).allocates_by_warp ? most_warps(needs) : most_blocks(needs);
    add_renaming_registers(taken);
    const std::uint64_t rest = bytes_ - kRegisterBytes * taken.registers - taken.shared_bytes;
    return {.registers = static_cast<std::uint32_t>(taken.registers),
            .shared_bytes = static_cast<std::uint32_t>(taken.shared_bytes),
            .l1_bytes = std::min(rest, most_l1_) / set_bytes_ * set_bytes_,
            .off_bytes = rest - std::min(rest, most_l1_)};
  }
  /// Beside the registers or the scratchpad, there is one set of the L1.
  StorageSizes largest_sizes() const override {
    const std::uint64_t most = bytes_ - set_bytes_;
    return {.registers = static_cast<std::uint32_t>(most / kRegisterBytes),
            .shared_bytes = static_cast<std::uint32_t>(most),
            .l1_bytes = set_bytes_};
  }

 private:
  bool fits(const Allocation& taken) const {
    return kRegisterBytes * taken.registers + taken.shared_bytes + set_bytes_ <= bytes_;
  }
  /// The registers and the shared memory of as many blocks as fit.
  Allocation most_blocks(const BlockNeeds& needs) const {
    const Allocation block = ResourcePool(sm_.residency).block(needs);
    Allocation taken;
    for (Allocation more = block;
         fits(more) && more.warps <= sm_.residency.warps && more.blocks <= sm_.residency.blocks;
         more += block) {
      taken = more;
    }
    return taken;
  }
  /// The registers of as many warps as fit, and the shared memory of their blocks. The last block
  /// may have only some of its warps.
  Allocation most_warps(const BlockNeeds& needs) const {
    const ResourcePool pool(sm_.residency);
    Allocation taken;
    for (std::uint64_t warps = 1; warps <= sm_.residency.warps; ++warps) {
      const std::uint64_t blocks = (warps + needs.warps - 1) / needs.warps;
      if (blocks > sm_.residency.blocks) break;
      Allocation more = pool.warps(needs, warps);
      for (std::uint64_t i = 0; i < blocks; ++i) more += pool.without_warps(needs);
      if (!fits(more)) break;
      taken = more;
    }
    return taken;
  }

  /// Warps that run ahead have their results in registers that blocks leave.
  void add_renaming_registers(Allocation& taken) const {
    for (std::uint32_t i = 0; i < sm_.lookahead.renaming_registers(); ++i) {
      Allocation more = taken;
      more.registers += kWarpSize;
      if (!fits(more)) return;
      taken = more;
    }
  }

  const SmDescription& sm_;
  std::uint64_t bytes_;      ///< Of the whole memory.
  std::uint64_t set_bytes_;  ///< Of a set of the L1.
  std::uint64_t most_l1_;
};

const StorageRegistry::Entry unified_entry{
    "unified", "registers, scratchpad and L1 share one memory, which each launch divides anew",
    [](const UnifiedParameters& own, const SmDescription& sm) {
      return std::make_unique<Unified>(own, sm);
    }};

}  // namespace
}  // namespace heddle::sm
