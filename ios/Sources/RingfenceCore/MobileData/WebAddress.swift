// Which server does a URL name, and what does the request say? Only what cannot break the request's lines.

import Foundation

/// The server and the request target of a URL.
struct WebAddress: Sendable, Equatable {
  let isSecure: Bool
  /// A name or an IP address, without brackets.
  let host: String
  let port: UInt16
  /// Path and query.
  let target: String

  private static let maxTarget = 8_192

  /// nil if the URL is not http or https, has credentials, or characters that HTTP does not allow.
  init?(_ url: URL) {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), parts.user == nil, parts.password == nil,
      let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http", var host = parts.host
    else { return nil }
    if host.hasPrefix("[") && host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    isSecure = scheme == "https"
    guard let port = UInt16(exactly: parts.port ?? (isSecure ? 443 : 80)), port > 0 else { return nil }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    let target = path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    guard !host.isEmpty, host.utf8.allSatisfy(isHostByte), target.utf8.count <= WebAddress.maxTarget,
      target.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { return nil }
    self.host = host.lowercased()
    self.port = port
    self.target = target
  }

  var isLoopback: Bool { host == "127.0.0.1" || host == "::1" || host == "localhost" }

  /// The head of a GET, with nothing in it that tells the operator about the person or the app.
  var request: Data {
    let name = host.utf8.contains(0x3a) ? "[\(host)]" : host
    let authority = port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    let lines = [
      "GET \(target) HTTP/1.1", "Host: \(authority)", "Accept: */*", "Accept-Encoding: identity",
      "User-Agent: Ringfence", "Connection: close",
    ]
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

private func isHostByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x3a, 0x5f: return true  // letters, digits, - . : _
  default: return false
  }
}
