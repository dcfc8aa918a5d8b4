#include "gpu/sampler.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace heddle::gpu {

Sampler::Sampler(Cycles interval, Cycle begin, std::vector<std::uint64_t> counters)
    : interval_(interval),
      begin_(begin),
      next_due_(begin + interval),
      last_counters_(std::move(counters)) {}

std::vector<std::uint64_t> Sampler::since_last(const std::vector<std::uint64_t>& counters) {
  std::vector<std::uint64_t> counted(counters);
  for (std::size_t i = 0; i < counted.size(); ++i) counted[i] -= last_counters_[i];
  last_counters_ = counters;
  return counted;
}

void Sampler::take(Cycle now, const std::vector<std::uint64_t>& counters) {
  const Cycle from = samples_.empty() ? begin_ : samples_.back().end;
  samples_.push_back({.begin = from, .end = now, .counters = since_last(counters)});
  // Intervals that end within one epoch share a sample.
  next_due_ = begin_ + interval_ * ((now - begin_).count / interval_.count + 1);
}

void Sampler::end(Cycle at, const std::vector<std::uint64_t>& counters) {
  has_ended_ = true;
  const Cycle from = samples_.empty() ? begin_ : samples_.back().end;
  const std::uint64_t rest = at > from ? (at - from).count : 0;
  if (samples_.empty() || 2 * rest >= interval_.count) {
    if (rest > 0) take(at, counters);
    return;
  }
  Sample& last = samples_.back();
  last.end = std::max(last.end, at);
  const std::vector<std::uint64_t> more = since_last(counters);
  for (std::size_t i = 0; i < more.size(); ++i) last.counters[i] += more[i];
}

std::vector<Sample> Sampler::finish(Cycle at, const std::vector<std::uint64_t>& counters) {
  if (!has_ended_) end(at, counters);
  if (counters != last_counters_) {
    take(std::max(at, samples_.empty() ? at : samples_.back().end), counters);
  }
  return std::move(samples_);
}

}  // namespace heddle::gpu
