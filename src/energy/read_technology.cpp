// Reads a technology's file. Its figures override those of its base technology ('based_on').

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "config/toml_table.h"
#include "energy/figures.h"
#include "energy/read_areas.h"
#include "energy/read_models.h"
#include "energy/storage.h"
#include "energy/technology.h"

namespace heddle::energy {
namespace {

using config::TomlTable;

/// Returns `found`, the event or component that `key` ('of', for example) names. Fails with a
/// suggestion if it is empty.
template <class Found>
Found found_or_fail(const TomlTable& table, std::string_view key, std::optional<Found> found,
                    std::string_view what, const std::vector<std::string>& names) {
  if (found) return *found;
  const std::string name = table.text(key);
  table.fail(key, fmt::format("unknown {} '{}'{}", what, name, suggestion(name, names)));
}

Event event_named(const TomlTable& table, std::string_view key) {
  return found_or_fail(table, key, find_event(table.text(key)), "event", event_names());
}

Component component_named(const TomlTable& table, std::string_view key) {
  return found_or_fail(table, key, find_component(table.text(key)), "component", component_names());
}

class Reader {
 public:
  Reader(const TomlTable& top, Technology& technology) : top_(top), technology_(technology) {}

  void read() {
    technology_.summary = top_.text("summary");
    technology_.node_nm = read_figure(top_, "node_nm");
    require_within(top_, "node_nm", technology_.node_nm, 1);
    technology_.volts = read_figure(top_, "volts");
    require_within(top_, "volts", technology_.volts, 0.01);
    technology_.machines = top_.texts("machines");
    if (top_.has("based_on")) {
      inherit_base();
    } else if (top_.has("based_on_times")) {
      top_.fail("based_on_times", "'based_on_times' needs 'based_on'");
    }
    read_models(top_, technology_);
    read_areas(top_, technology_);
    read_energies();
    read_powers();
    check_included();
  }

 private:
  Origin origin_in(const TomlTable& table) const {
    return {.source = table.text("source"),
            .technology = technology_.name,
            .place = table.location("of")};
  }

  /// Dynamic energies of another node or voltage need a scaling factor with a stated source.
  /// Leakage, the chip model and wires have no such factor; they are inherited only from a base of
  /// the same node and voltage.
  void inherit_base() {
    const std::string name = top_.text("based_on");
    const Technology base = top_.at("based_on", [&] { return load_known(name); });
    const bool is_same_process =
        base.node_nm == technology_.node_nm && base.volts == technology_.volts;
    if (!is_same_process && !top_.has("based_on_times")) {
      top_.fail("based_on",
                fmt::format("'{}' has {} nm and {} V: 'based_on_times' and 'based_on_source' must "
                            "say by what factor its energies are multiplied, and why",
                            name, base.node_nm, base.volts));
    }
    double times = 1;
    std::string source;
    if (top_.has("based_on_times")) {
      times = read_figure(top_, "based_on_times");
      require_within(top_, "based_on_times", times, 0);
      source = fmt::format("; times {}: {}", times, top_.text("based_on_source"));
    }
    technology_.energies = base.energies;
    for (std::optional<EventEnergy>& energy : technology_.energies) {
      if (!energy || energy->included_in) continue;
      energy->times *= times;
      energy->origin.source += source;
    }
    if (is_same_process) {
      technology_.powers = base.powers;
      technology_.chip_model = base.chip_model;
      technology_.wires = base.wires;
    }
  }

  static Technology load_known(const std::string& name) {
    if (name.ends_with(".toml")) {
      throw InputError("'based_on' must name a built-in technology, not a file");
    }
    return load_technology(name);
  }

  void read_energies() {
    ByEvent<bool> is_stated{};
    for (const TomlTable& table :
         top_.tables("energy", {"of", "picojoules", "bank_kilobytes", "banks", "entries",
                                "millimetres", "array", "times", "included_in", "source"})) {
      const Event event = event_named(table, "of");
      if (std::exchange(is_stated[event], true)) {
        table.fail("of", fmt::format("'{}' is stated twice", table.text("of")));
      }
      technology_.energies[event] = read_energy(table, event);
    }
  }

  EventEnergy read_energy(const TomlTable& table, Event event) {
    EventEnergy energy{.origin = origin_in(table)};
    const int given_count = table.has("included_in") + table.has("picojoules") +
                            table.has("millimetres") + table.has("array");
    if (given_count != 1) {
      table.fail("of", fmt::format("'{}' needs one of 'picojoules', 'millimetres', 'array' and "
                                   "'included_in'",
                                   table.text("of")));
    }
    if (table.has("bank_kilobytes") && table.has("entries")) {
      table.fail("entries", "'bank_kilobytes' and 'entries' exclude each other");
    }
    if (table.has("included_in")) {
      energy.included_in = event_named(table, "included_in");
      return energy;
    }
    if (table.has("times")) {
      energy.times = read_figure(table, "times");
      require_within(table, "times", energy.times, 0);
    }
    if (table.has("bank_kilobytes")) {
      read_banks(table, event, energy);
    } else if (table.has("entries")) {
      read_entries(table, event, energy);
    } else if (table.has("millimetres")) {
      energy.points = {{.picojoules = energy_of_wires(table)}};
    } else if (table.has("array")) {
      read_array(table, technology_, energy);
    } else {
      energy.points = {{.picojoules = read_figure(table, "picojoules")}};
    }
    for (const EventEnergy::Point& point : energy.points) {
      require_within(table, "picojoules", point.picojoules, 0);
    }
    return energy;
  }

  double energy_of_wires(const TomlTable& table) const {
    if (!technology_.wires) table.fail("millimetres", "'millimetres' needs [wires]");
    const double millimetres = read_figure(table, "millimetres");
    require_within(table, "millimetres", millimetres, 0);
    return technology_.wires->picojoules(technology_.volts, millimetres);
  }

