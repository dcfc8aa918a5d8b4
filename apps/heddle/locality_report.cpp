#include "locality_report.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "csv.h"
#include "lab/report/locality_chart.h"
#include "locality/grain.h"
#include "locality/line.h"

namespace heddle {
namespace {

using locality::EqualCapacities;
using locality::Grain;
using locality::kMaxBits;
using locality::NeighbourhoodBits;
using locality::ReuseCounts;
using locality::WindowBits;
using nlohmann::ordered_json;

std::string_view grain_name(Grain grain) {
  return grain == Grain::coarse ? "coarse" : grain == Grain::fine ? "fine" : "neither";
}

/// Calls each(size) for the sizes 2^0 to 2^14.
template <class Size, class Each>
void for_each_size(Each each) {
  for (int bits = 0; bits <= kMaxBits; ++bits) each(Size(bits));
}

/// A row for each neighbourhood, with a value for each window.
template <class Value>
ordered_json matrix(Value value_of) {
  ordered_json rows = ordered_json::array();
  for_each_size<NeighbourhoodBits>([&](NeighbourhoodBits n) {
    ordered_json row = ordered_json::array();
    for_each_size<WindowBits>([&](WindowBits m) { row.push_back(value_of(n, m)); });
    rows.push_back(std::move(row));
  });
  return rows;
}

ordered_json probabilities(const ReuseCounts& counts) {
  return matrix([&](NeighbourhoodBits n, WindowBits m) { return counts.probability(n, m); });
}

std::uint64_t capacity_of(const EqualCapacities& compared) {
  return compared.large.block.bytes() * compared.large.blocks.accesses();
}

ordered_json comparison(const ReuseCounts& counts, const EqualCapacities& compared) {
  const auto shape = [&](const EqualCapacities::Shape& each) {
    return ordered_json{{"neighbourhood_bytes", each.block.bytes()},
                        {"window_accesses", each.blocks.accesses()},
                        {"probability", counts.probability(each.block, each.blocks)}};
  };
  return {{"capacity_bytes", capacity_of(compared)},
          {"large", shape(compared.large)},
          {"small", shape(compared.small)},
          {"grain", grain_name(grain_of(counts, compared))}};
}

/// Adds the counts of a kernel, or of all kernels.
void add_counts(ordered_json& json, const ReuseCounts& counts) {
  json["accesses"] = counts.accesses();
  json["probability"] = probabilities(counts);
  json["reused"] = matrix([&](NeighbourhoodBits n, WindowBits m) { return counts.reused(n, m); });
  json["comparisons"] = {comparison(counts, locality::kCoarseComparison),
                         comparison(counts, locality::kFineComparison)};
}

ordered_json options_to_json(const locality::Options& options) {
  ordered_json json{{"stream", name_of(options.stream)},
                    {"accesses", name_of(options.accesses)},
                    {"stage", name_of(options.stage)},
                    {"reading", name_of(options.reading)}};
  if (options.stage == locality::Stage::segments) {
    json["segment_bytes"] = options.coalescer.segment_bytes;
  }
  return json;
}

ordered_json distances_to_json(const locality::DistanceCounts& distances) {
  ordered_json json{{"line_bytes", locality::kLineBytes},
                    {"first_accesses", distances.first_accesses()},
                    {"smallest_distance", ordered_json::array()},
                    {"accesses", ordered_json::array()}};
  for (std::size_t c = 0; c < distances.used_classes(); ++c) {
    json["smallest_distance"].push_back(locality::DistanceCounts::smallest_distance(c));
    json["accesses"].push_back(distances.reuses(c));
  }
  return json;
}

ordered_json footprint_to_json(const locality::KernelLocality& kernel, std::uint64_t interval) {
  ordered_json json{{"line_bytes", locality::kLineBytes},
                    {"interval_accesses", interval},
                    {"launch", ordered_json::array()},
                    {"accesses", ordered_json::array()},
                    {"lines", ordered_json::array()}};
  for (std::size_t launch = 0; launch < kernel.footprints.size(); ++launch) {
    for (const locality::Footprint::Interval& each : kernel.footprints[launch]) {
      json["launch"].push_back(launch);
      json["accesses"].push_back(each.accesses);
      json["lines"].push_back(each.lines);
    }
  }
  return json;
}

ordered_json kernel_to_json(const locality::KernelLocality& kernel, std::string name,
                            std::uint64_t interval) {
  ordered_json json{
      {"name", std::move(name)}, {"launches", kernel.launches}, {"streams", kernel.streams}};
  add_counts(json, kernel.counts);
  json["reuse_distances"] = distances_to_json(kernel.distances);
  json["footprint"] = footprint_to_json(kernel, interval);
  json["lines"] = ordered_json::array();
  for (const auto& [line, counts] : kernel.lines) {
    json["lines"].push_back({{"file", line.file},
                             {"line", line.line},
                             {"accesses", counts.accesses()},
                             {"probability", probabilities(counts)}});
  }
  return json;
}

void add_csv_lines(std::string& text, const std::string& kernel, const locality::SourceLine& line,
                   const ReuseCounts& counts) {
  for_each_size<NeighbourhoodBits>([&](NeighbourhoodBits n) {
    for_each_size<WindowBits>([&](WindowBits m) {
      text +=
          csv_line({kernel, line.file, line.file.empty() ? "" : fmt::format("{}", line.line),
                    fmt::format("{}", n.bytes()), fmt::format("{}", m.accesses()),
                    fmt::format("{}", counts.accesses()), fmt::format("{}", counts.reused(n, m)),
                    fmt::format("{}", counts.probability(n, m))});
    });
  });
}

std::string size_text(std::uint64_t bytes) {
  return bytes >= 1024 ? fmt::format("{} KB", bytes / 1024) : fmt::format("{} bytes", bytes);
}

/// "2 groups of 2 KB serve 14.2 %".
std::string served_text(const ReuseCounts& counts, const EqualCapacities::Shape& shape) {
  return fmt::format("{} groups of {} serve {:.1f} %", shape.blocks.accesses(),
                     size_text(shape.block.bytes()),
                     100 * counts.probability(shape.block, shape.blocks));
}

std::string stream_text(locality::StreamKind stream) {
  switch (stream) {
    case locality::StreamKind::warp:
      return "each warp's";
    case locality::StreamKind::block:
      return "each block's";
    case locality::StreamKind::sm:
      return "each multiprocessor's";
    case locality::StreamKind::chip:
      return "the chip's";
  }
  return {};
}

/// The sizes as labels, such as "4" or "16K".
template <class Size, class Count>
std::vector<std::string> labels(Count count) {
  std::vector<std::string> texts;
  for_each_size<Size>([&](Size size) {
    const std::uint64_t value = count(size);
    texts.push_back(value >= 1024 ? fmt::format("{}K", value / 1024) : fmt::format("{}", value));
  });
  return texts;
}

}  // namespace

ordered_json locality_to_json(const locality::Recorder& recorder,
                              const KernelName& name_of_kernel) {
  ordered_json json{{"schema", "heddle-locality-1"},
                    {"measured", options_to_json(recorder.options())}};
  for_each_size<NeighbourhoodBits>(
      [&](NeighbourhoodBits n) { json["neighbourhood_bytes"].push_back(n.bytes()); });
  for_each_size<WindowBits>([&](WindowBits m) { json["window_accesses"].push_back(m.accesses()); });
  json["kernels"] = ordered_json::array();
  for (const locality::KernelLocality& kernel : recorder.kernels()) {
    json["kernels"].push_back(
        kernel_to_json(kernel, name_of_kernel(kernel.kernel), recorder.options().interval));
  }
  add_counts(json["totals"], recorder.total());
  return json;
}

ordered_json locality_totals_to_json(const locality::Recorder& recorder) {
  const ReuseCounts counts = recorder.total();
  return {{"measured", options_to_json(recorder.options())},
          {"accesses", counts.accesses()},
          {"probability", probabilities(counts)}};
}

std::string locality_csv(const locality::Recorder& recorder, const KernelName& name_of_kernel) {
  std::string text = csv_line({"kernel", "file", "line", "neighbourhood_bytes", "window_accesses",
                               "accesses", "reused", "probability"});
  for (const locality::KernelLocality& kernel : recorder.kernels()) {
    const std::string name = name_of_kernel(kernel.kernel);
    add_csv_lines(text, name, {}, kernel.counts);
    for (const auto& [line, counts] : kernel.lines) add_csv_lines(text, name, line, counts);
  }
  return text;
}

std::string locality_picture(const locality::Recorder& recorder) {
  const locality::Options& options = recorder.options();
  const ReuseCounts counts = recorder.total();
  lab::report::LocalityChart chart{
      .title = "How likely a neighbour of an address is accessed soon after it",
      .subtitle =
          fmt::format("{} accesses; streams: {}; accesses: {}; addresses: {}; neighbours: {}",
                      counts.accesses(), name_of(options.stream), name_of(options.accesses),
                      name_of(options.stage), name_of(options.reading)),
      .neighbourhoods = labels<NeighbourhoodBits>([](NeighbourhoodBits n) { return n.bytes(); }),
      .windows = labels<WindowBits>([](WindowBits m) { return m.accesses(); })};
  for_each_size<NeighbourhoodBits>([&](NeighbourhoodBits n) {
    std::vector<double>& row = chart.values.emplace_back();
    for_each_size<WindowBits>([&](WindowBits m) { row.push_back(counts.probability(n, m)); });
  });
  return lab::report::draw_locality(chart);
}

std::string locality_text(const locality::Recorder& recorder) {
  const ReuseCounts counts = recorder.total();
  const EqualCapacities& compared = locality::kCoarseComparison;
  if (counts.accesses() == 0) return "locality                no access was observed\n";
  const Grain grain = grain_of(counts, compared);
  return fmt::format("locality                {} grained: of {} accesses, {}, {}\n",
                     grain == Grain::neither ? "neither coarse nor fine" : grain_name(grain),
                     stream_text(recorder.options().stream), served_text(counts, compared.large),
                     served_text(counts, compared.small));
}

}  // namespace heddle
