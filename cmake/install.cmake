# What 'cmake --install' and the Debian package contain beside the programs: manual pages, completions
# for bash and zsh, and the README with the documents. Heddle itself writes the pages and completions,
# when it is installed.
set(generated ${PROJECT_BINARY_DIR}/installed)
set(heddle $<TARGET_FILE:heddle>)
install(CODE "
  file(REMOVE_RECURSE [[${generated}]])
  execute_process(COMMAND [[${heddle}]] manual --folder [[${generated}/man1]] COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND [[${heddle}]] completion bash OUTPUT_FILE [[${generated}/heddle]]
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND [[${heddle}]] completion zsh OUTPUT_FILE [[${generated}/_heddle]]
                  COMMAND_ERROR_IS_FATAL ANY)
  # Where zsh looks for completions: those of Debian's packages are apart from those of other programs.
  set(zsh_folder zsh/site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL [[/usr]])
    set(zsh_folder zsh/vendor-completions)
  endif()
  set(share \"\${CMAKE_INSTALL_PREFIX}/share\")
  file(INSTALL [[${generated}/man1]] DESTINATION \"\${share}/man\")
  file(INSTALL [[${generated}/heddle]] DESTINATION \"\${share}/bash-completion/completions\")
  file(INSTALL [[${generated}/_heddle]] DESTINATION \"\${share}/\${zsh_folder}\")
")
install(FILES README.md CHANGELOG.md DESTINATION share/doc/heddle)
install(DIRECTORY docs DESTINATION share/doc/heddle)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_CONTACT "The authors of Heddle")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level simulator of GPUs that runs CUDA programs")
set(CPACK_PACKAGE_DESCRIPTION
    "Heddle runs CUDA programs and PTX kernels on simulated GPUs that text files describe.
It reports how many cycles they take, what limits them and how much energy they use.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
