#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "base/error.h"
#include "exec/fault/fault.h"
#include "exit_code.h"
#include "verbs/verbs.h"
#include "wrong_use.h"

namespace {

int report(const char* what, heddle::ExitCode code) {
  fmt::print(stderr, "heddle: {}\n", what);
  return static_cast<int>(code);
}

}  // namespace

int main(int argc, char** argv) {
  using heddle::ExitCode;
  CLI::App app{"Heddle: a simulator of GPU cores that runs CUDA programs, given as PTX.", "heddle"};
  app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 a check failed, 2 wrong use or bad input, 3 the simulated program "
      "faulted, 130 interrupted.\n'heddle VERB --help' says what a verb takes.");
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
    // What could not be written must not be taken for told.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      return report("cannot write to standard output", ExitCode::bad_input);
    }
    return static_cast<int>(result);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const std::string why = heddle::explain_wrong_use(app, argc, argv, error);
    return report((why + "\nRun with --help for more information.").c_str(), ExitCode::bad_input);
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
