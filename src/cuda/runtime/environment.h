#pragma once

// The environment variables by which 'heddle cuda' passes its options to the program that it
// starts. Heddle's library in that program reads them. If a variable is empty or missing, the
// option was not given.

namespace heddle::cuda {

/// The name of the library that programs built with -cudart shared load.
inline constexpr const char* kRuntimeLibrary = "libcudart.so.13";
/// The name of the same library for programs built for CUDA 12.
inline constexpr const char* kRuntimeLibrary12 = "libcudart.so.12";

/// The machine that is simulated by default.
inline constexpr const char* kDefaultMachine = "preexec";

/// The name or file of the machine.
inline constexpr const char* kMachineVariable = "HEDDLE_CUDA_MACHINE";
/// The settings of the machine's parameters, one per line.
inline constexpr const char* kSettingsVariable = "HEDDLE_CUDA_SET";
/// If set, the simulation is functional only.
inline constexpr const char* kFunctionalVariable = "HEDDLE_CUDA_FUNCTIONAL";
/// The number of host threads that simulate.
inline constexpr const char* kThreadsVariable = "HEDDLE_CUDA_THREADS";
/// The limit of registers per thread.
inline constexpr const char* kRegistersVariable = "HEDDLE_CUDA_MAX_REGISTERS";
/// The limits of a launch: cycles, and warp instructions.
inline constexpr const char* kCyclesVariable = "HEDDLE_CUDA_MAX_CYCLES";
inline constexpr const char* kInstructionsVariable = "HEDDLE_CUDA_MAX_INSTRUCTIONS";
/// The size of device memory, the gap between allocations, and the accesses out of bounds that are
/// allowed.
inline constexpr const char* kMemoryVariable = "HEDDLE_CUDA_DEVICE_MEMORY";
inline constexpr const char* kGapVariable = "HEDDLE_CUDA_ALLOCATION_GAP";
inline constexpr const char* kOutOfBoundsVariable = "HEDDLE_CUDA_OUT_OF_BOUNDS";
/// The file of the trace, and the multiprocessors and the cycles that it covers.
inline constexpr const char* kTraceVariable = "HEDDLE_CUDA_TRACE";
inline constexpr const char* kTraceSmsVariable = "HEDDLE_CUDA_TRACE_SMS";
inline constexpr const char* kTraceCyclesVariable = "HEDDLE_CUDA_TRACE_CYCLES";
/// The JSON file of the results.
inline constexpr const char* kJsonVariable = "HEDDLE_CUDA_JSON";
/// The JSON file's stamp before the program started, which shows whether the file has changed.
inline constexpr const char* kJsonStampVariable = "HEDDLE_CUDA_JSON_STAMP";
/// The technology for estimates of energy.
inline constexpr const char* kEnergyVariable = "HEDDLE_CUDA_ENERGY";
/// Samples of counters over time: the interval in cycles, the counters, the CSV file, and the file
/// of the chart of power.
inline constexpr const char* kSampleVariable = "HEDDLE_CUDA_SAMPLE";
inline constexpr const char* kSampleCountersVariable = "HEDDLE_CUDA_SAMPLE_COUNTERS";
inline constexpr const char* kSampleCsvVariable = "HEDDLE_CUDA_SAMPLE_CSV";
inline constexpr const char* kPowerChartVariable = "HEDDLE_CUDA_POWER_CHART";
/// The locality of accesses: the JSON or CSV file, the file of the chart, and what is observed.
inline constexpr const char* kLocalityVariable = "HEDDLE_CUDA_LOCALITY";
inline constexpr const char* kLocalityChartVariable = "HEDDLE_CUDA_LOCALITY_CHART";
inline constexpr const char* kLocalityStreamVariable = "HEDDLE_CUDA_LOCALITY_STREAM";
inline constexpr const char* kLocalityAccessesVariable = "HEDDLE_CUDA_LOCALITY_ACCESSES";
inline constexpr const char* kLocalityStageVariable = "HEDDLE_CUDA_LOCALITY_STAGE";
inline constexpr const char* kLocalityReadingVariable = "HEDDLE_CUDA_LOCALITY_READING";
inline constexpr const char* kLocalityIntervalVariable = "HEDDLE_CUDA_LOCALITY_INTERVAL";
/// If set, each instance of a component has counters of its own.
inline constexpr const char* kCountEachVariable = "HEDDLE_CUDA_COUNT_EACH";

}  // namespace heddle::cuda
