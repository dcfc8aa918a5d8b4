// The driver's calls for occupancy: how many blocks of a kernel are resident on a multiprocessor.

#include <algorithm>

#include "cuda/driver/call.h"
#include "cuda/runtime/launch_limits.h"

namespace heddle::cuda::driver {
namespace {

int blocks_of(abi::FunctionHandle function, int threads, std::size_t dynamic_shared_bytes,
              unsigned flags) {
  int blocks = 0;
  require(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, threads,
                                                                 dynamic_shared_bytes, flags));
  return blocks;
}

/// A block size, and the number of such blocks that are resident on a multiprocessor.
struct BlockChoice {
  int threads = 0;
  int blocks = 0;
};

/// The block size with which the most threads are resident on a multiprocessor; of several such
/// sizes, the largest. It is at most `limit` threads; 0: no limit. `shared_bytes_of`, if not null,
/// replaces `shared_bytes`.
BlockChoice best_block(Session& session, abi::FunctionHandle function,
                       abi::SharedBytesOfBlock shared_bytes_of, std::size_t shared_bytes, int limit,
                       unsigned flags) {
  constexpr int kWarpThreads = 32;
  const code::FunctionInfo& info = info_of(session.modules.function(function), session.device());
  const int max = static_cast<int>(max_threads(info, session.simulation().machine()));
  const int largest = limit > 0 ? std::min(limit, max) : max;
  BlockChoice best;
  for (int threads = largest; threads > 0; threads = (threads - 1) / kWarpThreads * kWarpThreads) {
    const std::size_t bytes = shared_bytes_of != nullptr ? shared_bytes_of(threads) : shared_bytes;
    const int blocks = blocks_of(function, threads, bytes, flags);
    if (blocks * threads > best.blocks * best.threads) best = {threads, blocks};
  }
  return best;
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, abi::FunctionHandle function, int threads, std::size_t dynamic_shared_bytes,
    unsigned flags) {
  return in_context("cuOccupancyMaxActiveBlocksPerMultiprocessor", [&](Session&) {
    result_at(blocks) = blocks_of(function, threads, dynamic_shared_bytes, flags);
  });
}

HEDDLE_CUDA_EXPORT Result cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, abi::FunctionHandle function, int threads, std::size_t dynamic_shared_bytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                              dynamic_shared_bytes, 0);
}

HEDDLE_CUDA_EXPORT Result cuOccupancyMaxPotentialBlockSizeWithFlags(
    int* grid, int* threads, abi::FunctionHandle function, abi::SharedBytesOfBlock shared_bytes_of,
    std::size_t dynamic_shared_bytes, int limit, unsigned flags) {
  return in_context("cuOccupancyMaxPotentialBlockSize", [&](Session& session) {
    const BlockChoice best =
        best_block(session, function, shared_bytes_of, dynamic_shared_bytes, limit, flags);
    result_at(threads) = best.threads;
    result_at(grid) = best.blocks * static_cast<int>(session.simulation().machine().chip.sms);
  });
}

HEDDLE_CUDA_EXPORT Result cuOccupancyMaxPotentialBlockSize(int* grid, int* threads,
                                                           abi::FunctionHandle function,
                                                           abi::SharedBytesOfBlock shared_bytes_of,
                                                           std::size_t dynamic_shared_bytes,
                                                           int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, threads, function, shared_bytes_of,
                                                   dynamic_shared_bytes, limit, 0);
}

HEDDLE_CUDA_EXPORT Result cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes,
                                                                  abi::FunctionHandle function,
                                                                  int blocks, int threads) {
  return in_context("cuOccupancyAvailableDynamicSMemPerBlock", [&](Session&) {
    require(cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads));
  });
}

}  // namespace heddle::cuda::driver
