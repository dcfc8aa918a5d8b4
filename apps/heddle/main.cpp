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

int report(const std::string& what, ExitCode code) {
  heddle::say(what);
  return static_cast<int>(code);
}

/// What could not be written must not be taken for said.
int after_output(ExitCode result) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return report("cannot write to standard output", ExitCode::bad_input);
  }
  return static_cast<int>(result);
}

/// A standard stream that is closed would be the next file that is opened, and what is said go into
/// that. What stands in for one can be used as little, and programs that are started do not see it.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    ::open("/dev/null", (stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  CLI::App app{"Heddle: a simulator of GPU cores that runs CUDA programs, given as PTX.", "heddle"};
  app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 a check failed, 2 wrong use or bad input, 3 the simulated program "
      "faulted, 130 interrupted.\nA file that is written is whole or as it was; folders that it "
      "needs are made.\n"
      "'heddle VERB --help' says what a verb takes.");
  ExitCode result = ExitCode::done;
  heddle::add_run(app, result);
  heddle::add_list(app, result);
  heddle::add_exec(app, result);
  heddle::add_compile(app, result);
  heddle::add_show(app, result);
  heddle::add_experiment(app, result);
  heddle::add_results(app, result);
  heddle::add_cuda(app, result);
  heddle::add_report(app, result);

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
