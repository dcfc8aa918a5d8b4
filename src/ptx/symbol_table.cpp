#include "ptx/symbol_table.h"

#include <algorithm>

#include "ptx/nearest_name.h"

namespace heddle::ptx {
namespace {

// The limit of names compared for a suggestion.
constexpr std::size_t kMostConsidered = 2000;

}  // namespace

void SymbolTable::enter_scope() { scopes_.push_back(static_cast<std::uint32_t>(entries_.size())); }

void SymbolTable::leave_scope() {
  while (entries_.size() > scopes_.back()) {
    const Entry& e = entries_.back();
    Names& names = names_of(e.symbol);
    if (e.hidden == kNone) {
      names.erase(e.name);
    } else {
      names[e.name] = e.hidden;
    }
    entries_.pop_back();
  }
  scopes_.pop_back();
}

const Symbol* SymbolTable::declare(std::string_view name, const Symbol& symbol) {
  const auto here = static_cast<std::uint32_t>(depth());
  const auto [place, is_new] =
      names_of(symbol).try_emplace(name, static_cast<std::uint32_t>(entries_.size()));
  std::uint32_t hidden = kNone;
  if (!is_new) {
    if (entries_[place->second].symbol.depth == here) return &entries_[place->second].symbol;
    hidden = place->second;
    place->second = static_cast<std::uint32_t>(entries_.size());
  }
  entries_.push_back({name, symbol, hidden});
  entries_.back().symbol.depth = here;
  return nullptr;
}

const SymbolTable::Entry* SymbolTable::entry(const Names& names, std::string_view name) const {
  const auto found = names.find(name);
  return found == names.end() ? nullptr : &entries_[found->second];
}

const Symbol* SymbolTable::find(std::string_view name) const {
  const Entry* e = entry(names_, name);
  return e == nullptr ? nullptr : &e->symbol;
}

bool SymbolTable::declared_here(const Symbol& symbol) const { return symbol.depth == depth(); }

SymbolTable::Member SymbolTable::find_member(std::string_view name) const {
  // A family's count has at most ten digits.
  constexpr std::size_t kMostDigits = 10;
  std::size_t first = name.size();
  while (first > 0 && name.size() - first < kMostDigits && name[first - 1] >= '0' &&
         name[first - 1] <= '9') {
    --first;
  }
  const Entry* hiding = entry(names_, name);
  Member out_of_range;
  // A prefix may itself end in digits: `%f321` can belong to `%f<n>` or to `%f32<n>`.
  for (std::size_t start = first; start < name.size(); ++start) {
    if (name[start] == '0' && start + 1 < name.size()) continue;
    const Entry* family = entry(families_, name.substr(0, start));
    if (family == nullptr) continue;
    std::uint64_t number = 0;
    for (const char c : name.substr(start)) number = number * 10 + static_cast<unsigned>(c - '0');
    // The innermost family may be too small for the number; an outer one of the same name may not.
    const Entry* owner = family;
    while (number >= owner->symbol.count && owner->hidden != kNone) {
      owner = &entries_[owner->hidden];
    }
    const bool found = number < owner->symbol.count;
    if (!found) owner = family;
    if (hiding != nullptr && hiding->symbol.depth >= owner->symbol.depth) continue;
    const std::uint64_t clipped = std::min<std::uint64_t>(number, 0xffffffff);
    const Member member{&owner->symbol, static_cast<std::uint32_t>(clipped)};
    if (found) return member;
    if (out_of_range.family == nullptr) out_of_range = member;
  }
  return hiding == nullptr ? out_of_range : Member{};
}

std::string_view SymbolTable::nearest(std::string_view name) const {
  NearestName nearest(name);
  const std::size_t last = std::min(entries_.size(), kMostConsidered);
  for (std::size_t i = 0; i < last; ++i) {
    const Entry& e = entries_[entries_.size() - 1 - i];
    if (e.symbol.kind != Symbol::Kind::family) nearest.consider(e.name);
  }
  return nearest.best();
}

}  // namespace heddle::ptx
