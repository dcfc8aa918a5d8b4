#include "locality/footprint.h"

namespace heddle::locality {

void Footprint::end_interval() {
  ended_.push_back({.accesses = accesses_, .lines = lines_.size()});
  accesses_ = 0;
  lines_.clear();
}

std::vector<Footprint::Interval> Footprint::intervals() const {
  std::vector<Interval> all = ended_;
  if (accesses_ > 0) all.push_back({.accesses = accesses_, .lines = lines_.size()});
  return all;
}

}  // namespace heddle::locality
