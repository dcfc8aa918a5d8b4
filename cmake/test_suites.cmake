# Writes a test of ctest for each suite of a program of tests. Run as a script when that is built:
#   cmake -D PROGRAM=... -D ROOM=... -D OUTPUT=... -P test_suites.cmake
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed
                COMMAND_ERROR_IS_FATAL ANY)
# A suite's line has its name and a dot; those of its tests are indented. One may come again.
string(REGEX MATCHALL "\n[^ \n]+[.][ \n]" suites "${listed}")
list(TRANSFORM suites REPLACE "[ .\n]" "")
list(REMOVE_DUPLICATES suites)
if(NOT suites)
  message(FATAL_ERROR "${PROGRAM} has no tests")
endif()
set(tests "")
foreach(suite ${suites})
  string(APPEND tests "add_test([[${ROOM}: ${suite}]] [[${PROGRAM}]] [[--gtest_filter=${suite}.*]])\n"
                      "set_tests_properties([[${ROOM}: ${suite}]] PROPERTIES TIMEOUT 1200)\n")
endforeach()
file(WRITE ${OUTPUT} "${tests}")
