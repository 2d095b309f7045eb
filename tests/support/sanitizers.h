// SLIPSTICK_ASAN and SLIPSTICK_TSAN: defined where this is built with AddressSanitizer or ThreadSanitizer. GCC has macros for
// that, clang 14 has features.
#pragma once

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SLIPSTICK_ASAN
#elif __has_feature(thread_sanitizer)
#define SLIPSTICK_TSAN
#endif
#endif

#if defined(__SANITIZE_ADDRESS__) && !defined(SLIPSTICK_ASAN)
#define SLIPSTICK_ASAN
#elif defined(__SANITIZE_THREAD__) && !defined(SLIPSTICK_TSAN)
#define SLIPSTICK_TSAN
#endif
