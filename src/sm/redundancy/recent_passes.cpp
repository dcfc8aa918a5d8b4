#include "sm/redundancy/recent_passes.h"

#include <bit>
#include <cassert>
#include <utility>

namespace heddle::sm {
namespace {

std::uint64_t hash_of(const ComputedPass& pass) {
  std::uint64_t hash = pass.launch.grid_id;
  const auto mix = [&hash](std::uint64_t bits) {
    hash = (hash ^ bits) * 0xff51'afd7'ed55'8ccdU;
    hash ^= hash >> 32;
  };
  mix(std::uint64_t{pass.pc} << 32 | pass.active.bits());
  for (std::size_t i = 1; i < pass.values.size(); i += 2) {
    mix(std::uint64_t{pass.values[i]} << 32 | pass.values[i - 1]);
  }
  if (pass.values.size() % 2 == 1) mix(pass.values.back());
  return hash;
}

}  // namespace

RecentPasses::RecentPasses(std::size_t length)
    : kept_(length), newest_of_bucket_(std::bit_ceil(2 * length)) {
  assert(length > 0);
}

EqualPass RecentPasses::find(const ComputedPass& pass, std::uint64_t hash) const {
  EqualPass found = EqualPass::none;
  std::uint64_t number = newest_of_bucket_[bucket_of(hash)];
  while (is_kept(number)) {
    const Kept& kept = kept_[number % kept_.size()];
    if (kept.hash == hash && kept.pass.equals(pass)) {
      if (kept.pass.static_warps != pass.static_warps) return EqualPass::of_other_warp;
      found = EqualPass::of_same_warp;
    }
    number = kept.previous;
  }
  return found;
}

EqualPass RecentPasses::add(ComputedPass& pass) {
  const std::uint64_t hash = hash_of(pass);
  const EqualPass found = find(pass, hash);
  std::uint64_t& newest_of_bucket = newest_of_bucket_[bucket_of(hash)];
  ++newest_;
  Kept& oldest = kept_[newest_ % kept_.size()];
  std::swap(oldest.pass, pass);
  oldest.hash = hash;
  oldest.previous = std::exchange(newest_of_bucket, newest_);
  return found;
}

}  // namespace heddle::sm
