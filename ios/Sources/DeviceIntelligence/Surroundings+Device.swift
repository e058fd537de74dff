// On what does the SDK stand on a device?

import Foundation
import RingfenceCore

extension Surroundings {
  /// Off iOS, as in tests: the facts that Foundation reads, and an installation that ends with the process.
  public static var ofDevice: Surroundings {
    var surroundings = Surroundings(probes: deviceProbes)
    #if canImport(UIKit)
      surroundings.memory = KeptInDefaults()
      surroundings.isSupported = false
      if #available(iOS 15, *) {
        surroundings.isSupported = true
        surroundings.appAttest = DeviceAppAttest()
      }
    #endif
    return surroundings
  }
}
