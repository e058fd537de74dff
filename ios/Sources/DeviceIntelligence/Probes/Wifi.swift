// Which Wi-Fi network is this? Needs the entitlement for Wi-Fi information and location access.

#if os(iOS) && !targetEnvironment(macCatalyst)
  import NetworkExtension
  import RingfenceCore

  /// Hashes: the server can see that it is the same network, but not which one.
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
