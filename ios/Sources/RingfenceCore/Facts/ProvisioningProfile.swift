// Which team and bundle id was the app signed for? App Store apps have no profile.

import Foundation

/// Reads a provisioning profile.
public enum ProvisioningProfile {
  /// `<team id>.<bundle id>`, or nil if there is no such entry.
  public static func applicationIdentifier(_ file: Data) -> String? {
    // The XML is inside a binary signature, which is not needed.
    let text = String(decoding: file.filter { (0x20..<0x7F).contains($0) || $0 == 0x0A }, as: UTF8.self)
    let after = text.parts("<key>application-identifier</key>")
    guard after.count > 1 else { return nil }
    let value = after[1].parts("<string>")
    guard value.count > 1, value[0].allSatisfy({ $0.isWhitespace }) else { return nil }
    let identifier = value[1].parts("</string>")[0]
    return identifier.isEmpty || identifier.count > 256 ? nil : identifier
  }
}

extension String {
  /// The text before and after the first occurrence.
  fileprivate func parts(_ separator: String) -> [String] {
    guard let found = range(of: separator) else { return [self] }
    return [String(self[..<found.lowerBound]), String(self[found.upperBound...])]
  }
}
