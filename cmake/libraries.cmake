# Every folder of src/ is one library, made of all .cpp files below it.
#   heddle_library(exec USES code base [LIBRARIES fmt::fmt] [COLD] [EXCEPT folder] [APART regex]
#                  [ALONE regex])
# USES: the libraries of src/ that it includes. LIBRARIES: other libraries. COLD: compiled with -O1,
# because its code takes little time in simulations. EXCEPT: a folder whose sources are not compiled
# here. APART: sources that share unity files (cmake/unity.cmake) only with each other, because some
# programs link only these. ALONE: sources that are in no unity file.

# Libraries with files that only register policies. The linker would leave such files out, because
# nothing refers to them. The whole library is therefore linked.
set(HEDDLE_REGISTERING_LIBRARIES memory sm gpu)

# Sets the variable `out` to the CMake targets of the named libraries.
function(heddle_link_names out)
  set(names "")
  foreach(library ${ARGN})
    if(library IN_LIST HEDDLE_REGISTERING_LIBRARIES)
      list(APPEND names "$<LINK_LIBRARY:WHOLE_ARCHIVE,heddle_${library}>")
    else()
      list(APPEND names heddle_${library})
    endif()
  endforeach()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

function(heddle_library name)
  cmake_parse_arguments(LIBRARY "COLD" "EXCEPT;APART;ALONE" "USES;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(LIBRARY_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${LIBRARY_EXCEPT}/")
  endif()
  add_library(heddle_${name} STATIC)
  foreach(source ${sources})
    string(REGEX REPLACE "[.]cpp$" ".h" header ${source})
    file(STRINGS ${source} registered REGEX "Registry::Entry ")
    set(group "")
    if(registered AND NOT EXISTS ${header})
      # tests/structure/sources_test.py checks that these files export no symbols.
      set(group GROUP policies)
    elseif(LIBRARY_APART AND source MATCHES "^${CMAKE_CURRENT_SOURCE_DIR}/(${LIBRARY_APART})")
      set(group GROUP apart)
    endif()
    if(LIBRARY_ALONE AND source MATCHES "^${CMAKE_CURRENT_SOURCE_DIR}/(${LIBRARY_ALONE})")
      target_sources(heddle_${name} PRIVATE ${source})
    else()
      heddle_sources(heddle_${name} ${group} SOURCES ${source})
    endif()
  endforeach()
  target_include_directories(heddle_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  heddle_link_names(LIBRARY_USES ${LIBRARY_USES})
  target_link_libraries(heddle_${name} PUBLIC ${LIBRARY_USES} ${LIBRARY_LIBRARIES}
                                       PRIVATE heddle_options)
  if(LIBRARY_COLD)
    heddle_cold(heddle_${name})
    heddle_precompiled(heddle_${name} cold)
  else()
    heddle_precompiled(heddle_${name} library)
  endif()
endfunction()

# Selects the tests to run with ThreadSanitizer, which finds nothing in single-threaded tests. Sets the
# variable `out` to the sources that use host threads, directly or through a header of their folder.
# If no source does, all sources stay.
#   heddle_threaded_tests(sources ${sources})
function(heddle_threaded_tests out)
  set(pattern "[.](threads|jobs) = |std::j?thread|gpu/team[.]h")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  foreach(header ${headers})
    file(STRINGS ${header} found REGEX "${pattern}")
    if(found)
      cmake_path(GET header FILENAME name)
      string(APPEND pattern "|/${name}\"")
    endif()
  endforeach()
  set(kept "")
  foreach(source ${ARGN})
    file(STRINGS ${source} found REGEX "${pattern}")
    if(found OR NOT source MATCHES "_test[.]cpp$")
      list(APPEND kept ${source})
    endif()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers} ${ARGN})
  if(kept)
    set(${out} ${kept} PARENT_SCOPE)
  endif()
endfunction()

# Makes each GoogleTest suite of a test program one test of ctest. With sanitizers, a process takes
# longer to start than most tests take to run. GoogleTest's output names the cases that failed.
function(heddle_test_suites library)
  set(suites ${CMAKE_CURRENT_BINARY_DIR}/${library}_suites.cmake)
  add_custom_command(
    TARGET test_${library} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:test_${library}> -D LIBRARY=${library}
            -D OUTPUT=${suites} -P ${PROJECT_SOURCE_DIR}/cmake/test_suites.cmake)
  set(reader ${CMAKE_CURRENT_BINARY_DIR}/read_${library}_suites.cmake)
  file(WRITE ${reader} "if(EXISTS [[${suites}]])
  include([[${suites}]])
else()
  add_test([[${library}: not built]] test_${library})
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${reader})
endfunction()

# Adds the test program of a library, made of every .cpp below tests/<library>, or of the SOURCES.
#   heddle_library_tests(exec USES device)
function(heddle_library_tests name)
  cmake_parse_arguments(LIBRARY "" "" "USES;SOURCES" ${ARGN})
  set(sources ${LIBRARY_SOURCES})
  if(NOT sources)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
    if(HEDDLE_SANITIZE MATCHES thread)
      heddle_threaded_tests(sources ${sources})
    endif()
  endif()
  add_executable(test_${name})
  heddle_sources(test_${name} SOURCES ${sources})
  heddle_link_names(LIBRARY_USES ${LIBRARY_USES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE ${LIBRARY_USES} heddle_source_file heddle_options
                                             GTest::gtest GTest::gmock GTest::gtest_main)
  # Tests spend their time in the libraries' code, so the tests' own code is compiled with -O1. g++
  # 12 warns of accesses that std::string does not make (its bug 105329 again) and, with sanitizers,
  # of an uninitialised std::stop_source.
  target_compile_options(
    test_${name} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow>"
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:RelWithDebInfo>>:-Wno-maybe-uninitialized>)
  heddle_cold(test_${name})
  heddle_precompiled(test_${name} test)
  heddle_test_suites(${name})
endfunction()
