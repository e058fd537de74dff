// Which facts does an iPhone tell beyond Foundation's? One file each.

#if canImport(UIKit)
  import RingfenceCore

  let deviceProbes: [Probe] = [
    appIntegrity, cloudAccount, deviceCheck, deviceModel, devicePixelRatio, hookTraces, jailbreakTraces, keychainId,
    location,
    networkInterfaces, proxy, screen, screenCapture, simulator, vendorId, wifi,
  ]
#endif
