// Is this app unchanged since it was built and signed?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import Darwin
  import Foundation
  import MachO
  import RingfenceCore

  let appIntegrity = Probe("appIntegrity") {
    let profile = Bundle.main.path(forResource: "embedded", ofType: "mobileprovision")
    return .withoutNil([
      "bundleId": .words(Bundle.main.bundleIdentifier),
      "version": .words(Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String),
      "build": .words(Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String),
      "hasProfile": .bool(profile != nil),
      "profileAppId": .words(profile.flatMap(file).flatMap(ProvisioningProfile.applicationIdentifier)),
      "isEncrypted": .flag(isEncrypted()),
      "isDebugged": .flag(isDebugged()),
    ])
  }

  private func file(_ path: String) -> Data? {
    FileManager.default.contents(atPath: path)
  }

  /// The App Store encrypts executables. A decrypted one was changed or copied.
  private func isEncrypted() -> Bool? {
    for index in 0..<_dyld_image_count() {
      guard let header = _dyld_get_image_header(index), header.pointee.filetype == UInt32(MH_EXECUTE) else { continue }
      var command = UnsafeRawPointer(header) + MemoryLayout<mach_header_64>.size
      for _ in 0..<header.pointee.ncmds {
        let load = command.load(as: load_command.self)
        if load.cmd == UInt32(LC_ENCRYPTION_INFO_64) {
          return command.load(as: encryption_info_command_64.self).cryptid != 0
        }
        command += Int(load.cmdsize)
      }
      return false
    }
    return nil
  }

  private func isDebugged() -> Bool? {
    var process = kinfo_proc()
    var size = MemoryLayout<kinfo_proc>.stride
    var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
    guard sysctl(&name, UInt32(name.count), &process, &size, nil, 0) == 0 else { return nil }
    return process.kp_proc.p_flag & P_TRACED != 0
  }
#endif
