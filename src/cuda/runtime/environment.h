#pragma once

// How 'heddle cuda' hands what to simulate to the program that it starts: in environment variables,
// which the runtime in that program reads.

namespace heddle::cuda {

/// What the library is called that programs built with -cudart shared look for.
inline constexpr const char* kRuntimeLibrary = "libcudart.so.13";
/// And for CUDA 12: it is the same.
inline constexpr const char* kRuntimeLibrary12 = "libcudart.so.12";

/// Simulated where no machine is named.
inline constexpr const char* kDefaultMachine = "preexec";

inline constexpr const char* kMachineVariable = "HEDDLE_CUDA_MACHINE";
inline constexpr const char* kSettingsVariable = "HEDDLE_CUDA_SET";           ///< A line each.
inline constexpr const char* kFunctionalVariable = "HEDDLE_CUDA_FUNCTIONAL";  ///< Set: no time.
inline constexpr const char* kThreadsVariable = "HEDDLE_CUDA_THREADS";
inline constexpr const char* kRegistersVariable = "HEDDLE_CUDA_MAX_REGISTERS";
inline constexpr const char* kCyclesVariable = "HEDDLE_CUDA_MAX_CYCLES";  ///< Of one launch.
inline constexpr const char* kInstructionsVariable = "HEDDLE_CUDA_MAX_INSTRUCTIONS";
inline constexpr const char* kMemoryVariable = "HEDDLE_CUDA_DEVICE_MEMORY";
inline constexpr const char* kGapVariable = "HEDDLE_CUDA_ALLOCATION_GAP";
inline constexpr const char* kOutOfBoundsVariable = "HEDDLE_CUDA_OUT_OF_BOUNDS";
inline constexpr const char* kTraceVariable = "HEDDLE_CUDA_TRACE";  ///< The file, if one is wanted.
inline constexpr const char* kTraceSmsVariable = "HEDDLE_CUDA_TRACE_SMS";
inline constexpr const char* kTraceCyclesVariable = "HEDDLE_CUDA_TRACE_CYCLES";
inline constexpr const char* kJsonVariable = "HEDDLE_CUDA_JSON";  ///< The file, if one is wanted.
/// The stamp of that file before the program started.
inline constexpr const char* kJsonStampVariable = "HEDDLE_CUDA_JSON_STAMP";
inline constexpr const char* kEnergyVariable = "HEDDLE_CUDA_ENERGY";  ///< The technology, if any.
inline constexpr const char* kSampleVariable = "HEDDLE_CUDA_SAMPLE";  ///< Cycles, if any.
inline constexpr const char* kSampleCountersVariable = "HEDDLE_CUDA_SAMPLE_COUNTERS";
inline constexpr const char* kSampleCsvVariable = "HEDDLE_CUDA_SAMPLE_CSV";
inline constexpr const char* kPowerChartVariable = "HEDDLE_CUDA_POWER_CHART";
inline constexpr const char* kCountEachVariable = "HEDDLE_CUDA_COUNT_EACH";  ///< Set: each part's.

}  // namespace heddle::cuda
