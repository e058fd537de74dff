// Does traffic go through a tunnel?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import CFNetwork
  import Darwin
  import Foundation
  import RingfenceCore

  let networkInterfaces = Probe("networkInterfaces") {
    let scoped = (proxySettings()["__SCOPED__"] as? [String: Any]).map { Array($0.keys) } ?? []
    return NetworkReading.networkInterfaces(scoped: scoped, addresses: interfaceAddresses())
  }

  func proxySettings() -> [String: Any] {
    CFNetworkCopySystemProxySettings()?.takeRetainedValue() as? [String: Any] ?? [:]
  }

  private func interfaceAddresses() -> [InterfaceAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var addresses: [InterfaceAddress] = []
    var next = first
    while let interface = next?.pointee {
      next = interface.ifa_next
      guard let address = interface.ifa_addr else { continue }
      let isUp = interface.ifa_flags & UInt32(IFF_UP) != 0
      addresses.append(InterfaceAddress(name: String(cString: interface.ifa_name), isUp: isUp, bytes: bytes(address)))
    }
    return addresses
  }

  private func bytes(_ address: UnsafeMutablePointer<sockaddr>) -> [UInt8] {
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET: return withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { Array($0) }
    case AF_INET6: return withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { Array($0) }
    default: return []
    }
  }
#endif
