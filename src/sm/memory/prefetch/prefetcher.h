#pragma once

// The interface of prefetchers: policies that observe the loads that access the L1, and propose
// lines to fetch before a load needs them.

#include <cstdint>
#include <memory>

#include "base/counters.h"
#include "base/inline_vector.h"
#include "config/policy_registry.h"
#include "sm/ids.h"
#include "sm/memory/prefetch/prefetch_description.h"

namespace heddle::sm {

/// A demand access: an access of a load to the L1.
struct DemandAccess {
  enum class Outcome : std::uint8_t {
    hit,
    miss,    ///< Its data are fetched.
    merged,  ///< Its data are already being fetched, for a load or by a prefetch.
  };

  std::uint64_t line = 0;  ///< The line number: the address divided by the line size.
  /// The byte address of the lowest lane that accesses the line.
  std::uint64_t address = 0;
  std::uint32_t line_bytes = 128;  ///< The size of a line.
  Outcome outcome = Outcome::hit;
  WarpSlot warp = 0;
  std::uint32_t pc = 0;
  std::uint32_t index = 0;  ///< Its place among the accesses of its instruction, from 0 on.
};

/// The numbers of the lines that a prefetcher proposes, the most important first.
using ProposedLines = InlineVector<std::uint64_t, PrefetchDescription::kMaxDegree>;

class Prefetcher {
 public:
  Prefetcher() = default;
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;
  virtual ~Prefetcher() = default;

  /// Observes a demand access, and appends lines to `proposed`, which is empty. Accesses are
  /// reported in the order in which they are made. The lines need not be absent from the L1, nor be
  /// lines of allocated memory.
  virtual void observe(const DemandAccess& access, ProposedLines& proposed) = 0;
  /// Called between kernels: forgets all accesses.
  virtual void invalidate() {}
  virtual void declare(CounterList& /*counters*/) {}
};

struct PrefetchSeam {
  using Policy = Prefetcher;
  using Description = PrefetchDescription;
  using Place = PrefetchDescription;
  using Context = PrefetchDescription;
  using Properties = config::NoProperties;
};
using PrefetchRegistry = config::PolicyRegistry<PrefetchSeam>;

/// Makes the policy that the description names; null if nothing is prefetched.
std::unique_ptr<Prefetcher> make_prefetcher(const PrefetchDescription& description);

}  // namespace heddle::sm
