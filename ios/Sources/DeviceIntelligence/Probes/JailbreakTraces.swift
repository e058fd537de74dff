// Is the system jailbroken?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import Darwin
  import Foundation
  import RingfenceCore

  /// Runs no other program and queries no URL schemes: legitimate apps register the same schemes as
  /// jailbreak tools.
  let jailbreakTraces = Probe("jailbreakTraces") {
    .object([
      "paths": .words(KnownTraces.jailbreakPaths.filter(exists)),
      "links": .words(KnownTraces.movedFolders.filter(isLink)),
      "libraries": .words(KnownTraces.jailbreakImages(loadedImages())),
      "wroteOutside": .bool(wroteOutside()),
      "forked": .bool(forked()),
    ])
  }

  /// Checks in two ways, because a jailbreak that hides itself may intercept only one of them.
  private func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0 || FileManager.default.fileExists(atPath: path)
  }

  private func isLink(_ path: String) -> Bool {
    var target = [CChar](repeating: 0, count: 1_024)
    return readlink(path, &target, target.count) > 0
  }

  /// The sandbox lets an app write to its own folders only.
  private func wroteOutside() -> Bool {
    let path = "/private/ringfence-\(UUID().uuidString)"
    guard let file = fopen(path, "w") else { return false }
    fclose(file)
    unlink(path)
    return true
  }

  /// The sandbox does not let an app start a process. Swift hides `fork`, so it is looked up at run
  /// time.
  private func forked() -> Bool {
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: -2), "fork") else { return false }
    let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
    let child = fork()
    if child == 0 { _exit(0) }
    guard child > 0 else { return false }
    waitpid(child, nil, 0)
    return true
  }
#endif
