// One visitor of a variant out of a function per kind: a kind that none of them takes does not compile.
#pragma once

namespace slipstick {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace slipstick
