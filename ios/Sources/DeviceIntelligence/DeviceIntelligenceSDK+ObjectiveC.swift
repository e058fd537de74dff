// What do Objective-C and React Native call? The same operations, as selectors. (design: device.md)

#if canImport(ObjectiveC)
  import Foundation

  extension DeviceIntelligenceSDK {
    /// The instance for this app.
    @available(swift, obsoleted: 1.0)
    @objc(shared)
    public static var objcShared: DeviceIntelligenceSDK { shared }

    /// URL of your Ringfence service. Default: `RingfenceBaseURL` in Info.plist.
    @available(swift, obsoleted: 1.0)
    @objc(baseURL)
    public var objcBaseURL: URL? {
      get { baseURL }
      @objc(setBaseURL:) set { baseURL = newValue }
    }

    /// True once `initialize` has succeeded.
    @available(swift, obsoleted: 1.0)
    @objc(isInitialized)
    public var objcIsInitialized: Bool { isInitialized }

    /// Opens a session for the app. The completion may be nil; it is called on a background thread.
    @available(swift, obsoleted: 1.0)
    @objc(initializeWithAppId:completion:)
    public func objcInitialize(appId: String, completion: (@Sendable (_ success: Bool) -> Void)?) {
      initialize(appId: appId) { completion?($0) }
    }

    /// Analyses the device. The completion is called on a background thread.
    @available(swift, obsoleted: 1.0)
    @objc(fetchIntelligenceWithParams:updateInfo:completion:)
    public func objcFetchIntelligence(
      params: [String: Any]?, updateInfo: [String: Any]?,
      completion: @escaping @Sendable (
        _ success: Bool, _ dfrId: String?, _ intelligenceResponse: [String: Any]?, _ errorMessage: String?
      ) -> Void
    ) {
      fetchIntelligence(params: params, updateInfo: updateInfo, completion: completion)
    }
  }
#endif
