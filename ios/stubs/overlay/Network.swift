// Which part of Network does the SDK use? developer.apple.com/documentation/network

@_exported import Dispatch
@_exported import Foundation

@available(iOS 12.0, *)
public final class NWConnection: @unchecked Sendable {
  @frozen public enum State: Sendable {
    case setup
    case waiting(NWError)
    case preparing
    case ready
    case failed(NWError)
    case cancelled
  }
  public enum SendCompletion: Sendable {
    case contentProcessed(@Sendable (_ error: NWError?) -> Void)
    case idempotent
  }
  public final class ContentContext: @unchecked Sendable {
    public static let defaultMessage = ContentContext()
  }
  public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using: NWParameters) { fatalError() }
  public final var stateUpdateHandler: (@Sendable (_ state: State) -> Void)? {
    get { fatalError() }
    set { fatalError() }
  }
  public final var state: State { fatalError() }
  public final var currentPath: NWPath? { fatalError() }
  public final func start(queue: DispatchQueue) { fatalError() }
  public final func cancel() { fatalError() }
  public final func send(
    content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
    completion: SendCompletion
  ) { fatalError() }
  public final func receive(
    minimumIncompleteLength: Int, maximumLength: Int,
    completion: @escaping @Sendable (
      _ content: Data?, _ contentContext: ContentContext?, _ isComplete: Bool, _ error: NWError?
    ) -> Void
  ) { fatalError() }
}

@available(iOS 12.0, *)
public enum NWError: Error, Sendable {
  case dns(Int32)
  case tls(Int32)
}

@available(iOS 12.0, *)
public enum NWEndpoint: Sendable {
  public enum Host: Hashable, Sendable {
    case name(String, NWInterface?)
    public init(_ string: String) { fatalError() }
  }
  public struct Port: Hashable, Sendable {
    public init?(rawValue: UInt16) { fatalError() }
  }
}

@available(iOS 12.0, *)
public struct NWPath: Sendable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
  public let status: Status
}

@available(iOS 12.0, *)
public struct NWInterface: Hashable, Sendable {
  public enum InterfaceType: Sendable { case other, wifi, cellular, wiredEthernet, loopback }
}

@available(iOS 12.0, *)
public class NWProtocolOptions: @unchecked Sendable { init() { fatalError() } }

@available(iOS 12.0, *)
public enum NWProtocolTCP {
  public final class Options: NWProtocolOptions, @unchecked Sendable { override public init() { fatalError() } }
}

@available(iOS 12.0, *)
public enum NWProtocolTLS {
  public final class Options: NWProtocolOptions, @unchecked Sendable { override public init() { fatalError() } }
}

@available(iOS 12.0, *)
public final class NWParameters: @unchecked Sendable {
  public convenience init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
    fatalError()
  }
  init() { fatalError() }
  public final var requiredInterfaceType: NWInterface.InterfaceType { get { fatalError() } set { fatalError() } }
  public final var prohibitedInterfaceTypes: [NWInterface.InterfaceType]? { get { fatalError() } set { fatalError() } }
}
