// Which iCloud account is signed in? Needs the CloudKit entitlement and a key in Info.plist.

#if os(iOS) && !targetEnvironment(macCatalyst)
  import CloudKit
  import Foundation
  import RingfenceCore

  /// A hash of the account's id. Each app gets another id for the same account.
  let cloudAccount = Probe("cloudAccount") {
    let key = "RingfenceCloudKitContainer"
    guard let identifier = Bundle.main.object(forInfoDictionaryKey: key) as? String else { return nil }
    return await withCheckedContinuation { continuation in
      CKContainer(identifier: identifier).fetchUserRecordID { record, _ in
        continuation.resume(returning: .words(record.map { sha256($0.recordName) }))
      }
    }
  }
#endif
