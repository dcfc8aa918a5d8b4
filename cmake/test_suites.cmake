# Writes a ctest test for each GoogleTest suite of a test program. Run as a script after the program is
# built:
#   cmake -D PROGRAM=... -D LIBRARY=... -D OUTPUT=... -P test_suites.cmake
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed
                COMMAND_ERROR_IS_FATAL ANY)
# A suite's line is its name and a dot; its tests are indented. A suite may be listed repeatedly.
string(REGEX MATCHALL "\n[^ \n]+[.][ \n]" suites "${listed}")
list(TRANSFORM suites REPLACE "[ .\n]" "")
list(REMOVE_DUPLICATES suites)
if(NOT suites)
  message(FATAL_ERROR "${PROGRAM} has no tests")
endif()
set(tests "")
foreach(suite ${suites})
  string(APPEND tests "add_test([[${LIBRARY}: ${suite}]] [[${PROGRAM}]] [[--gtest_filter=${suite}.*]])\n"
                      "set_tests_properties([[${LIBRARY}: ${suite}]] PROPERTIES TIMEOUT 1200)\n")
endforeach()
file(WRITE ${OUTPUT} "${tests}")
