// Which facts does the device tell? One file each.

import RingfenceCore

/// Those that Foundation reads, on every platform.
private let foundationProbes = plainProbes + [diskSpace, memory, volumeDates]

#if canImport(UIKit)
  let deviceProbes =
    foundationProbes + [
      appIntegrity, cloudAccount, deviceCheck, deviceModel, devicePixelRatio, hookTraces, jailbreakTraces, keychainId,
      location, networkInterfaces, proxy, screen, screenCapture, simulator, vendorId, wifi,
    ]
#else
  let deviceProbes = foundationProbes
#endif
