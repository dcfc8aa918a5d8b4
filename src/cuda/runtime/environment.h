#pragma once

// The environment variables by which 'heddle cuda' passes its options to the program that it
// starts. The runtime in that program reads them.

namespace heddle::cuda {

/// The name of the library that programs built with -cudart shared load.
inline constexpr const char* kRuntimeLibrary = "libcudart.so.13";
/// The name that programs built for CUDA 12 load; it is the same library.
inline constexpr const char* kRuntimeLibrary12 = "libcudart.so.12";

/// The machine that is simulated by default.
inline constexpr const char* kDefaultMachine = "preexec";

inline constexpr const char* kMachineVariable = "HEDDLE_CUDA_MACHINE";
inline constexpr const char* kSettingsVariable = "HEDDLE_CUDA_SET";  ///< One setting per line.
/// If set, the simulation is functional only.
inline constexpr const char* kFunctionalVariable = "HEDDLE_CUDA_FUNCTIONAL";
inline constexpr const char* kThreadsVariable = "HEDDLE_CUDA_THREADS";
inline constexpr const char* kRegistersVariable = "HEDDLE_CUDA_MAX_REGISTERS";
inline constexpr const char* kCyclesVariable = "HEDDLE_CUDA_MAX_CYCLES";  ///< Per launch.
inline constexpr const char* kInstructionsVariable = "HEDDLE_CUDA_MAX_INSTRUCTIONS";
inline constexpr const char* kMemoryVariable = "HEDDLE_CUDA_DEVICE_MEMORY";
inline constexpr const char* kGapVariable = "HEDDLE_CUDA_ALLOCATION_GAP";
inline constexpr const char* kOutOfBoundsVariable = "HEDDLE_CUDA_OUT_OF_BOUNDS";
inline constexpr const char* kTraceVariable = "HEDDLE_CUDA_TRACE";  ///< The file, if any.
inline constexpr const char* kTraceSmsVariable = "HEDDLE_CUDA_TRACE_SMS";
inline constexpr const char* kTraceCyclesVariable = "HEDDLE_CUDA_TRACE_CYCLES";
inline constexpr const char* kJsonVariable = "HEDDLE_CUDA_JSON";  ///< The file, if any.
/// The stamp of that file before the program started.
inline constexpr const char* kJsonStampVariable = "HEDDLE_CUDA_JSON_STAMP";
inline constexpr const char* kEnergyVariable = "HEDDLE_CUDA_ENERGY";  ///< The technology, if any.
inline constexpr const char* kSampleVariable = "HEDDLE_CUDA_SAMPLE";  ///< The interval, if any.
inline constexpr const char* kSampleCountersVariable = "HEDDLE_CUDA_SAMPLE_COUNTERS";
inline constexpr const char* kSampleCsvVariable = "HEDDLE_CUDA_SAMPLE_CSV";
inline constexpr const char* kPowerChartVariable = "HEDDLE_CUDA_POWER_CHART";
/// If set, counters are kept for each instance of a component.
inline constexpr const char* kCountEachVariable = "HEDDLE_CUDA_COUNT_EACH";

}  // namespace heddle::cuda
