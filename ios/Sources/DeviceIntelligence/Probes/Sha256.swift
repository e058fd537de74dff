// How does the SDK send an identifier that the server only compares? As its SHA-256 hash.

#if os(iOS) && !targetEnvironment(macCatalyst)
  import Foundation
  import RingfenceCore

  /// The hash in hex digits.
  func sha256(_ text: String) -> String {
    sha256(Data(text.utf8)).map { (byte: UInt8) -> String in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
#endif
