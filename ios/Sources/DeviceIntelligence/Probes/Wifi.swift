// Which Wi-Fi is it in? Only where the app has the entitlement for Wi-Fi information, and location is allowed.

#if canImport(UIKit)
  import NetworkExtension
  import RingfenceCore

  /// Hashes: they tell whether it is the same network, not which.
  let wifi = Probe("wifi") {
    guard #available(iOS 14, *) else { return nil }
    return await withCheckedContinuation { continuation in
      NEHotspotNetwork.fetchCurrent { network in
        continuation.resume(
          returning: network.map { .object(["ssid": .string(sha256($0.ssid)), "bssid": .string(sha256($0.bssid))]) })
      }
    }
  }
#endif
