// Where does the SDK keep what belongs to this installation? In the defaults, which go with the app.

#if canImport(UIKit)
  import Foundation
  import RingfenceCore

  struct KeptInDefaults: Memory {
    func text(_ name: String) -> String? {
      UserDefaults.standard.string(forKey: "ringfence.\(name)")
    }

    func keep(_ text: String?, as name: String) {
      UserDefaults.standard.set(text, forKey: "ringfence.\(name)")
    }
  }
#endif
