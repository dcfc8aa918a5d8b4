# Compiles several sources at a time, as unity files that include them. Each time CMake configures,
# cmake/unity_files.py combines sources whose file-local names do not conflict.
option(HEDDLE_UNITY "Compile several sources at a time" ON)

# Adds sources to a library or program, by their full paths. Sources of a GROUP share unity files
# only with each other.
#   heddle_sources(heddle_sm [GROUP policies] SOURCES ${sources})
function(heddle_sources target)
  cmake_parse_arguments(GIVEN "" "GROUP" "SOURCES" ${ARGN})
  foreach(source ${GIVEN_SOURCES})
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${source} generated)
    if(generated OR NOT HEDDLE_UNITY)
      target_sources(${target} PRIVATE ${source})
    else()
      string(JOIN "-" group ${target} ${GIVEN_GROUP})
      set_property(GLOBAL APPEND PROPERTY HEDDLE_UNITY_GROUPS ${group})
      set_property(GLOBAL PROPERTY HEDDLE_UNITY_TARGET_OF_${group} ${target})
      set_property(GLOBAL APPEND PROPERTY HEDDLE_UNITY_LIST "${group} ${source}")
    endif()
  endforeach()
endfunction()

# Writes the unity files. Must be called once, after all sources have been added.
function(heddle_write_unity_files)
  if(NOT HEDDLE_UNITY)
    return()
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(folder ${PROJECT_BINARY_DIR}/unity)
  set(script ${PROJECT_SOURCE_DIR}/cmake/unity_files.py)
  get_property(list GLOBAL PROPERTY HEDDLE_UNITY_LIST)
  list(JOIN list "\n" list)
  file(WRITE ${folder}/list "${list}\n")
  # Larger unity files would make full builds slightly faster, but builds after a small change much
  # slower.
  execute_process(COMMAND ${Python3_EXECUTABLE} ${script} --root ${PROJECT_SOURCE_DIR} --lines 1500
                          --include ${PROJECT_SOURCE_DIR}/src --include ${PROJECT_SOURCE_DIR}/tests
                          ${folder}/list
                  COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
  get_property(groups GLOBAL PROPERTY HEDDLE_UNITY_GROUPS)
  list(REMOVE_DUPLICATES groups)
  foreach(group ${groups})
    get_property(target GLOBAL PROPERTY HEDDLE_UNITY_TARGET_OF_${group})
    file(GLOB unity_files ${folder}/${group}/*.cpp)
    target_sources(${target} PRIVATE ${unity_files})
    # Unity files include the sources by their paths below this folder.
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  endforeach()
endfunction()
