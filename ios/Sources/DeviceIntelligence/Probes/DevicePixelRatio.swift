// How many pixels are in one point?

#if canImport(UIKit)
  import RingfenceCore
  import UIKit

  let devicePixelRatio = Probe("devicePixelRatio") {
    .number(await MainActor.run { Double(UIScreen.main.scale) })
  }
#endif
