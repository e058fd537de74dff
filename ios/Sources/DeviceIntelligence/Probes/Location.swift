// Where is the device, if the person has allowed location access?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import CoreLocation
  import RingfenceCore

  /// The last location that the system knows. The probe never requests permission: the app does,
  /// before the first fetch.
  let location = Probe("location", reading: read)

  @Sendable private func read() async -> Reading {
    guard #available(iOS 15, *) else { return .missing(.unavailable) }
    return await MainActor.run { () -> Reading in
      let manager = CLLocationManager()
      if [.denied, .restricted].contains(manager.authorizationStatus) { return .missing(.refused) }
      let isAllowed = [.authorizedAlways, .authorizedWhenInUse].contains(manager.authorizationStatus)
      guard isAllowed, let place = manager.location else { return .missing(.unavailable) }
      let fact: JSON = .withoutNil([
        "latitude": .number(place.coordinate.latitude),
        "longitude": .number(place.coordinate.longitude),
        "altitude": place.verticalAccuracy > 0 ? .number(place.altitude) : nil,
        "accuracyMeters": place.horizontalAccuracy >= 0 ? .number(place.horizontalAccuracy) : nil,
        "ageSeconds": .number(-place.timestamp.timeIntervalSinceNow),
        "isSimulated": .flag(place.sourceInformation?.isSimulatedBySoftware),
        "isFromAccessory": .flag(place.sourceInformation?.isProducedByAccessory),
      ])
      return .fact(fact)
    }
  }
#endif
