// Which macros do the stub headers use? Apple's, as far as clang attributes affect Swift.
#pragma once
#define IOS(version) __attribute__((availability(ios, introduced = version)))
#define MAIN_ACTOR __attribute__((swift_attr("@MainActor")))
#define SENDABLE __attribute__((swift_attr("@Sendable")))
#define SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type
#define OPTIONS(type, name) \
  enum __attribute__((flag_enum, enum_extensibility(open))) name : type name; enum name : type
#define BRIDGED(name) __attribute__((swift_bridge(#name)))
#define NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NONNULL_END _Pragma("clang assume_nonnull end")
