// Keychain items: developer.apple.com/documentation/security/keychain-items
#pragma once
@import Foundation;
#include "CoreFoundation.h"
typedef int OSStatus;
NONNULL_BEGIN
extern const CFStringRef kSecClass, kSecClassGenericPassword, kSecAttrService, kSecAttrAccount, kSecAttrAccessible,
    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, kSecValueData, kSecReturnData, kSecMatchLimit, kSecMatchLimitOne;
OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef __attribute__((cf_returns_retained)) _Nullable *_Nullable result);
OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef __attribute__((cf_returns_retained)) _Nullable *_Nullable result);
NONNULL_END
enum { errSecSuccess = 0 };
enum { errSecItemNotFound = -25300 };
