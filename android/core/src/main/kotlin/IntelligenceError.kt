// Why did a fetch return no dfrId? (specification 7.4)
package ringfence.core

/** The only error of a fetch. `message` is the `errorMessage` of the callback. */
public sealed class IntelligenceError(override val message: String) : Exception(message) {
  /** Called before `initialize` has succeeded. */
  public class NotConfigured : IntelligenceError("SDK not initialised")

  /**
   * The engine call or the push failed, or no response had a dfrId.
   *
   * @property requestId for support requests
   */
  public class Failed(public val requestId: String?, message: String) : IntelligenceError(message)

  /** Unexpected internal state. The cause is for the log. */
  public class Unknown(override val cause: Throwable? = null) :
    IntelligenceError("Unknown intelligence error")
}
