// Where does the SDK store data? In the user defaults, which are deleted with the app.

#if os(iOS) && !targetEnvironment(macCatalyst)
  import Foundation
  import RingfenceCore

  struct DefaultsStorage: PersistentStorage {
    func text(_ name: String) -> String? {
      UserDefaults.standard.string(forKey: "ringfence.\(name)")
    }

    func store(_ text: String?, as name: String) {
      UserDefaults.standard.set(text, forKey: "ringfence.\(name)")
    }
  }
#endif
