// Which two bits does Apple store for this device? The server queries them with this token.

#if os(iOS) && !targetEnvironment(macCatalyst)
  import DeviceCheck
  import Foundation
  import RingfenceCore

  let deviceCheck = Probe("deviceCheck") {
    guard DCDevice.current.isSupported else { return nil }
    return await withCheckedContinuation { continuation in
      DCDevice.current.generateToken { token, _ in
        continuation.resume(returning: .words(token?.base64EncodedString()))
      }
    }
  }
#endif
