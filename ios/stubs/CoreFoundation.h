// Toll-free bridged types: developer.apple.com/documentation/corefoundation
#pragma once
@import ObjectiveC;
#include "stub.h"
typedef const void *CFTypeRef;
typedef const struct __attribute__((objc_bridge(NSDictionary))) __CFDictionary *CFDictionaryRef;
typedef const struct __attribute__((objc_bridge(NSString))) __CFString *CFStringRef;
