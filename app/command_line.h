// Words on the command line to one verb with its options.
#pragma once

namespace slipstick::app {

/// Parses and runs. @return the exit status, see ExitStatus.
int runCommandLine(int argc, char** argv);

}  // namespace slipstick::app
