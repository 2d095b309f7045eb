// Kinds of files that a run is exported as, and which of them are wanted: what a command line and a window choose from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slipstick {

/// One of the forms of a kind of file, where it has several.
struct ExportForm {
  std::string word;    ///< on the command line: "ply"
  std::string label;   ///< in the window: "PLY"
  std::string suffix;  ///< of a name in the window: ".glb"; of a folder with a "/" at its end
};

/// A kind of file, or of folder with files, that a run is exported as.
struct ExportKind {
  /// Which steps of a run it takes: every one, single moments, or some of it at every step and particles at moments.
  enum class Moments { EveryStep, Samples, Both };
  std::string name = {};         ///< of its option: "csv" is --csv
  std::string description = {};  ///< of that option
  bool isFolder = false;
  Moments moments = Moments::EveryStep;
  bool takesObservables = false;       ///< those that were chosen
  std::string label = {};              ///< in the window
  std::string explanation = {};        ///< likewise
  std::vector<ExportForm> forms = {};  ///< one or two; the first is the usual one
  std::string formsLabel = {};         ///< of two, in the window: which of what
  std::string formsKept = {};          ///< of two, in the window's settings: whether it is the second one
  /// Of two, where a name does not say which it is: an option for that, its words and its description.
  std::string formsOption = {}, formsDescription = {};

  bool takesSamples() const { return moments != Moments::EveryStep; }
  bool takesEveryStep() const { return moments != Moments::Samples; }
};

/// What is written of a run, in one walk through it.
struct DataOutputs {
  std::map<std::string, std::string> files;  ///< by names of kinds: the file or folder of each that is wanted
  std::map<std::string, std::string> forms;  ///< by names of kinds: a form's word, unless it is the first
  std::vector<std::string> observables;      ///< patterns, see ObservableChoice; empty: all
  std::optional<double> fps;                 ///< samples per simulated second; unset: 30, of morph targets 10
  std::optional<double> from;                ///< [s]; unset: its start
  std::optional<double> to;                  ///< [s]; unset: the end of the run
};

}  // namespace slipstick
