// What does the SDK use on a device? Its probes, the user defaults and App Attest.

import Foundation
import RingfenceCore

extension Surroundings {
  /// On Apple's other systems, where calls have no effect, and on Linux, as in tests: probes that
  /// need only Foundation, and storage that ends with the process.
  public static var ofDevice: Surroundings {
    var surroundings = Surroundings(probes: deviceProbes)
    #if os(iOS) && !targetEnvironment(macCatalyst)
      surroundings.storage = DefaultsStorage()
      surroundings.isSupported = false
      if #available(iOS 15, *) {
        surroundings.isSupported = true
        surroundings.appAttest = DeviceAppAttest()
      }
    #elseif canImport(Darwin)
      surroundings.isSupported = false
    #endif
    return surroundings
  }
}
