// Which id has the device for all apps of this vendor?

#if canImport(UIKit)
  import RingfenceCore
  import UIKit

  let vendorId = Probe("vendorId") {
    .words(await MainActor.run { UIDevice.current.identifierForVendor?.uuidString })
  }
#endif
