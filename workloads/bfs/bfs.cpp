#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "bfs_graphs.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::bfs_host {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kResidentBlock = 1024;

struct Shape {
  std::int32_t social_nodes;
  std::int32_t social_edges;
  std::int32_t road_width;
  std::int32_t road_height;
};

Shape shape_of(GridChoice grid, Size size) {
  // Chosen for about as many thread instructions as the large-warps paper ran: 100 to 200 million.
  if (grid == GridChoice::resident && size == Size::medium) return {64'000, 400'000, 190, 180};
  switch (size) {
    case Size::tiny:
      return {500, 1'500, 19, 21};
    case Size::small:
      return {9'000, 45'000, 70, 55};
    case Size::medium:
      return {40'000, 250'000, 150, 140};
    case Size::large:
      return {400'000, 3'600'000, 340, 290};
    case Size::paper:
      return {4'096, 24'576, 64, 64};  // simt Table 3: 4096 nodes
  }
  return {};
}

class Bfs final : public HostProgram {
 public:
  Bfs(GridChoice grid, Size size, std::uint64_t seed) : grid_(grid) {
    Random random(seed);
    const Shape shape = shape_of(grid, size);
    searches_[0].name = "social network";
    searches_[0].graph = bfs::make_social(shape.social_nodes, shape.social_edges, random);
    searches_[1].name = "roads";
    searches_[1].graph = bfs::make_roads(shape.road_width, shape.road_height, random);
    for (Search& search : searches_) search.source = bfs::choose_source(search.graph, random);
  }

  void run(Gpu& device) override {
    for (Search& search : searches_) run_search(device, search);
  }

  CheckResult check() const override {
    CheckResult check;
    for (const Search& search : searches_) {
      check.exact("levels in the " + search.name, search.levels,
                  bfs::levels_from(search.graph, search.source));
    }
    return check;
  }

 private:
  struct Search {
    std::string name;
    bfs::Graph graph;
    std::int32_t source = 0;
    std::vector<std::int32_t> levels;
  };

  /// A kernel and the shape of its launch.
  struct Step {
    std::string_view kernel;
    LaunchShape shape;
  };

  Step step(Gpu& device, std::string_view kernel, std::string_view resident_kernel,
            std::uint32_t nodes) const {
    if (grid_ == GridChoice::input) {
      return {kernel, {.grid = {(nodes + kBlock - 1) / kBlock}, .block = {kBlock}}};
    }
    return {resident_kernel, device.resident_shape(resident_kernel, kResidentBlock, nodes)};
  }

  void run_search(Gpu& device, Search& search) const {
    const std::int32_t nodes = search.graph.nodes();
    const auto count = static_cast<std::size_t>(nodes);
    const auto source = static_cast<std::size_t>(search.source);
    std::vector<std::uint8_t> only_source(count, 0);
    only_source[source] = 1;
    std::vector<std::int32_t> levels(count, bfs::kUnreached);
    levels[source] = 0;

    const auto row_begin = device.upload(search.graph.row_begin, "row_begin");
    const auto neighbours = device.upload(search.graph.neighbours, "neighbours");
    const auto in_frontier = device.upload(only_source, "in_frontier");
    const auto visited = device.upload(only_source, "visited");
    const auto in_next = device.allocate<std::uint8_t>(count, "in_next");
    device.fill(in_next, 0);
    const auto level = device.upload(levels, "level");
    const auto again = device.allocate<std::int32_t>(1, "again");

    const auto threads = static_cast<std::uint32_t>(nodes);
    const Step expand = step(device, "expand_frontier", "expand_frontier_resident", threads);
    const Step commit = step(device, "commit_frontier", "commit_frontier_resident", threads);
    // Bounds the loop even if the kernels are wrong: there are at most as many levels as nodes.
    std::int32_t rounds = 0;
    do {
      device.fill(again, 0);
      device.launch(expand.kernel, expand.shape, row_begin, neighbours, in_frontier, in_next,
                    visited, level, nodes);
      device.launch(commit.kernel, commit.shape, in_frontier, in_next, visited, again, nodes);
    } while (device.download_one(again) != 0 && ++rounds <= nodes);
    search.levels = device.download(level);
  }

  GridChoice grid_;
  std::array<Search, 2> searches_;
};

const Registration kRegistration({
    .name = "bfs",
    .summary = "Breadth-first search, level by level, in a social network and in roads",
    .papers = {"large-warps Table 2", "simt Table 3"},
    .kernels = {{"expand_frontier", {kBlock}}, {"commit_frontier", {kBlock}}},
    .has_paper_size = true,
    .make = make_form<Bfs, GridChoice::input>,
    .resident = ResidentForm{.kernels = {{"expand_frontier_resident", {kResidentBlock}},
                                         {"commit_frontier_resident", {kResidentBlock}}},
                             .make = make_form<Bfs, GridChoice::resident>},
});

}  // namespace
}  // namespace heddle::workload::bfs_host
