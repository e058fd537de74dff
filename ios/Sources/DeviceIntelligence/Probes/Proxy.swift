// Does traffic go through a proxy?

#if os(iOS) && !targetEnvironment(macCatalyst)
  import RingfenceCore

  let proxy = Probe("proxy") {
    NetworkReading.proxy(proxySettings())
  }
#endif
