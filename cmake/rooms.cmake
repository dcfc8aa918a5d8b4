# A room is a folder of src/ that is one library, made of every .cpp below it.
#   heddle_room(exec USES code base [COLD] [EXCEPT folder] [APART regex] [ALONE regex])
# EXCEPT: what stands there is compiled otherwise. APART: sources that are not compiled together with others,
# as programs are linked with them and not with those. ALONE: sources that are compiled by themselves.

# Rooms with files that only register themselves, to which nothing refers: all of them is linked.
set(HEDDLE_REGISTERING_ROOMS memory sm gpu)

function(heddle_link_names out)
  set(names "")
  foreach(room ${ARGN})
    if(room IN_LIST HEDDLE_REGISTERING_ROOMS)
      list(APPEND names "$<LINK_LIBRARY:WHOLE_ARCHIVE,heddle_${room}>")
    else()
      list(APPEND names heddle_${room})
    endif()
  endforeach()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

function(heddle_room name)
  cmake_parse_arguments(ROOM "COLD" "EXCEPT;APART;ALONE" "USES;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(ROOM_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${ROOM_EXCEPT}/")
  endif()
  add_library(heddle_${name} STATIC)
  foreach(source ${sources})
    string(REGEX REPLACE "[.]cpp$" ".h" header ${source})
    file(STRINGS ${source} registered REGEX "Registry::Entry ")
    set(group "")
    if(registered AND NOT EXISTS ${header})
      set(group GROUP policies)  # A test looks at what these give to others.
    elseif(ROOM_APART AND source MATCHES "^${CMAKE_CURRENT_SOURCE_DIR}/(${ROOM_APART})")
      set(group GROUP apart)
    endif()
    if(ROOM_ALONE AND source MATCHES "^${CMAKE_CURRENT_SOURCE_DIR}/(${ROOM_ALONE})")
      target_sources(heddle_${name} PRIVATE ${source})
    else()
      heddle_sources(heddle_${name} ${group} SOURCES ${source})
    endif()
  endforeach()
  target_include_directories(heddle_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  heddle_link_names(ROOM_USES ${ROOM_USES})
  target_link_libraries(heddle_${name} PUBLIC ${ROOM_USES} ${ROOM_LIBRARIES}
                                       PRIVATE heddle_options)
  if(ROOM_COLD)
    heddle_cold(heddle_${name})
    heddle_precompiled(heddle_${name} cold)
  else()
    heddle_precompiled(heddle_${name} library)
  endif()
endfunction()

# ThreadSanitizer finds nothing in what runs on one thread of the host: of a list of tests only those
# stay that ask for several, themselves or in a header of their room; all, where none does.
#   heddle_threaded_tests(sources ${sources})
function(heddle_threaded_tests out)
  set(asks "[.](threads|jobs) = |std::j?thread|gpu/team[.]h")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  foreach(header ${headers})
    file(STRINGS ${header} asked REGEX "${asks}")
    if(asked)
      cmake_path(GET header FILENAME name)
      string(APPEND asks "|/${name}\"")
    endif()
  endforeach()
  set(kept "")
  foreach(source ${ARGN})
    file(STRINGS ${source} asked REGEX "${asks}")
    if(asked OR NOT source MATCHES "_test[.]cpp$")
      list(APPEND kept ${source})
    endif()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers} ${ARGN})
  if(kept)
    set(${out} ${kept} PARENT_SCOPE)
  endif()
endfunction()

# Each suite of a room's tests is a test of ctest: with sanitizers a process takes longer to start than most
# tests to run. What has failed in it GoogleTest names.
function(heddle_test_suites room)
  set(suites ${CMAKE_CURRENT_BINARY_DIR}/${room}_suites.cmake)
  add_custom_command(
    TARGET test_${room} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:test_${room}> -D ROOM=${room}
            -D OUTPUT=${suites} -P ${PROJECT_SOURCE_DIR}/cmake/test_suites.cmake)
  set(read_them ${CMAKE_CURRENT_BINARY_DIR}/read_${room}_suites.cmake)
  file(WRITE ${read_them} "if(EXISTS [[${suites}]])
  include([[${suites}]])
else()
  add_test([[${room}: not built]] test_${room})
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${read_them})
endfunction()

# The tests of a room: every .cpp below tests/<room>, or the SOURCES, one program.
#   heddle_room_tests(exec USES device)
function(heddle_room_tests name)
  cmake_parse_arguments(ROOM "" "" "USES;SOURCES" ${ARGN})
  set(sources ${ROOM_SOURCES})
  if(NOT sources)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
    if(HEDDLE_SANITIZE MATCHES thread)
      heddle_threaded_tests(sources ${sources})
    endif()
  endif()
  add_executable(test_${name})
  heddle_sources(test_${name} SOURCES ${sources})
  heddle_link_names(ROOM_USES ${ROOM_USES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE ${ROOM_USES} heddle_source_file heddle_options
                                             GTest::gtest GTest::gmock GTest::gtest_main)
  # They spend their time in the rooms' code: what matters of their own is how soon it is built.
  # g++ 12 sees accesses there that std::string does not make (its bug 105329 again), and with
  # sanitizers a std::stop_source that is used before it is there.
  target_compile_options(
    test_${name} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow>"
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:RelWithDebInfo>>:-Wno-maybe-uninitialized>)
  heddle_cold(test_${name})
  heddle_precompiled(test_${name} test)
  heddle_test_suites(${name})
endfunction()
