// Which id does this device have for all apps of the vendor?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import RingfenceCore
  import UIKit

  let vendorId = Probe("vendorId") {
    .words(await MainActor.run { UIDevice.current.identifierForVendor?.uuidString })
  }
#endif
