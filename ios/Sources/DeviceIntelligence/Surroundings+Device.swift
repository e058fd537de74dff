// On what does the SDK stand on a device?

import Foundation
import RingfenceCore

extension Surroundings {
  static var ofDevice: Surroundings {
    #if canImport(UIKit)
      var surroundings = Surroundings(memory: KeptInDefaults(), probes: foundationProbes + deviceProbes)
      surroundings.isSupported = false
      if #available(iOS 15, *) {
        surroundings.isSupported = true
        surroundings.appAttest = DeviceAppAttest()
      }
      return surroundings
    #else
      return Surroundings()
    #endif
  }
}
