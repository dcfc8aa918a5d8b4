// A stand-in for nvrtc. It knows one kernel, 'mark', which adds __CUDA_ARCH__ to the value of each
// thread. As nvrtc does, it makes PTX for every architecture, and machine code only for sm_NN. Its
// log lists the options.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../nvrtc.h"

namespace {

constexpr int kInvalidOption = 5;

struct Program {
  std::vector<std::string> expressions;
  std::string log, ptx, machine_code, link_time_code;
};

Program& program_at(void* program) { return *static_cast<Program*>(program); }

std::string ptx_for(int capability) {
  const std::string number = std::to_string(capability);
  return ".version 7.5\n.target sm_" + number +
         "\n.address_size 64\n"
         ".visible .entry mark(.param .u64 values) {\n"
         ".reg .b32 %r<3>; .reg .b64 %rd<4>;\n"
         "ld.param.u64 %rd1, [values]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
         "add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r2, [%rd3];\n"
         "add.u32 %r2, %r2, " +
         number + "0; st.global.u32 [%rd3], %r2; ret; }\n";
}

/// The value of the option for the architecture; a default if there is none, and empty if there is
/// an option that is unknown.
std::string architecture_of(const std::vector<std::string>& options) {
  std::string architecture = "compute_75";
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& option = options[i];
    if (option.starts_with("--gpu-architecture=") || option.starts_with("-arch=")) {
      architecture = option.substr(option.find('=') + 1);
    } else if ((option == "--gpu-architecture" || option == "-arch") && i + 1 < options.size()) {
      architecture = options[++i];
    } else if (option.starts_with("--unknown")) {
      return "";
    }
  }
  return architecture;
}

int copy_size(const std::string& text, std::size_t terminator, std::size_t* bytes) {
  *bytes = text.empty() && terminator == 0 ? 0 : text.size() + terminator;
  return 0;
}

int copy_text(const std::string& text, std::size_t terminator, char* to) {
  std::memcpy(to, text.c_str(), text.size() + terminator);
  return 0;
}

}  // namespace

const char* nvrtcGetErrorString(int result) {
  return result == kInvalidOption ? "the stand-in's invalid option" : "the stand-in's success";
}

int nvrtcVersion(int* major, int* minor) {
  *major = STAND_IN_VERSION;
  *minor = 99;
  return 0;
}

int nvrtcCreateProgram(void** program, const char*, const char*, int, const char* const*,
                       const char* const*) {
  *program = new Program;
  return 0;
}

int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  *program = nullptr;
  return 0;
}

int nvrtcAddNameExpression(void* program, const char* expression) {
  program_at(program).expressions.emplace_back(expression);
  return 0;
}

int nvrtcCompileProgram(void* program, int option_count, const char* const* options) {
  const std::vector<std::string> texts(options, options + option_count);
  Program& object = program_at(program);
  object.log = object.ptx = object.machine_code = object.link_time_code = "";
  for (const std::string& text : texts) object.log += (object.log.empty() ? "" : " ") + text;
  const std::string architecture = architecture_of(texts);
  if (architecture.empty()) return kInvalidOption;
  const int capability = std::atoi(architecture.c_str() + architecture.find('_') + 1);
  if (std::find(texts.begin(), texts.end(), "-dlto") != texts.end()) {
    object.link_time_code = "link-time code";
    return 0;
  }
  object.ptx = ptx_for(capability);
  if (architecture.starts_with("sm_")) object.machine_code = "\177ELF of the stand-in";
  return 0;
}

int nvrtcGetProgramLogSize(void* program, std::size_t* bytes) {
  return copy_size(program_at(program).log, 1, bytes);
}
int nvrtcGetProgramLog(void* program, char* log) {
  return copy_text(program_at(program).log, 1, log);
}
int nvrtcGetLoweredName(void* program, const char* expression, const char** lowered) {
  for (const std::string& known : program_at(program).expressions) {
    if (known == expression) *lowered = known.c_str();
  }
  return 0;
}
int nvrtcGetPTXSize(void* program, std::size_t* bytes) {
  return copy_size(program_at(program).ptx, 1, bytes);
}
int nvrtcGetPTX(void* program, char* code) { return copy_text(program_at(program).ptx, 1, code); }
int nvrtcGetCUBINSize(void* program, std::size_t* bytes) {
  return copy_size(program_at(program).machine_code, 0, bytes);
}
int nvrtcGetCUBIN(void* program, char* code) {
  return copy_text(program_at(program).machine_code, 0, code);
}
int nvrtcGetLTOIRSize(void* program, std::size_t* bytes) {
  return copy_size(program_at(program).link_time_code, 0, bytes);
}
int nvrtcGetLTOIR(void* program, char* code) {
  return copy_text(program_at(program).link_time_code, 0, code);
}
