// Which sign-ins are under way in this process?

/// In the order in which they were started; the last few.
struct PendingSignIns {
  struct SignIn: Equatable {
    let transactionId: String
    var dfrId: String?
  }

  private static let most = 5
  private var signIns: [SignIn] = []

  /// The last that was started, when none is named. One of another process has no dfrId.
  func of(_ transactionId: String?) -> SignIn? {
    guard let transactionId = transactionId else { return signIns.last }
    return signIns.last { $0.transactionId == transactionId } ?? SignIn(transactionId: transactionId)
  }

  mutating func keep(_ transactionId: String) {
    let known = signIns.last { $0.transactionId == transactionId }
    forget(transactionId)
    signIns.append(known ?? SignIn(transactionId: transactionId))
    signIns = Array(signIns.suffix(PendingSignIns.most))
  }

  mutating func add(dfrId: String, to transactionId: String) {
    for index in signIns.indices where signIns[index].transactionId == transactionId { signIns[index].dfrId = dfrId }
  }

  mutating func forget(_ transactionId: String) {
    signIns.removeAll { $0.transactionId == transactionId }
  }
}
