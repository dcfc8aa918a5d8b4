#include "memory/replacement/replacement_description.h"

#include "memory/replacement/replacement.h"

namespace heddle::memory {

void ReplacementDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, ReplacementRegistry::names(),
                    "which line of a full set is evicted");
  ReplacementRegistry::declare(*this, parameters);
}

void ReplacementDescription::check(std::string_view cache, std::uint32_t ways) const {
  ReplacementRegistry::check(policy, *this, {.cache = cache, .ways = ways});
}

std::unique_ptr<Replacement> make_replacement(const ReplacementDescription& description) {
  return ReplacementRegistry::make(description.policy, description, description);
}

}  // namespace heddle::memory
