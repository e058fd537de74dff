// How does a connection use mobile data while the device is on Wi-Fi? Network.framework binds it to that interface.

#if os(iOS) && !targetEnvironment(macCatalyst)
  import Dispatch
  import Foundation
  import Network

  /// A connection over mobile data. A VPN is not used either: the operator would not know the SIM.
  final class CellularStream: ByteStream, @unchecked Sendable {
    /// A device on Wi-Fi may need a moment to bring up mobile data.
    private static let patience: UInt64 = 2_000_000_000
    private static let maxPiece = 64 << 10

    private let connection: NWConnection

    init(_ address: WebAddress) throws {
      guard let port = NWEndpoint.Port(rawValue: address.port) else {
        throw MobileDataError.failed("the URL is not valid")
      }
      let security = address.isSecure ? NWProtocolTLS.Options() : nil
      let parameters = NWParameters(tls: security, tcp: NWProtocolTCP.Options())
      parameters.requiredInterfaceType = .cellular
      parameters.prohibitedInterfaceTypes = [.wifi, .wiredEthernet, .loopback]
      connection = NWConnection(host: NWEndpoint.Host(address.host), port: port, using: parameters)
    }

    func open() async throws {
      let opened = First<MobileDataError?>()
      let unreachable = MobileDataError.failed("the server could not be reached")
      connection.stateUpdateHandler = { state in
        switch state {
        case .ready: opened.resolve(.some(nil))
        case .failed, .cancelled: opened.resolve(unreachable)
        case .waiting:
          Task {
            try await Task.sleep(nanoseconds: CellularStream.patience)
            guard case .waiting = self.connection.state else { return }
            let hasPath = self.connection.currentPath?.status == .satisfied
            opened.resolve(hasPath ? unreachable : MobileDataError.unavailable)
          }
        default: break
        }
      }
      connection.start(queue: DispatchQueue(label: "ringfence.mobile-data"))
      let outcome = await opened.value()
      connection.stateUpdateHandler = nil
      if let failure = outcome ?? unreachable { throw failure }
    }

    func send(_ bytes: Data) async throws {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, Error>) in
        connection.send(
          content: bytes,
          completion: .contentProcessed { error in
            if let error = error { continuation.resume(throwing: error) } else { continuation.resume() }
          })
      }
    }

    func receive() async throws -> Data? {
      try await withCheckedThrowingContinuation { continuation in
        connection.receive(minimumIncompleteLength: 1, maximumLength: CellularStream.maxPiece) {
          bytes, _, isEnd, error in
          if let bytes = bytes, !bytes.isEmpty {
            continuation.resume(returning: bytes)
          } else if let error = error {
            continuation.resume(throwing: error)
          } else {
            continuation.resume(returning: isEnd ? nil : Data())
          }
        }
      }
    }

    func close() { connection.cancel() }
  }
#endif
