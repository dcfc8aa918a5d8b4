#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "exec/observation/access_observer.h"
#include "locality/distance_counts.h"
#include "locality/footprint.h"
#include "locality/recorder.h"
#include "locality/site_counts.h"
#include "locality/stack_distances.h"
#include "locality/stream_measure.h"
#include "memory/coalescer.h"

namespace heddle::locality {

/// Measures the locality of one launch. Reports to the Recorder when it is destroyed.
class LaunchRecorder final : public exec::AccessObserver {
 public:
  LaunchRecorder(Recorder& recorder, const exec::Launch& launch);
  ~LaunchRecorder() override { recorder_.end_launch(*this); }

  void access(const exec::ObservedAccess& access) override;
  void end_warp(const exec::ObservedWarp& warp) override;

  const std::string& kernel() const;
  /// Adds what this launch has measured.
  void add_to(KernelLocality& kernel) const;

 private:
  struct Stream {
    explicit Stream(Reading reading) : measure(reading) {}

    StreamMeasure measure;
    StackDistances distances;
  };

  bool is_chosen(exec::AccessKind kind) const;
  std::uint64_t number_of_stream(const exec::ObservedWarp& warp) const;
  Stream& stream_of(const exec::ObservedWarp& warp);
  /// Whether the warp, which has just ended, was the last of its block.
  bool has_ended_block(const exec::ObservedWarp& warp);
  void add_access(Stream& stream, std::uint64_t address, std::uint32_t pc);

  Recorder& recorder_;
  const Options& options_;
  const exec::Launch& launch_;
  memory::Coalescer coalescer_;
  memory::Segments segments_;
  SiteCounts counts_;
  DistanceCounts distances_;
  Footprint footprint_;
  std::uint64_t stream_count_ = 0;
  /// The streams that have begun and not ended, by number.
  std::unordered_map<std::uint64_t, std::unique_ptr<Stream>> streams_;
  std::vector<std::unique_ptr<Stream>> ended_streams_;  ///< For the next streams.
  /// For streams of blocks: the number of ended warps of each block of which some have ended.
  std::unordered_map<std::uint64_t, std::uint32_t> ended_warps_;
};

}  // namespace heddle::locality
