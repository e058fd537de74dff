// Does a tool intercept function calls in this app?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import Darwin
  import Foundation
  import RingfenceCore

  let hookTraces = Probe("hookTraces") {
    .object([
      "libraries": .words(KnownTraces.hookImages(loadedImages())),
      "classes": .words(KnownTraces.hookClasses.filter { NSClassFromString($0) != nil }),
      "openPorts": .array(KnownTraces.hookPorts.filter(isOpen).map { .int(Int64($0)) }),
    ])
  }

  /// True if a process on this device listens on the port. Waits at most 50 ms.
  private func isOpen(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var address = sockaddr_in()
    address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if status == 0 { return true }
    var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&waited, 1, 50) == 1 else { return false }
    var failure: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 && failure == 0
  }
#endif
