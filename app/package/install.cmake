# What `cmake --install` puts where. Component runtime: the program, what ships with it, and how a desktop knows it;
# development: static libraries and headers for programs that link the engine, as slipstick::engine and others.
# Nothing says where it was built, so that the prefix can be moved.
set(SLIPSTICK_APP_ID org.slipstick.studio)  # of the AppStream component
set(shared ${CMAKE_SOURCE_DIR}/assets)
set(desktop ${CMAKE_SOURCE_DIR}/app/package)
set(made ${CMAKE_BINARY_DIR}/package)

# The program and what ships with it; scripts that made meshes and pictures stay.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME runtime)
install(TARGETS slipstick RUNTIME DESTINATION bin COMPONENT runtime)
install(DIRECTORY ${shared}/scenes ${shared}/robots ${shared}/meshes DESTINATION share/slipstick
        FILES_MATCHING PATTERN *.yaml PATTERN *.urdf PATTERN *.obj PATTERN __pycache__ EXCLUDE)
install(FILES ${shared}/gallery/index.yaml DESTINATION share/slipstick/gallery)
install(DIRECTORY ${shared}/gallery/cards DESTINATION share/slipstick/gallery)
file(GLOB formats CONFIGURE_DEPENDS ${shared}/*_format.md ${shared}/*_formats.md ${shared}/figures.md ${shared}/*.json)
install(FILES ${formats} ${CMAKE_SOURCE_DIR}/app/devices/network_protocol.md DESTINATION share/slipstick)

# How a desktop knows it.
install(FILES ${desktop}/slipstick.desktop DESTINATION share/applications)
install(FILES ${desktop}/slipstick.xml DESTINATION share/mime/packages)
install(FILES ${CMAKE_SOURCE_DIR}/ui/icons/slipstick.svg DESTINATION share/icons/hicolor/scalable/apps)
foreach(size 16 32 48 64 128 256)
  install(FILES ${desktop}/icons/${size}.png DESTINATION share/icons/hicolor/${size}x${size}/apps RENAME slipstick.png)
endforeach()
configure_file(${desktop}/metainfo.xml.in ${made}/${SLIPSTICK_APP_ID}.metainfo.xml @ONLY)
install(FILES ${made}/${SLIPSTICK_APP_ID}.metainfo.xml DESTINATION share/metainfo)

# What the program says of its own command line.
function(slipstick_printed file)
  add_custom_command(OUTPUT ${made}/${file} DEPENDS slipstick VERBATIM
                     COMMAND slipstick ${ARGN} > ${made}/${file} COMMENT "Printing ${file}")
  set_property(GLOBAL APPEND PROPERTY slipstick_printed ${made}/${file})
endfunction()
slipstick_printed(slipstick.1 --man-page)
slipstick_printed(slipstick.bash --completion bash)
slipstick_printed(slipstick.zsh --completion zsh)
slipstick_printed(slipstick.fish --completion fish)
find_program(GZIP gzip REQUIRED)
add_custom_command(OUTPUT ${made}/slipstick.1.gz DEPENDS ${made}/slipstick.1 VERBATIM
                   COMMAND ${GZIP} -9nkf ${made}/slipstick.1 COMMENT "Packing slipstick.1")
get_property(printed GLOBAL PROPERTY slipstick_printed)
add_custom_target(pages ALL DEPENDS ${printed} ${made}/slipstick.1.gz)
install(FILES ${made}/slipstick.1.gz DESTINATION share/man/man1)
install(FILES ${made}/slipstick.bash DESTINATION share/bash-completion/completions RENAME slipstick)
install(FILES ${made}/slipstick.zsh DESTINATION share/zsh/vendor-completions RENAME _slipstick)
install(FILES ${made}/slipstick.fish DESTINATION share/fish/vendor_completions.d)
install(FILES ${desktop}/copyright ${shared}/LICENSES.md ${CMAKE_SOURCE_DIR}/README.md DESTINATION share/doc/slipstick)

# For those who link the engine.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
foreach(library engine gpu assets render)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME slipstick-${library})
endforeach()
set_target_properties(slipstick_options PROPERTIES EXPORT_NAME options)
install(TARGETS engine gpu assets render imgui slipstick_options EXPORT slipstick_targets
        ARCHIVE DESTINATION lib COMPONENT development)
install(EXPORT slipstick_targets NAMESPACE slipstick:: FILE slipstick-targets.cmake DESTINATION lib/cmake/slipstick)
install(SCRIPT ${desktop}/headers.cmake COMPONENT development)
include(CMakePackageConfigHelpers)
configure_package_config_file(${desktop}/slipstick-config.cmake.in ${made}/slipstick-config.cmake
                              INSTALL_DESTINATION lib/cmake/slipstick)
write_basic_package_version_file(${made}/slipstick-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${made}/slipstick-config.cmake ${made}/slipstick-config-version.cmake DESTINATION lib/cmake/slipstick)
install(FILES ${desktop}/copyright DESTINATION share/doc/slipstick-dev)

include(${desktop}/deb.cmake)
