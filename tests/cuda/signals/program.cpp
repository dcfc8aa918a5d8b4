// A program of the driver API, built without CUDA, for the tests of signals and forks. Its first
// argument selects what it does.

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

const char kText[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry quick() { ret; }\n"
    ".visible .entry spin() { L: bra L; }\n";

/// Calls a function of the driver by its name.
template <class... Arguments>
int call(const char* name, Arguments... arguments) {
  auto* const function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(RTLD_DEFAULT, name));
  if (function != nullptr) return function(arguments...);
  std::printf("the driver has no function %s\n", name);
  std::exit(9);
}

void* context = nullptr;
void* module = nullptr;

/// Initialises the driver and loads the kernels. Returns 0 or an error of the driver.
int start() {
  if (const int error = call("cuInit", 0U); error != 0) return error;
  if (const int error = call("cuDevicePrimaryCtxRetain", &context, 0); error != 0) return error;
  if (const int error = call("cuCtxSetCurrent", context); error != 0) return error;
  return call("cuModuleLoadData", &module, kText);
}

/// Launches a kernel with one block. Returns 0 or an error of the driver.
int launch(const char* kernel, unsigned threads = 32) {
  void* function = nullptr;
  void* const none = nullptr;
  if (const int error = call("cuModuleGetFunction", &function, module, kernel); error != 0) {
    return error;
  }
  return call("cuLaunchKernel", function, 1U, 1U, 1U, threads, 1U, 1U, 0U, none, none, none);
}

void print(const char* text) {
  std::puts(text);
  std::fflush(stdout);
}

volatile std::sig_atomic_t interrupted = 0;
void set_interrupted(int) { interrupted = 1; }
void exit_from_handler(int) { std::exit(7); }

/// Waits for the child and returns its exit code.
int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Forks, after the parent has used the GPU (`used`) or before. Returns the child's exit code, or 1
/// after an error in the parent.
int run_fork(bool used, bool child_launches, bool parent_launches) {
  if (used && (start() != 0 || launch("quick") != 0)) return 1;
  const pid_t child = ::fork();
  if (child == 0) {
    if (!child_launches) std::exit(0);
    int error = used ? 0 : start();
    if (error == 0) error = launch("quick");
    std::exit(error);
  }
  const int code = wait_for(child);
  if (!used && parent_launches && start() != 0) return 1;
  if (parent_launches && launch("quick") != 0) return 1;
  return code;
}

}  // namespace

int main(int, char** arguments) {
  const char* const what = arguments[1];
  const auto is = [&](const char* name) { return std::strcmp(what, name) == 0; };
  if (is("fork, child exits")) return run_fork(true, false, true);
  if (is("fork, child launches")) return run_fork(true, true, true);
  if (is("fork before use")) return run_fork(false, true, true);
  if (is("fork, child alone launches")) return run_fork(false, true, false);
  if (is("fork before use, child exits")) return run_fork(false, false, true);
  if (is("handles before")) std::signal(SIGINT, &set_interrupted);
  if (start() != 0 || launch("quick") != 0 || launch("quick") != 0) return 1;
  if (is("handles after")) std::signal(SIGINT, &set_interrupted);
  if (is("handler exits")) std::signal(SIGINT, &exit_from_handler);
  if (is("main exits")) {
    std::thread([] {
      if (call("cuCtxSetCurrent", context) == 0) launch("spin");
    }).detach();
    ::sleep(1);
    return 8;
  }
  print("ready");
  if (is("spins") || is("handler exits")) return launch("spin");
  if (is("reads")) {
    while (std::getchar() != EOF) {
    }
    return 6;
  }
  while (interrupted == 0) ::usleep(1000);
  return launch("quick") == 0 ? 5 : 1;
}
