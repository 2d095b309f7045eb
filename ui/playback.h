// Plays what is stored: nothing is computed, nothing is lost.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace slipstick::ui {

class Session;

/// Moves what the window looks at through the stored steps, at the speed that is wanted, to the newest one; round and
/// round in the selected range where it loops. A person who looks elsewhere meanwhile plays on from there.
class Playback : public QObject {
  Q_OBJECT

 public:
  explicit Playback(Session& session);
  bool isPlaying() const { return timer_.isActive(); }
  bool loops() const { return loops_; }
  bool loopsRange() const;  ///< and one is selected
  /// From the step shown; where that is the last of the range that loops, or of the branch, from the first.
  void start();
  void stop();
  void setLoops(bool loops);

 Q_SIGNALS:
  void changed();

 private:
  void tick();
  std::pair<double, double> span() const;  ///< of times that are played [s]

  Session& session_;
  QTimer timer_;
  QElapsedTimer clock_;
  double time_ = 0;         ///< of the play head [s]
  std::uint64_t step_ = 0;  ///< that it last showed
  bool loops_ = false;
};

}  // namespace slipstick::ui
