// Does traffic go through a tunnel or a proxy? Converts the system's readings to facts.

/// An IP address of a network interface.
public struct InterfaceAddress: Sendable, Equatable {
  public let name: String
  public let isUp: Bool
  /// 4 bytes (IPv4) or 16 (IPv6).
  public let bytes: [UInt8]

  public init(name: String, isUp: Bool, bytes: [UInt8]) {
    self.name = name
    self.isUp = isUp
    self.bytes = bytes
  }

  /// Neither link-local nor loopback.
  var isRoutable: Bool {
    switch bytes.count {
    case 4: return bytes[0] != 127 && !(bytes[0] == 169 && bytes[1] == 254) && bytes[0] != 0
    case 16:
      let isLinkLocal = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
      return !isLinkLocal && bytes.dropLast().contains { $0 != 0 }
    default: return false
    }
  }
}

/// Converts readings of the system to facts.
public enum NetworkReading {
  private static let tunnels = ["utun", "tun", "tap", "ppp", "ipsec"]

  private static func isTunnel(_ name: String) -> Bool { tunnels.contains { name.hasPrefix($0) } }

  /// Fact `networkInterfaces`. `scoped`: names under `__SCOPED__` in the system's proxy settings.
  /// Every iPhone has a bare utun, and ipsec can be Wi-Fi calling. Names alone prove little, so
  /// tunnels with routable addresses are listed separately.
  public static func networkInterfaces(scoped: [String], addresses: [InterfaceAddress]) -> JSON {
    let routable = addresses.filter { isTunnel($0.name) && $0.isUp && $0.isRoutable }.map { $0.name }
    return .object([
      "scopedTunnels": .words(Array(Set(scoped.filter(isTunnel)).sorted().prefix(32))),
      "routableTunnels": .words(Array(Set(routable).sorted().prefix(32))),
    ])
  }

  /// Fact `proxy`, from the system's proxy settings. The proxy's host stays on the device.
  public static func proxy(_ settings: [String: Any]) -> JSON {
    func isOn(_ name: String) -> Bool { (settings[name] as? Int ?? 0) != 0 }
    let host = settings["HTTPProxy"] as? String ?? settings["HTTPSProxy"] as? String ?? ""
    return .object([
      "http": .bool(isOn("HTTPEnable") || isOn("HTTPSEnable")),
      "socks": .bool(isOn("SOCKSEnable")),
      "autoConfiguration": .bool(isOn("ProxyAutoConfigEnable")),
      "isLoopback": .bool(["127.0.0.1", "::1", "localhost"].contains(host)),
    ])
  }
}
