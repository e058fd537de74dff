// Which libraries are loaded in this process?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import MachO

  /// Paths, as dyld reports them.
  func loadedImages() -> [String] {
    (0..<_dyld_image_count()).compactMap { _dyld_get_image_name($0).map { String(cString: $0) } }
  }
#endif
