// How many pixels has a point?

#if canImport(UIKit)
  import RingfenceCore
  import UIKit

  let devicePixelRatio = Probe("devicePixelRatio") {
    .number(await MainActor.run { Double(UIScreen.main.scale) })
  }
#endif
