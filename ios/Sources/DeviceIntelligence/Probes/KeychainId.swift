// Has this device been here before? An id in the keychain outlives the app, and dies with an erase.

#if canImport(UIKit)
  import Foundation
  import RingfenceCore
  import Security

  let keychainId = Probe("keychainId") {
    let item: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "ringfence",
      kSecAttrAccount as String: "deviceId",
    ]
    if let known = kept(item) { return .told(["id": .string(known), "isNew": .bool(false)]) }
    let id = makeSdkId(SystemClock())
    var new = item
    new[kSecValueData as String] = Data(id.utf8)
    // Not in back-ups that restore on other devices.
    new[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    guard SecItemAdd(new as CFDictionary, nil) == errSecSuccess else { return nil }
    return .told(["id": .string(id), "isNew": .bool(true)])
  }

  private func kept(_ item: [String: Any]) -> String? {
    var query = item
    query[kSecReturnData as String] = true
    query[kSecMatchLimit as String] = kSecMatchLimitOne
    var found: CFTypeRef?
    guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess, let data = found as? Data else {
      return nil
    }
    return String(data: data, encoding: .utf8)
  }
#endif
