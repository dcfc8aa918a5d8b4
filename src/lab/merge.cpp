#include "lab/merge.h"

#include <algorithm>

#include "base/error.h"
#include "lab/measures.h"

namespace heddle::lab {
namespace {

// A transaction waits for the disk, so each adds many runs; together they are bounded, as results
// with programs side by side can be long.
constexpr std::size_t kMostRuns = 500;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

constexpr std::size_t kKeyLength = 64;  ///< of a SHA-256 in hexadecimal digits

bool is_key(std::string_view key) {
  return key.size() == kKeyLength && std::ranges::all_of(key, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool can_be_read(const StoredRun& run) {
  try {
    Measures::from_result(run.result);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// Runs that wait to be added together.
class Batch {
 public:
  explicit Batch(Store& store) : store_(store) {}

  void add(const StoredRun& run) {
    runs_.push_back(run);
    bytes_ += run.result.size() + run.parameters.size();
    if (runs_.size() >= kMostRuns || bytes_ >= kMostBytes) write();
  }
  void write() {
    if (!runs_.empty()) store_.add(runs_);
    runs_.clear();
    bytes_ = 0;
  }

 private:
  Store& store_;
  std::vector<StoredRun> runs_{};
  std::size_t bytes_ = 0;
};

}  // namespace

MergedRuns merge(Store& store, const Store& other) {
  MergedRuns merged;
  Batch batch(store);
  std::vector<std::string> unreadable;
  merged.damaged = other.for_each({}, [&](const StoredRun& run) {
    if (!is_key(run.key) || !can_be_read(run)) {
      unreadable.push_back(run.key);
      return;
    }
    const Store::LookupResult here = store.look_up(run.key);
    if (here.state != Store::State::sound) {
      ++merged.added;
      batch.add(run);
    } else if (here.run.result == run.result) {
      ++merged.known;
    } else {
      merged.differing.push_back(run.key);
    }
  });
  batch.write();
  merged.damaged.insert(merged.damaged.end(), unreadable.begin(), unreadable.end());
  return merged;
}

}  // namespace heddle::lab
