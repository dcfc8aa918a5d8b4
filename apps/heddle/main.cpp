#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "base/error.h"
#include "base/message.h"
#include "exec/fault/fault.h"
#include "exit_code.h"
#include "verbs/verbs.h"
#include "wrong_use.h"

namespace {

using heddle::ExitCode;

/// Prints a message and returns the code for main().
int report(const std::string& what, ExitCode code) {
  heddle::say(what);
  return static_cast<int>(code);
}

/// The exit code after all output: an error if standard output could not be written.
int after_output(ExitCode result) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return report("cannot write to standard output", ExitCode::bad_input);
  }
  return static_cast<int>(result);
}

/// Opens /dev/null in place of each closed standard stream. Otherwise the next opened file would
/// get the stream's number, and messages would be written into that file. Standard input is opened
/// for writing and the outputs for reading, so that using them fails like using a closed stream.
/// Programs that Heddle starts do not inherit the replacement.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    ::open("/dev/null", (stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  CLI::App app{"Heddle: a cycle-level GPU simulator that runs CUDA programs and PTX kernels.",
               "heddle"};
  app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 a check failed, 2 wrong use or bad input, 3 the simulated program "
      "faulted, 130 interrupted.\nFiles are written completely or not at all; missing folders are "
      "created.\n"
      "'heddle VERB --help' describes a verb and its options.\n\n"
      "Examples: heddle run reduction --size small --machine warpman\n"
      "          heddle list workloads");
  ExitCode result = ExitCode::done;
  heddle::add_run(app, result);
  heddle::add_list(app, result);
  heddle::add_exec(app, result);
  heddle::add_compile(app, result);
  heddle::add_show(app, result);
  heddle::add_experiment(app, result);
  heddle::add_results(app, result);
  heddle::add_cuda(app, result);
  heddle::add_compare(app, result);
  heddle::add_report(app, result);
  heddle::add_inject(app, result);
  heddle::add_completion(app, result);
  heddle::add_manual(app, result);

  try {
    app.parse(argc, argv);
    return after_output(result);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      app.exit(error);
      return after_output(ExitCode::done);
    }
    const std::string why = heddle::explain_wrong_use(app, argc, argv, error);
    return report(why + "\nRun with --help for more information.", ExitCode::bad_input);
  } catch (const heddle::InputError& error) {
    return report(error.what(), ExitCode::bad_input);
  } catch (const heddle::exec::SimulatedFault& error) {
    return report(error.what(), ExitCode::simulated_fault);
  } catch (const std::bad_alloc&) {
    return report("out of memory", ExitCode::bad_input);
  } catch (const std::exception& error) {
    return report(error.what(), ExitCode::bad_input);
  }
}
