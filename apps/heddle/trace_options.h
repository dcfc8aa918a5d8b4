#pragma once

// The options of a trace of the events in a chip, and its file.

#include <cstdint>
#include <string>

#include "base/output_file.h"
#include "cli_app.h"
#include "trace/trace.h"

namespace heddle {

struct TraceOptions {
  std::string file;    ///< Empty: no trace.
  std::string sms;     ///< "0,3,8-11", numbers of multiprocessors; empty: all.
  std::string cycles;  ///< "A:B", from A to B - 1; empty: all.

  /// The first option that was given and needs --trace; null if none was given.
  const char* dependent_option() const;
  /// The first of these options that was given; null if none was.
  const char* given_option() const { return file.empty() ? dependent_option() : "--trace"; }
};

/// Declares --trace, --trace-sms and --trace-cycles.
void add_trace_options(CLI::App& verb, TraceOptions& options);

/// The events to trace, on a chip of `sm_count` multiprocessors. Throws InputError.
trace::Selection parse_selection(const TraceOptions& options, std::uint32_t sm_count);

/// Throws InputError for options that TraceOutput would reject. Does not change the file.
void check_trace(const TraceOptions& options, std::uint32_t sm_count);

/// Writes a trace to a file, a pipe or standard output. The file is written in place: if the run is
/// killed, the file contains the events up to that moment. A complete trace ends with "# end".
class TraceOutput {
 public:
  /// The options must have passed check_trace(). Throws InputError.
  TraceOutput(const TraceOptions& options, std::uint32_t sm_count);

  trace::Trace& trace() { return trace_; }
  /// Writes "# end". Must be called when the simulation is complete. Throws InputError if a part of
  /// the trace could not be written; the results of the simulation are valid all the same.
  void finish();

 private:
  OutputStream stream_;
  trace::Trace trace_;
};

}  // namespace heddle
