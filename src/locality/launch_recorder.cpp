#include "locality/launch_recorder.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "exec/launch.h"
#include "locality/line.h"

namespace heddle::locality {
namespace {

/// The most bytes that the coalescer takes as the access of a lane.
constexpr std::uint32_t kMaxCoalescedBytes = 16;

/// The line of the instruction at `pc`. Its file is empty if the program does not say.
SourceLine line_of_instruction(const code::Program& program, std::uint32_t pc) {
  const std::uint32_t source = program.instructions[pc].source;
  if (source >= program.source_lines.size()) return {};
  const code::SourcePlace& place = program.source_lines[source];
  if (place.file >= program.source_files.size()) return {};
  return {.file = program.source_files[place.file], .line = place.line};
}

}  // namespace

LaunchRecorder::LaunchRecorder(Recorder& recorder, const exec::Launch& launch)
    : recorder_(recorder),
      options_(recorder.options()),
      launch_(launch),
      coalescer_(options_.coalescer),
      counts_(launch.program->instructions.size()),
      footprint_(options_.interval) {}

const std::string& LaunchRecorder::kernel() const { return launch_.info().name; }

bool LaunchRecorder::is_chosen(exec::AccessKind kind) const {
  switch (options_.accesses) {
    case AccessChoice::loads:
      return kind != exec::AccessKind::store;
    case AccessChoice::stores:
      return kind != exec::AccessKind::load;
    case AccessChoice::all:
      return true;
  }
  return true;
}

std::uint64_t LaunchRecorder::number_of_stream(const exec::ObservedWarp& warp) const {
  switch (options_.stream) {
    case StreamKind::warp:
      return warp.block * launch_.warps_per_block() + warp.warp;
    case StreamKind::block:
      return warp.block;
    case StreamKind::sm:
      return warp.sm;
    case StreamKind::chip:
      return 0;
  }
  return 0;
}

LaunchRecorder::Stream& LaunchRecorder::stream_of(const exec::ObservedWarp& warp) {
  std::unique_ptr<Stream>& stream = streams_[number_of_stream(warp)];
  if (stream != nullptr) return *stream;
  ++stream_count_;
  if (ended_streams_.empty()) {
    stream = std::make_unique<Stream>(options_.reading);
    return *stream;
  }
  stream = std::move(ended_streams_.back());
  ended_streams_.pop_back();
  stream->measure.restart();
  stream->distances.restart();
  return *stream;
}

void LaunchRecorder::add_access(Stream& stream, std::uint64_t address, std::uint32_t pc) {
  stream.measure.access(address, pc, counts_);
  stream.distances.access(line_of(address), distances_);
  footprint_.access(line_of(address));
}

void LaunchRecorder::access(const exec::ObservedAccess& access) {
  if (!is_chosen(access.kind)) return;
  Stream& stream = stream_of(access.warp);
  ReuseCounts& counts = counts_[access.pc];
  if (options_.stage == Stage::lanes) {
    counts.add_accesses(static_cast<std::uint64_t>(access.lanes.count()));
    for (LaneMask lanes = access.lanes; !lanes.empty(); lanes = lanes.without_lowest()) {
      const auto lane = static_cast<std::size_t>(lanes.lowest());
      add_access(stream, (*access.addresses)[lane], access.pc);
    }
    return;
  }
  const std::uint32_t bytes = std::min(std::bit_ceil(access.bytes_per_lane), kMaxCoalescedBytes);
  coalescer_.coalesce(*access.addresses, access.lanes, bytes, segments_);
  counts.add_accesses(segments_.size());
  for (const memory::Segment& segment : segments_) {
    add_access(stream, segment.address, access.pc);
  }
}

bool LaunchRecorder::has_ended_block(const exec::ObservedWarp& warp) {
  const auto count = ended_warps_.try_emplace(warp.block, 0).first;
  if (++count->second < launch_.warps_per_block()) return false;
  ended_warps_.erase(count);
  return true;
}

void LaunchRecorder::end_warp(const exec::ObservedWarp& warp) {
  const bool has_ended = options_.stream == StreamKind::warp ||
                         (options_.stream == StreamKind::block && has_ended_block(warp));
  if (!has_ended) return;
  const auto found = streams_.find(number_of_stream(warp));
  if (found == streams_.end()) return;
  ended_streams_.push_back(std::move(found->second));
  streams_.erase(found);
}

void LaunchRecorder::add_to(KernelLocality& kernel) const {
  kernel.streams += stream_count_;
  kernel.distances.add(distances_);
  kernel.footprints.push_back(footprint_.intervals());
  counts_.for_each([&](std::uint32_t pc, const ReuseCounts& counts) {
    kernel.counts.add(counts);
    SourceLine line = line_of_instruction(*launch_.program, pc);
    if (!line.file.empty()) kernel.lines[std::move(line)].add(counts);
  });
}

}  // namespace heddle::locality
