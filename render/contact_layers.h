// What a picture shows of contact: arrows with their marks and outlines, and footprints with their strokes.
#pragma once

#include "render/arrows.h"
#include "render/layer.h"
#include "render/patches.h"
#include "render/strokes.h"

namespace slipstick::render {

class ContactArrows final : public Layer {
 public:
  static Result<ContactArrows> create();
  void setModel(const Model&) override { contact_ = nullptr; }
  Inputs reads() const override { return {.contact = true, .options = true}; }
  void update(const Picture& picture) override;
  void draw(Stage stage, Pass pass) const override;
  std::optional<Selection> selectionOf(const PickId& id) const override;

 private:
  Arrows arrows_;
  Strokes outlines_;
  std::shared_ptr<const ContactParts> contact_;  ///< what is uploaded
  Stage stage_ = Stage::OnTop;
};

class ContactPatches final : public Layer {
 public:
  static Result<ContactPatches> create();
  void setModel(const Model&) override { contact_ = nullptr; }
  /// The camera: they are sorted.
  Inputs reads() const override { return {.contact = true, .camera = true, .options = true}; }
  void update(const Picture& picture) override;
  void draw(Stage stage, Pass pass) const override;

 private:
  Patches patches_;
  Strokes strokes_;
  std::shared_ptr<const ContactParts> contact_;  ///< whose strokes are uploaded
  bool any_ = false;
};

}  // namespace slipstick::render
