// Does traffic go through a proxy?

#if canImport(UIKit)
  import RingfenceCore

  let proxy = Probe("proxy") {
    NetworkReading.proxy(proxySettings())
  }
#endif
