#include "ptx/symbol_table.h"

#include <algorithm>

#include "ptx/nearest_name.h"

namespace heddle::ptx {
namespace {

// The maximum number of names that are compared for a suggestion.
constexpr std::size_t kMaxCandidates = 2000;

}  // namespace

void SymbolTable::enter_scope() { scopes_.push_back(static_cast<std::uint32_t>(entries_.size())); }

void SymbolTable::leave_scope() {
  while (entries_.size() > scopes_.back()) {
    const Entry& e = entries_.back();
    Names& names = names_of(e.symbol);
    if (e.hidden_entry == kNone) {
      names.erase(e.name);
    } else {
      names[e.name] = e.hidden_entry;
    }
    entries_.pop_back();
  }
  scopes_.pop_back();
}

const Symbol* SymbolTable::declare(std::string_view name, const Symbol& symbol) {
  const auto current_depth = static_cast<std::uint32_t>(depth());
  const auto [visible, is_new] =
      names_of(symbol).try_emplace(name, static_cast<std::uint32_t>(entries_.size()));
  std::uint32_t hidden_entry = kNone;
  if (!is_new) {
    if (entries_[visible->second].symbol.depth == current_depth)
      return &entries_[visible->second].symbol;
    hidden_entry = visible->second;
    visible->second = static_cast<std::uint32_t>(entries_.size());
  }
  entries_.push_back({name, symbol, hidden_entry});
  entries_.back().symbol.depth = current_depth;
  return nullptr;
}

const SymbolTable::Entry* SymbolTable::find_entry(const Names& names, std::string_view name) const {
  const auto found = names.find(name);
  return found == names.end() ? nullptr : &entries_[found->second];
}

const Symbol* SymbolTable::find(std::string_view name) const {
  const Entry* e = find_entry(names_, name);
  return e == nullptr ? nullptr : &e->symbol;
}

bool SymbolTable::is_in_current_scope(const Symbol& symbol) const {
  return symbol.depth == depth();
}

SymbolTable::Member SymbolTable::find_member(std::string_view name) const {
  // A family's count has at most ten digits.
  constexpr std::size_t kMaxDigits = 10;
  std::size_t digits_begin = name.size();
  while (digits_begin > 0 && name.size() - digits_begin < kMaxDigits &&
         name[digits_begin - 1] >= '0' && name[digits_begin - 1] <= '9') {
    --digits_begin;
  }
  const Entry* hiding_entry = find_entry(names_, name);
  Member out_of_range;
  // A family's name may itself end in digits: `%f321` can belong to `%f<n>` or to `%f32<n>`.
  for (std::size_t start = digits_begin; start < name.size(); ++start) {
    if (name[start] == '0' && start + 1 < name.size()) continue;
    const Entry* family = find_entry(families_, name.substr(0, start));
    if (family == nullptr) continue;
    std::uint64_t number = 0;
    for (const char c : name.substr(start)) number = number * 10 + static_cast<unsigned>(c - '0');
    // If the innermost family is too small for the number, an outer one of the same name may have
    // it.
    const Entry* owner = family;
    while (number >= owner->symbol.count && owner->hidden_entry != kNone) {
      owner = &entries_[owner->hidden_entry];
    }
    const bool is_in_range = number < owner->symbol.count;
    if (!is_in_range) owner = family;
    if (hiding_entry != nullptr && hiding_entry->symbol.depth >= owner->symbol.depth) continue;
    const std::uint64_t clamped = std::min<std::uint64_t>(number, 0xffffffff);
    const Member member{&owner->symbol, static_cast<std::uint32_t>(clamped)};
    if (is_in_range) return member;
    if (out_of_range.family == nullptr) out_of_range = member;
  }
  return hiding_entry == nullptr ? out_of_range : Member{};
}

std::string_view SymbolTable::nearest(std::string_view name) const {
  NearestName nearest(name);
  const std::size_t count = std::min(entries_.size(), kMaxCandidates);
  for (std::size_t i = 0; i < count; ++i) {
    const Entry& e = entries_[entries_.size() - 1 - i];
    if (e.symbol.kind != Symbol::Kind::family) nearest.consider(e.name);
  }
  return nearest.best();
}

}  // namespace heddle::ptx
