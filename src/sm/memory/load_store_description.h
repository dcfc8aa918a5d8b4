#pragma once

// The parameters of a multiprocessor's load-store unit.

#include <cstdint>
#include <string>

#include "config/declarations.h"
#include "config/storage_list.h"
#include "memory/coalescer_parameters.h"
#include "memory/scratchpad_parameters.h"
#include "sm/memory/cache_description.h"
#include "sm/memory/prefetch/prefetch_description.h"

namespace heddle::sm {

struct LoadStoreQueueDescription {
  std::uint32_t queue = 8;            ///< Size in instructions, as for the other queues below.
  std::uint32_t address_cycles = 2;   ///< From the issue of an access to its L1 look-up.
  std::uint32_t request_bytes = 128;  ///< Size of the largest request to memory.
  std::uint32_t send_backlog = 32;    ///< How far ahead the crossbar port may be booked, in cycles.
  bool shared_pipe = false;           ///< Whether shared memory uses the queue of the L1.

  void declare(config::Declarations& parameters);
};

struct CoalescerDescription {
  memory::CoalescerParameters shape;

  void declare(config::Declarations& parameters);
};

struct L1Description {
  bool present = true;  ///< Whether loads of global and local memory are cached.
  CacheDescription cache;
  PrefetchDescription prefetch;
  std::string global_writes = "through";
  std::string local_writes = "through";

  void declare(config::Declarations& parameters);
};

struct ScratchpadDescription {
  memory::ScratchpadParameters shape;
  std::uint32_t latency = 20;
  std::uint32_t queue = 8;

  void declare(config::Declarations& parameters);
};

/// Where the local memory of a thread is. Its first `private_bytes` bytes are in the scratchpad,
/// where each lane has a bank. Narasiman et al., Large Warps, section 2.2, call this part private
/// memory, as OpenCL does. The rest is in device memory, and is accessed through the L1.
struct LocalDescription {
  std::uint32_t private_bytes = 0;

  void declare(config::Declarations& parameters);
  /// The number of scratchpad bytes that a block of `warps` static warps needs for the private
  /// parts. `local_bytes`: the size of a thread's local memory.
  std::uint32_t bytes_of_block(std::uint32_t warps, std::uint32_t local_bytes) const;
};

struct ConstantDescription {
  CacheDescription cache{.bytes = 8192, .line_bytes = 64, .latency = 8, .mshrs = 4, .merges = 32};
  std::uint32_t queue = 4;

  void declare(config::Declarations& parameters);
};

struct TextureDescription {
  CacheDescription cache{.bytes = 12288, .ways = 24, .latency = 100, .merges = 32};
  std::uint32_t lanes = 4;  ///< Texels that the unit filters per cycle.
  std::uint32_t queue = 8;

  void declare(config::Declarations& parameters);
};

struct LoadStoreDescription {
  LoadStoreQueueDescription lsu;
  CoalescerDescription coalescer;
  L1Description l1;
  ScratchpadDescription scratchpad;
  LocalDescription local;
  ConstantDescription constant;
  TextureDescription texture;

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Throws InputError if parameters contradict each other. `interleave_bytes`: the number of
  /// consecutive bytes in a memory partition.
  void check(std::uint32_t interleave_bytes) const;
};

}  // namespace heddle::sm
