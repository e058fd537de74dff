// Which key proves that calls come from one installation? An ECDSA key of P-256 that cannot leave
// the device.
package ringfence.core.proof

/**
 * The keys of this installation, by name. On a device they are in the Android Keystore. All
 * functions block, and may throw.
 */
public interface InstallationKey {
  /**
   * Signs with ECDSA and SHA-256. Null: there is no such key. Throws: it cannot sign, now or ever.
   */
  public fun sign(name: String, text: ByteArray): KeyProof?

  /** Makes a key. Its certificates attest `challenge`, if the device can. */
  public fun make(name: String, challenge: ByteArray)

  /** The certificates of the key in DER, its own first. Empty if the device made none. */
  public fun certificates(name: String): List<ByteArray>

  /** Deletes the keys of all other names. */
  public fun keepOnly(name: String)
}

/**
 * What a key says about one text.
 *
 * @property publicKey the uncompressed point of 65 bytes
 * @property signature in DER
 */
public class KeyProof(public val publicKey: ByteArray, public val signature: ByteArray)
