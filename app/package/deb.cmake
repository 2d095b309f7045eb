# `cmake --build --preset release --target package`: slipstick_….deb and slipstick-dev_….deb for the distribution that
# builds them. They are of that distribution only: the versions of its libraries are in their dependencies.
find_program(SLIPSTICK_SHLIBDEPS dpkg-shlibdeps)
find_program(SLIPSTICK_FILE file)
if(NOT SLIPSTICK_SHLIBDEPS OR NOT SLIPSTICK_FILE)
  message(STATUS "Packages: none, install dpkg-dev and file to make .deb files")
  return()
endif()

# "debian12", "ubuntu24.04"
set(distribution linux)
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release release REGEX "^(ID|VERSION_ID)=")
  list(SORT release)  # ID, VERSION_ID
  string(REGEX REPLACE "ID=|VERSION_|[\";]" "" distribution "${release}")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME slipstick)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1~${distribution})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Who makes packages is who answers for them: Debian's own two variables.
set(packager "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
if(packager STREQUAL " <>")
  set(packager "Slipstick authors <slipstick@packages.invalid>")
endif()
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${packager}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME slipstick)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "studio in which robots touch soft things, live
Slipstick simulates robots that touch dough, cloth, sand and water, and shows
what every contact does: its forces in newtons, whether it sticks or slips,
and why.

Scenes can be played, scrubbed, branched and edited while they run, arms be
driven by hand or by a program, tries of a task be recorded as demonstrations.
Plots, figures and videos need no display.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
# What is opened at run time, which no linker sees: OpenGL with a driver, for the window and for pictures without one, and
# letters to write with.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS
    "libgl1, libgl1-mesa-dri, fonts-inter | fonts-dejavu-core")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "fonts-inter, fonts-lmodern, qt6-wayland")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS spacenavd)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME slipstick-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "libraries of Slipstick, to step its scenes in other programs
Static libraries, headers and what find_package(slipstick) of CMake needs:
slipstick::engine steps, slipstick::assets reads scenes, robots and meshes and
writes recordings, slipstick::render draws.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "slipstick (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), libassimp-dev, libavcodec-dev, libavformat-dev, libavutil-dev, libconsole-bridge-dev, libegl-dev, libeigen3-dev, libepoxy-dev, libfreetype-dev, libhdf5-dev, libimgui-dev, libopenblas-serial-dev | libopenblas-dev, libpng-dev, libsdformat-dev, libstb-dev, libswscale-dev, libtinyxml2-dev, liburdfdom-dev, libyaml-cpp-dev, nlohmann-json3-dev, pkg-config, zlib1g-dev")

# Debian's changelog of the package.
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C date -u -R -d ${SLIPSTICK_RELEASE_DATE}
                OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE)
set(changelog ${CMAKE_BINARY_DIR}/package/changelog.Debian)
file(WRITE ${changelog} "slipstick (${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}.

 -- ${packager}  ${day}
")
execute_process(COMMAND ${GZIP} -9nkf ${changelog})
install(FILES ${changelog}.gz DESTINATION share/doc/slipstick COMPONENT runtime)
install(FILES ${changelog}.gz DESTINATION share/doc/slipstick-dev COMPONENT development)
include(CPack)
