// Which model is this, and which system does it run?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import Darwin
  import RingfenceCore
  import UIKit

  let deviceModel = Probe("deviceModel") {
    let (systemName, systemVersion) = await MainActor.run {
      (UIDevice.current.systemName, UIDevice.current.systemVersion)
    }
    return .withoutNil([
      "identifier": .words(systemText("hw.machine")),
      "systemName": .string(systemName),
      "systemVersion": .string(systemVersion),
      "systemBuild": .words(systemText("kern.osversion")),
      "cpuType": .words(cpuType()),
      "cores": .whole(systemNumber("hw.ncpu")),
    ])
  }

  /// From `mach/machine.h`: type 0x0100000C is 64-bit ARM; its subtype 2 has pointer
  /// authentication.
  private func cpuType() -> String? {
    guard let type = systemNumber("hw.cputype") else { return nil }
    guard type == 0x0100_000C else { return type == 0x0100_0007 ? "x86_64" : "\(type)" }
    return systemNumber("hw.cpusubtype") == 2 ? "arm64e" : "arm64"
  }

  private func systemNumber(_ name: String) -> Int? {
    var value: Int32 = 0
    var size = MemoryLayout<Int32>.size
    return sysctlbyname(name, &value, &size, nil, 0) == 0 ? Int(value) : nil
  }

  private func systemText(_ name: String) -> String? {
    var size = 0
    guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 1 else { return nil }
    var text = [CChar](repeating: 0, count: size)
    guard sysctlbyname(name, &text, &size, nil, 0) == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
#endif
