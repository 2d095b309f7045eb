// Notes of particles that are past the middle of a shape.
#include "engine/step/thin_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Two soft bodies, of particles 0 … 4 and 5 … 8; geometries 0 and 1 on body 3, geometry 2 on body 4.
Model plates() {
  Model model;
  model.deformables.resize(2);
  model.deformables[0].end = 5;
  model.deformables[1].begin = 5;
  model.deformables[1].end = 9;
  model.geometries.resize(3);
  model.geometries[0].body = model.geometries[1].body = 3;
  model.geometries[2].body = 4;
  return model;
}

/// @param beyond  depth by that of the middle, where it has passed it; else 0
TouchImpulse touch(int particle, int geometry, double beyond, double middle = 1e-3) {
  TouchImpulse touch;
  touch.particle = particle;
  touch.geometry = geometry;
  touch.beyondMiddle = beyond;
  touch.middle = middle;
  return touch;
}

HealthNote note(int body, int deformable, double value, double limit) {
  return {.flag = Health::TooThin,
          .body = body,
          .other = -1,
          .deformable = deformable,
          .value = value,
          .limit = limit};
}

std::vector<HealthNote> notesOf(const std::vector<TouchImpulse>& contacts,
                                std::vector<HealthNote> notes = {}) {
  addThinShapes(plates(), contacts, notes);
  return notes;
}

TEST(ThinShapes, WithoutContactsThereIsNothingToNote) {
  EXPECT_THAT(notesOf({}), IsEmpty());
}

TEST(ThinShapes, WhatHasNotPassedTheMiddleIsFine) {
  EXPECT_THAT(notesOf({touch(0, 0, 0), touch(1, 0, 0.99), touch(2, 0, 1)}), IsEmpty());
  EXPECT_THAT(notesOf({touch(0, 0, std::numeric_limits<double>::quiet_NaN())}), IsEmpty());
}

TEST(ThinShapes, ANoteTellsTheDepthAndThatOfTheMiddle) {
  EXPECT_THAT(notesOf({touch(6, 2, 1.5, 2e-3)}), ElementsAre(note(4, 1, 1.5 * 2e-3, 2e-3)));
}

TEST(ThinShapes, TheContactThatIsFurthestBeyondTheMiddleSpeaksForItsPair) {
  // Of two shapes of one body: 1.5 times the middle of the thin one is further than 1.2 times that of the thick one.
  const TouchImpulse thin = touch(0, 0, 1.5, 1e-3), thick = touch(1, 1, 1.2, 5e-3);
  EXPECT_THAT(notesOf({thin, thick}), ElementsAre(note(3, 0, 1.5 * 1e-3, 1e-3)));
  EXPECT_THAT(notesOf({thick, thin}), ElementsAre(note(3, 0, 1.5 * 1e-3, 1e-3)));
}

TEST(ThinShapes, EachPairOfABodyAndASoftBodyHasItsOwn) {
  EXPECT_THAT(
      notesOf({touch(0, 0, 1.5), touch(6, 0, 2), touch(0, 2, 3)}),
      ElementsAre(note(3, 0, 1.5 * 1e-3, 1e-3), note(3, 1, 2 * 1e-3, 1e-3), note(4, 0, 3 * 1e-3, 1e-3)));
}

TEST(ThinShapes, NotesOfOtherThingsStayAsTheyAre) {
  HealthNote fast = note(3, 0, 0.06, 0.02);
  fast.flag = Health::FastBody;
  EXPECT_THAT(notesOf({touch(0, 0, 1.5)}, {fast}), ElementsAre(fast, note(3, 0, 1.5 * 1e-3, 1e-3)));
}

}  // namespace
}  // namespace slipstick
