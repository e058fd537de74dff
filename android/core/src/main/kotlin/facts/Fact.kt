// How is a fact read? By a class of its own, within a time limit.
package ringfence.core.facts

/** Reads one fact of the device. */
public interface Fact {
  /** The name of the fact in the contract (contract/src/facts/android-facts.ts). */
  public val name: String

  /** A fact that takes longer is left out. */
  public val limitMillis: Long
    get() = 3_000

  /**
   * A value of JSON, or null if the device does not have it. Runs on a background thread.
   * SecurityException: the person or the system does not allow it. Any other error: the device does
   * not have it.
   */
  public fun read(): Any?
}

/** A fact without a time limit of its own. */
public class SimpleFact(override val name: String, private val reading: () -> Any?) : Fact {
  override fun read(): Any? = reading()
}

/** Why a fact is missing. */
public enum class MissingFact(internal val wireName: String) {
  /** The person or the system does not allow it. */
  REFUSED("refused"),

  /** The device does not have it. */
  UNAVAILABLE("unavailable"),

  /** It took too long. */
  TIMED_OUT("timedOut"),
}
