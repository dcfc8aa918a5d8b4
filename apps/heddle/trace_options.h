#pragma once

// The options that ask for a trace of what happens in a chip, and the file that it goes to.

#include <cstdint>
#include <string>

#include "base/output_file.h"
#include "cli_app.h"
#include "trace/trace.h"

namespace heddle {

struct TraceOptions {
  std::string file;    ///< Empty: no trace.
  std::string sms;     ///< "0,3,8-11"; empty: all.
  std::string cycles;  ///< "A:B"; empty: all.

  /// The option that was given and has no meaning without a trace, or without time; null where
  /// there is none.
  const char* given_alone() const;
  const char* given() const { return file.empty() ? given_alone() : "--trace"; }
};

/// Declares --trace, --trace-sms and --trace-cycles.
void add_trace_options(CLI::App& verb, TraceOptions& options);

/// What the options select on a chip of so many multiprocessors. Throws InputError.
trace::Selection parse_selection(const TraceOptions& options, std::uint32_t sms);

/// Throws InputError for what TraceOutput would, and leaves the file as it is.
void check_trace(const TraceOptions& options, std::uint32_t sms);

/// A trace on its way to its file, a pipe or standard output. It is written in place: a run that is
/// ended leaves what happened until then, and "# end" says whether a trace is whole.
class TraceOutput {
 public:
  /// For options that check_trace() lets pass. Throws InputError.
  TraceOutput(const TraceOptions& options, std::uint32_t sms);

  trace::Trace& trace() { return trace_; }
  /// To be called when all has been simulated: says so in the trace. Throws InputError where a part
  /// of it could not be written; what was simulated is right all the same.
  void finish();

 private:
  OutputStream stream_;
  trace::Trace trace_;
};

}  // namespace heddle
