// Which facts does the SDK read on this device? One file for each fact.

import RingfenceCore

/// Probes that need only Foundation, so they run on every platform.
private let foundationProbes = plainProbes + [diskSpace, memory, volumeDates]

#if os(iOS) && !targetEnvironment(macCatalyst)
  let deviceProbes =
    foundationProbes + [
      appIntegrity, cloudAccount, deviceCheck, deviceModel, devicePixelRatio, hookTraces, jailbreakTraces, keychainId,
      location, networkInterfaces, proxy, screen, screenCapture, simulator, vendorId, wifi,
    ]
#else
  let deviceProbes = foundationProbes
#endif
