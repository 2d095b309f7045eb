#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "app/command_facts.h"
#include "app/completion.h"
#include "app/exit_status.h"
#include "app/man_page.h"
#include "app/number_option.h"
#include "app/studio.h"
#include "app/verb.h"
#include "engine/foundation/guarded.h"
#include "engine/foundation/output_claim.h"

namespace slipstick::app {

namespace {

constexpr const char* kStatus =
    "Exit status: 0 success, 1 bad input, 2 usage, 3 the simulation failed; stopped early by Ctrl+C 130, by "
    "SIGTERM 143,\n"
    "with what was simulated until then written, and at once by a second one.";

int print(const Result<std::string>& text) {
  if (!text) return fail(text.error());
  std::cout << *text;
  return kSuccess;
}

/// One parsed command line: the verb that was named, or none for the window.
class CommandLine {
 public:
  CommandLine() : app_("Robots touch soft things, live.", "slipstick") {
    app_.set_version_flag("--version", "slipstick " SLIPSTICK_VERSION);
    app_.require_subcommand(0, 1);
    app_.footer(kStatus);
    // For those who install the program; what they print is made of all that follows.
    app_.add_flag("--man-page", printsManPage_)->group("");
    app_.add_option("--completion", completion_)->group("");
    window_ = offerWindow(app_);
    for (const Verb& verb : verbs()) offer(verb);
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& request) {  // --help and --version
      return app_.exit(request);
    } catch (const UsageError& error) {
      std::cerr << "slipstick: " << error.what() << '\n';
      return kUsage;
    } catch (const CLI::ParseError& error) {
      std::cerr << "slipstick: command line: " << error.what() << "; see slipstick --help\n";
      return kUsage;
    }
    if (printsManPage_) return print(manPage(commandFacts(app_), SLIPSTICK_VERSION, SLIPSTICK_RELEASE_DATE));
    if (completion_) return print(completionFor(*completion_, commandFacts(app_)));
    for (const Offered& verb : offered_)
      if (verb.words->parsed()) return verb.action();
    return window_(argc, argv);
  }

 private:
  struct Offered {
    CLI::App* words = nullptr;
    VerbAction action;
  };

  void offer(const Verb& verb) {
    CLI::App* words = app_.add_subcommand(verb.name, verb.summary);
    if (verb.isHidden) words->group("");
    offered_.push_back({words, verb.offer(*words)});
  }

  CLI::App app_;
  WindowAction window_;
  std::vector<Offered> offered_;
  bool printsManPage_ = false;
  std::optional<std::string> completion_;
};

/// What was printed has reached whoever it is for.
Result<void> closeStdout() {
  std::cout.flush();
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return {};
  const std::string why = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  return Error{ErrorCode::FileUnwritable, "what was printed could not be written" + why, "stdout",
               "print to where there is space, or add --quiet"};
}

}  // namespace

int runCommandLine(int argc, char** argv) {
  int status = kBadInput;
  const Result<void> done =
      guarded(ErrorCode::SimulationFailed, "slipstick", [&] { status = CommandLine().run(argc, argv); });
  OutputClaim::releaseAll();
  if (!done) return fail(done.error());
  const Result<void> printed = closeStdout();
  if (printed || status != kSuccess) return status;
  return fail(printed.error());
}

}  // namespace slipstick::app
