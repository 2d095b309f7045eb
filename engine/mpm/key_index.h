// Dense numbers for sparse 64-bit keys: the grid's blocks, the pairs in contact.
#pragma once

#include <cstdint>
#include <vector>

namespace slipstick::mpm {

/// A particle and a geometry that touch, as a key.
constexpr std::uint64_t contactKey(int geometry, int particle) {
  return static_cast<std::uint64_t>(geometry) << 32 | static_cast<std::uint32_t>(particle);
}

/// Open-addressing hash table key → 0, 1, 2, … in order of first insertion. Memory follows the number of
/// keys; clear() keeps it, so that a steady state allocates nothing.
class KeyIndex {
 public:
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};  ///< not a valid key

  int size() const { return static_cast<int>(keys_.size()); }
  const std::vector<std::uint64_t>& keys() const { return keys_; }  ///< in order of insertion

  void clear() {
    // Last in, first out: removing the youngest key never breaks another key's probe chain.
    for (; !keys_.empty(); keys_.pop_back()) slots_[slotOf(keys_.back())] = {};
  }

  /// Index of the key, or −1.
  int find(std::uint64_t key) const { return slots_.empty() ? -1 : slots_[slotOf(key)].index; }

  /// Index of the key, inserting it when new.
  int insert(std::uint64_t key) {
    if (keys_.size() * 2 >= slots_.size()) grow();
    Slot& slot = slots_[slotOf(key)];
    if (slot.index < 0) {
      keys_.push_back(key);  // first: where there is no memory for it, the table is as it was
      slot = {key, size() - 1};
    }
    return slot.index;
  }

 private:
  struct Slot {
    std::uint64_t key = kNoKey;
    int index = -1;
  };

  /// The key's slot, or the free slot where it belongs (linear probing).
  std::size_t slotOf(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot =
        ((key * 0x9e3779b97f4a7c15u) >> 20) & mask;  // multiplicative hash: the upper bits are mixed best
    while (slots_[slot].index >= 0 && slots_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), {});
    int index = 0;
    for (const std::uint64_t key : keys_) slots_[slotOf(key)] = {key, index++};
  }

  std::vector<Slot> slots_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace slipstick::mpm
