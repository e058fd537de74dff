// How does the SDK send an identifier that the server only compares? As its SHA-256 hash.

#if canImport(UIKit)
  import CommonCrypto
  import Foundation

  func digest(_ data: Data) -> Data {
    var hash = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    let bytes = Array(data)
    CC_SHA256(bytes, CC_LONG(bytes.count), &hash)
    return Data(hash)
  }

  /// The hash in hex digits.
  func sha256(_ text: String) -> String {
    digest(Data(text.utf8)).map { (byte: UInt8) -> String in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
#endif
