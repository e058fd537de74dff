// What does Apple add to UIKit in Swift?

@_exported import Foundation
@_exported import UIKit

extension UIApplicationDelegate {
  @MainActor public static func main() { fatalError() }
}
