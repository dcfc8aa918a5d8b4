#pragma once

// The verbs of the command line, one file each. Each function declares a verb's options and the
// callback that runs the verb. A verb that fails without throwing sets `result` to its exit code.

#include "cli_app.h"
#include "exit_code.h"

namespace heddle {

void add_run(CLI::App& app, ExitCode& result);
void add_list(CLI::App& app, ExitCode& result);
void add_exec(CLI::App& app, ExitCode& result);
void add_compile(CLI::App& app, ExitCode& result);
void add_show(CLI::App& app, ExitCode& result);
void add_experiment(CLI::App& app, ExitCode& result);
void add_results(CLI::App& app, ExitCode& result);
void add_cuda(CLI::App& app, ExitCode& result);
void add_report(CLI::App& app, ExitCode& result);
void add_inject(CLI::App& app, ExitCode& result);
void add_compare(CLI::App& app, ExitCode& result);
void add_completion(CLI::App& app, ExitCode& result);
void add_manual(CLI::App& app, ExitCode& result);

}  // namespace heddle
