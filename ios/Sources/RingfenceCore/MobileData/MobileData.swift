// How does the SDK open a URL over mobile data? The operator knows the SIM only there.

import Foundation

/// Opens URLs over mobile data, also while the device uses Wi-Fi. Tests replace it.
public protocol MobileData: Sendable {
  /// Sends one GET without cookies or credentials, and follows no redirect. Throws MobileDataError.
  func get(_ url: URL, limitMilliseconds: Int) async throws -> HTTPResponse
}

/// Why a URL could not be opened over mobile data.
public enum MobileDataError: Error, Sendable, Equatable {
  /// There is no SIM, mobile data are off, or the person does not allow them to this app.
  case unavailable
  /// It took too long.
  case timeout
  /// The server could not be reached, its response is not usable, or its URL is not allowed.
  case failed(String)

  /// Text for the log. It names no URL, because URLs of operators contain phone numbers.
  public var message: String {
    switch self {
    case .unavailable: return "this device has no mobile data for this app"
    case .timeout: return "it took too long"
    case .failed(let reason): return reason
    }
  }
}

/// The mobile data of this device. On a simulator there are none.
public struct DeviceMobileData: MobileData {
  public init() {}

  public func get(_ url: URL, limitMilliseconds: Int) async throws -> HTTPResponse {
    #if os(iOS) && !targetEnvironment(macCatalyst)
      let streamed = StreamedMobileData { try CellularStream($0) }
      return try await streamed.get(url, limitMilliseconds: limitMilliseconds)
    #else
      throw MobileDataError.unavailable
    #endif
  }
}
