// Which key proves that calls come from one installation? An ECDSA key of P-256 that cannot leave
// the device.
package ringfence.core.proof

/**
 * The key of this installation. On a device it is in the Android Keystore. All functions block, and
 * may throw.
 */
public interface InstallationKey {
  /** Signs with ECDSA and SHA-256. Null: there is no key. Throws: it cannot sign, now or ever. */
  public fun sign(text: ByteArray): KeyProof?

  /**
   * Makes a new key in place of the old one. Its certificates attest `challenge`, if the device
   * can.
   */
  public fun replace(challenge: ByteArray)

  /** The certificates of the key in DER, its own first. Empty if the device made none. */
  public fun certificates(): List<ByteArray>
}

/**
 * What a key says about one text.
 *
 * @property publicKey the uncompressed point of 65 bytes
 * @property signature in DER
 */
public class KeyProof(public val publicKey: ByteArray, public val signature: ByteArray)
