#include "lab/reading_with_settings.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/read_values.h"

namespace heddle::lab {
namespace {

/// Copies claims and their variants for one reading.
class SettingsReading {
 public:
  SettingsReading(const config::TomlTable& table, Experiment& experiment)
      : table_(table),
        experiment_(experiment),
        text_(table.text("text")),
        settings_(table.texts("set")) {}

  Claim reading_of(const Claim& claim) {
    Claim reading = claim;
    reading.id.clear();
    reading.text = text_;
    reading.readings.clear();
    reading.relative_to = copy_of(claim.relative_to);
    if (Order* const order = std::get_if<Order>(&reading.kind)) {
      for (std::string& variant : order->variants) variant = copy_of(variant);
      for (std::string& variant : order->relative_to) variant = copy_of(variant);
    } else if (Classes* const classes = std::get_if<Classes>(&reading.kind)) {
      classes->variant = copy_of(classes->variant);
    } else {
      ReportedValue& reported = *reported_value(reading.kind);
      reported.variant = copy_of(reported.variant);
    }
    return reading;
  }

 private:
  /// The name of the variant's copy, which the first call adds. Returns an empty name unchanged.
  std::string copy_of(const std::string& name) {
    if (name.empty()) return name;
    std::string copied = fmt::format("{}, {}", name, text_);
    if (!copies_.insert(copied).second) return copied;
    if (has_variant(experiment_, copied)) {
      table_.fail("text", fmt::format("there is another variant '{}'", copied));
    }
    Variant copy = experiment_.variants[experiment_.variant_index(name)];
    copy.name = copied;
    copy.is_hidden = true;
    if (copy.is_simulated()) {
      copy.settings.insert(copy.settings.end(), settings_.begin(), settings_.end());
    }
    for (std::string& candidate : copy.best_of) candidate = copy_of(candidate);
    copy.as_in = copy_of(copy.as_in);
    experiment_.variants.push_back(std::move(copy));
    for (Row& row : experiment_.rows) {
      if (const std::string* const other = row.substitute_of(name)) {
        const std::string copy_of_other = copy_of(std::string(*other));
        row.substitutes.emplace_back(copied, copy_of_other);
      }
    }
    return copied;
  }

  const config::TomlTable& table_;
  Experiment& experiment_;
  std::string text_;
  std::vector<std::string> settings_;
  std::set<std::string> copies_{};
};

}  // namespace

void read_readings_with_settings(const config::TomlTable& top, Experiment& experiment) {
  for (const config::TomlTable& table : read_common_readings(top)) {
    if (!table.has("set")) continue;
    if (!experiment.machines_alone.empty()) {
      table.fail("set", "a reading with 'set' cannot change the machines of [[alone]]");
    }
    SettingsReading reading(table, experiment);
    for (Claim& claim : experiment.claims) claim.readings.push_back(reading.reading_of(claim));
  }
}

}  // namespace heddle::lab
