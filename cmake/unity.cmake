# Sources are compiled several at a time, as unity files that include them. cmake/unity_files.py puts only
# those together that cannot see what others keep to themselves, each time CMake configures.
option(HEDDLE_UNITY "Compile several sources at a time" ON)

# Sources of a library or program, by their full paths. Sources of one GROUP share no unity file with
# others.
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

# To be called once, after all sources are known.
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
  # Larger ones would be compiled a little faster in all, and much slower after a change of one source.
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
    # Where they find the sources.
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  endforeach()
endfunction()
