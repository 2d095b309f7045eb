// Several runs of one scene, with other methods or numbers: what each of them makes of it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/runtime/headless_run.h"
#include "engine/runtime/method_tally.h"

namespace slipstick {

struct MethodRun {
  std::string name;                    ///< for people; the method's where nobody has given one
  std::string method;                  ///< that steps it
  std::vector<std::string> overrides;  ///< its own, "path=value"
  std::unique_ptr<HeadlessRun> run;    ///< null once it is over
  std::string runsOn;
  MethodTally tally{nullptr};
  std::vector<std::shared_ptr<const Snapshot>>
      pictures;               ///< at the moments that were asked for, with particles
  Result<void> outcome = {};  ///< how it ended
};

/// Of a run at its start.
MethodRun methodRunOf(std::string name, std::unique_ptr<HeadlessRun> run);

/// Runs one to its end or its failure, or until it is told to stop.
/// @param moments  of the pictures, ascending [s]
/// @param onStep   after every step; false: stop
/// @param stop     once asked to, the step under way is given up, too
void runMethod(MethodRun& method, double duration, const std::vector<double>& moments,
               const std::function<bool()>& onStep, const std::stop_token& stop = {});

/// The figures of several runs: a row per figure, a column per run.
struct MethodTable {
  struct Row {
    std::string name;  ///< with its unit: "slip, mean by force [mm/s]"
    std::vector<std::string> values;
  };
  std::vector<std::string> runs;  ///< their names
  std::vector<Row> rows;
};

/// Of a time window, what is not said otherwise. Forces are those on the bodies that are pressed most.
/// @param from, to  of means [s]
MethodTable tabulate(std::span<const MethodRun> runs, double from, double to);

/// Mean force on a body; 0 where nothing touched it [N].
Vec3 forceOn(const MethodFigures& figures, const std::string& body);
double msPerStep(const MethodFigures& figures);
double msPerSimulatedSecond(const MethodFigures& figures);

}  // namespace slipstick