  static void read_banks(const TomlTable& table, Event event, EventEnergy& energy) {
    energy.sized_by = SizedBy::bank;
    energy.points = points_by(table, "bank_kilobytes");
    if (!has_storage(description_of(event).component)) {
      table.fail("bank_kilobytes",
                 fmt::format("'{}' has no banks", name_of(description_of(event).component)));
    }
    energy.banks = table.whole_number("banks", 0);
    if (energy.banks == 0 || energy.banks > 1024) {
      table.fail("banks", "'banks' must be the number of banks of the storage, 1 to 1024");
    }
  }

  static void read_entries(const TomlTable& table, Event event, EventEnergy& energy) {
    energy.sized_by = SizedBy::entries;
    energy.points = points_by(table, "entries");
    if (description_of(event).component != Component::operand_file) {
      table.fail("entries", fmt::format("no machine states the number of entries of '{}'",
                                        name_of(description_of(event).component)));
    }
  }

  /// The energies in `picojoules`, one for each size in `key`.
  static std::vector<EventEnergy::Point> points_by(const TomlTable& table, std::string_view key) {
    const std::vector<double> sizes = table.numbers(key);
    const std::vector<double> picojoules = table.numbers("picojoules");
    if (sizes.empty() || sizes.size() != picojoules.size()) {
      table.fail(
          "picojoules",
          fmt::format("'picojoules' and '{}' must have the same number of values, at least one",
                      key));
    }
    std::vector<EventEnergy::Point> points;
    double previous = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      require_within(table, key, sizes[i], 0);
      if (sizes[i] <= previous) {
        table.fail(key, fmt::format("'{}' must be strictly increasing", key));
      }
      previous = sizes[i];
      points.push_back({.size = sizes[i], .picojoules = picojoules[i]});
    }
    return points;
  }

  void read_powers() {
    ByComponent<bool> is_stated{};
    for (const TomlTable& table :
         top_.tables("static", {"of", "milliwatts_per_kilobyte", "milliwatts_per_square_millimetre",
                                "watts_per_sm", "watts_per_partition", "watts_per_chip",
                                "included_in", "source"})) {
      const Component component = component_named(table, "of");
      if (std::exchange(is_stated[component], true)) {
        table.fail("of", fmt::format("'{}' is stated twice", table.text("of")));
      }
      technology_.powers[component] = read_power(table, component);
    }
  }

  StaticPower read_power(const TomlTable& table, Component component) {
    struct PowerKey {
      const char* key;
      PowerUnit unit;
      double watts;  ///< Watts in one unit of the key's value.
    };
    constexpr PowerKey kPowerKeys[] = {
        {"milliwatts_per_kilobyte", PowerUnit::kilobyte, 1e-3},
        {"milliwatts_per_square_millimetre", PowerUnit::square_millimetre, 1e-3},
        {"watts_per_sm", PowerUnit::multiprocessor, 1},
        {"watts_per_partition", PowerUnit::partition, 1},
        {"watts_per_chip", PowerUnit::chip, 1}};
    StaticPower power{.origin = origin_in(table)};
    int given_count = 0;
    for (const PowerKey& power_key : kPowerKeys) {
      if (!table.has(power_key.key)) continue;
      ++given_count;
      const double value = read_figure(table, power_key.key);
      require_within(table, power_key.key, value, 0);
      power.watts = value * power_key.watts;
      power.unit = power_key.unit;
    }
    if (table.has("included_in")) {
      ++given_count;
      power.included_in = component_named(table, "included_in");
    }
    if (given_count != 1) {
      table.fail("of", fmt::format("'{}' needs one of 'milliwatts_per_kilobyte', "
                                   "'milliwatts_per_square_millimetre', 'watts_per_sm', "
                                   "'watts_per_partition', 'watts_per_chip' and 'included_in'",
                                   table.text("of")));
    }
    if (power.unit == PowerUnit::square_millimetre) {
      power.area = area_named(table, "of", technology_);
    }
    if (power.unit == PowerUnit::kilobyte && !has_storage(component)) {
      table.fail("milliwatts_per_kilobyte", fmt::format("'{}' has no storage", table.text("of")));
    }
    return power;
  }

  /// Checks that each event or component that `included_in` names has a figure of its own.
  void check_included() const {
    for (const std::optional<EventEnergy>& energy : technology_.energies) {
      if (energy && energy->included_in) {
        const auto& whole = technology_.energies[*energy->included_in];
        if (!whole || whole->included_in) {
          reject(energy->origin, description_of(*energy->included_in).name);
        }
      }
    }
    for (const std::optional<StaticPower>& power : technology_.powers) {
      if (power && power->included_in) {
        const auto& whole = technology_.powers[*power->included_in];
        if (!whole || whole->included_in) reject(power->origin, name_of(*power->included_in));
      }
    }
  }

  [[noreturn]] static void reject(const Origin& origin, std::string_view whole) {
    throw InputError(fmt::format("{}: error: 'included_in': '{}' has no figure of its own",
                                 origin.place, whole));
  }

  const TomlTable& top_;
  Technology& technology_;
};

}  // namespace

Technology read_technology(std::string_view text, const std::string& name,
                           const std::string& file) {
  const toml::table parsed = config::parse_toml(text, file);
  const TomlTable top(parsed, file,
                      {"summary", "node_nm", "volts", "machines", "based_on", "based_on_times",
                       "based_on_source", "energy", "static", "chip_model", "wires", "area"});
  Technology technology{.name = name};
  Reader(top, technology).read();
  return technology;
}

}  // namespace heddle::energy
