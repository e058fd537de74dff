// Has the SDK seen this device before? The id in the keychain survives deleting the app.

#if os(iOS) && !targetEnvironment(macCatalyst)
  import Foundation
  import RingfenceCore
  import Security

  let keychainId = Probe("keychainId") {
    let item: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "ringfence",
      kSecAttrAccount as String: "deviceId",
    ]
    if let known = stored(item) { return .withoutNil(["id": .string(known), "isNew": .bool(false)]) }
    let id = makeSdkId(SystemClock())
    var new = item
    new[kSecValueData as String] = Data(id.utf8)
    // Excluded from backups that are restored on other devices.
    new[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    guard SecItemAdd(new as CFDictionary, nil) == errSecSuccess else { return nil }
    return .withoutNil(["id": .string(id), "isNew": .bool(true)])
  }

  private func stored(_ item: [String: Any]) -> String? {
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
