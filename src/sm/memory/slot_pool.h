#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::sm {

/// Records that are found by number. Numbers are used again, the last one given back first, so that
/// room is made only when more are in use than ever before.
template <class Record>
class SlotPool {
 public:
  std::uint32_t take(const Record& record) {
    if (free_.empty()) {
      records_.push_back(record);
      return static_cast<std::uint32_t>(records_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    records_[number] = record;
    return number;
  }
  void give_back(std::uint32_t number) { free_.push_back(number); }

  /// Until the next take().
  Record& operator[](std::uint32_t number) { return records_[number]; }
  std::size_t in_use() const { return records_.size() - free_.size(); }

 private:
  std::vector<Record> records_;
  std::vector<std::uint32_t> free_;
};

}  // namespace heddle::sm
