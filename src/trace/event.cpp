#include "trace/event.h"

#include <algorithm>
#include <cassert>

namespace heddle::trace {
namespace {

std::vector<const Kind*>& registered_kinds() {
  static std::vector<const Kind*> kinds;
  return kinds;
}

}  // namespace

Kind::Kind(std::string_view name, std::string_view meaning, std::initializer_list<Field> fields)
    : name_(name), meaning_(meaning), count_(fields.size()) {
  assert(fields.size() <= kMaxFields);
  std::copy(fields.begin(), fields.end(), fields_.begin());
  registered_kinds().push_back(this);
}

std::vector<const Kind*> Kind::all() {
  std::vector<const Kind*> kinds = registered_kinds();
  std::sort(kinds.begin(), kinds.end(),
            [](const Kind* a, const Kind* b) { return a->name() < b->name(); });
  return kinds;
}

}  // namespace heddle::trace
