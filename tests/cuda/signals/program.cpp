// A program of the driver's interface, built without CUDA, that is interrupted, asked, or forks: as
// its first argument says.

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

/// As cu… has it: pointers and numbers.
template <class... Arguments>
int ask(const char* name, Arguments... arguments) {
  auto* const function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(RTLD_DEFAULT, name));
  if (function != nullptr) return function(arguments...);
  std::printf("there is no %s\n", name);
  std::exit(9);
}

void* context = nullptr;
void* module = nullptr;

int start() {
  if (const int error = ask("cuInit", 0U); error != 0) return error;
  if (const int error = ask("cuDevicePrimaryCtxRetain", &context, 0); error != 0) return error;
  if (const int error = ask("cuCtxSetCurrent", context); error != 0) return error;
  return ask("cuModuleLoadData", &module, kText);
}

int launch(const char* kernel, unsigned threads = 32) {
  void* function = nullptr;
  void* const none = nullptr;
  if (const int error = ask("cuModuleGetFunction", &function, module, kernel); error != 0) {
    return error;
  }
  return ask("cuLaunchKernel", function, 1U, 1U, 1U, threads, 1U, 1U, 0U, none, none, none);
}

void say(const char* text) {
  std::puts(text);
  std::fflush(stdout);
}

volatile std::sig_atomic_t interrupted = 0;
void note(int) { interrupted = 1; }
void leave(int) { std::exit(7); }

/// The child's exit code.
int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int forks(bool used, bool child_launches, bool parent_launches) {
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

int main(int, char** words) {
  const char* const what = words[1];
  const auto is = [&](const char* name) { return std::strcmp(what, name) == 0; };
  if (is("fork, child exits")) return forks(true, false, true);
  if (is("fork, child launches")) return forks(true, true, true);
  if (is("fork before use")) return forks(false, true, true);
  if (is("fork, child alone launches")) return forks(false, true, false);
  if (is("fork before use, child exits")) return forks(false, false, true);
  if (is("handles before")) std::signal(SIGINT, &note);
  if (start() != 0 || launch("quick") != 0 || launch("quick") != 0) return 1;
  if (is("handles after")) std::signal(SIGINT, &note);
  if (is("handler exits")) std::signal(SIGINT, &leave);
  if (is("main exits")) {
    std::thread([] {
      if (ask("cuCtxSetCurrent", context) == 0) launch("spin");
    }).detach();
    ::sleep(1);
    return 8;
  }
  say("ready");
  if (is("spins") || is("handler exits")) return launch("spin");
  if (is("reads")) {
    while (std::getchar() != EOF) {
    }
    return 6;
  }
  while (interrupted == 0) ::usleep(1000);
  return launch("quick") == 0 ? 5 : 1;
}
