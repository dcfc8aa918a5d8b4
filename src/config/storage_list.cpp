#include "config/storage_list.h"

#include <algorithm>

namespace heddle::config {

void StorageList::add(const StorageArray& array) {
  const auto is_same = [&](const StorageArray& other) { return other.name == array.name; };
  if (scope_ == Scope::all && std::any_of(arrays_.begin(), arrays_.end(), is_same)) return;
  arrays_.push_back(array);
}

}  // namespace heddle::config
