package ringfence.device

import android.os.Build.VERSION.SDK_INT
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyProperties
import java.math.BigInteger
import java.security.KeyPairGenerator
import java.security.KeyStore
import java.security.PrivateKey
import java.security.Signature
import java.security.interfaces.ECPublicKey
import java.security.spec.ECGenParameterSpec
import ringfence.core.proof.InstallationKey
import ringfence.core.proof.KeyProof
import ringfence.device.levels.Api24
import ringfence.device.levels.Api28

/** Keys in the hardware of the phone, which cannot leave it. */
internal class KeystoreKey : InstallationKey {
  private val keyStore by lazy { KeyStore.getInstance(KEYSTORE).apply { load(null) } }

  override fun sign(name: String, text: ByteArray): KeyProof? {
    val key = keyStore.getKey(PREFIX + name, null) as? PrivateKey ?: return null
    val signature =
      Signature.getInstance("SHA256withECDSA").run {
        initSign(key)
        update(text)
        sign()
      }
    val point = (keyStore.getCertificate(PREFIX + name).publicKey as ECPublicKey).w
    return KeyProof(byteArrayOf(4) + to32Bytes(point.affineX) + to32Bytes(point.affineY), signature)
  }

  /**
   * In a security chip, else in the trusted environment of the processor. Phones that cannot attest
   * make a key without certificates: it alone proves the installation.
   */
  override fun make(name: String, challenge: ByteArray) {
    if (SDK_INT >= 28 && isDone { generate(name, challenge, isInChip = true) }) return
    if (!isDone { generate(name, challenge) }) generate(name, null)
  }

  override fun certificates(name: String): List<ByteArray> {
    val chain = keyStore.getCertificateChain(PREFIX + name).orEmpty().map { it.encoded }
    return if (chain.size > 1) chain
    else emptyList() // a key that is not attested has one of its own
  }

  override fun keepOnly(name: String) {
    isDone {
      for (alias in keyStore.aliases()) {
        if (alias.startsWith(PREFIX) && alias != PREFIX + name) keyStore.deleteEntry(alias)
      }
    }
  }

  /** False when the Keystore throws: makers' ones throw other exceptions than Android promises. */
  private fun isDone(work: () -> Unit): Boolean =
    try {
      work()
      true
    } catch (_: Exception) {
      false
    }

  private fun generate(name: String, challenge: ByteArray?, isInChip: Boolean = false) {
    val spec =
      KeyGenParameterSpec.Builder(PREFIX + name, KeyProperties.PURPOSE_SIGN)
        .setAlgorithmParameterSpec(ECGenParameterSpec("secp256r1"))
        .setDigests(KeyProperties.DIGEST_SHA256)
    if (challenge != null && SDK_INT >= 24) Api24.attest(spec, challenge)
    if (isInChip && SDK_INT >= 28) Api28.keepInStrongBox(spec)
    KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_EC, KEYSTORE).run {
      initialize(spec.build())
      generateKeyPair()
    }
  }

  /** Big-endian: BigInteger may add a zero, or leave zeros out. */
  private fun to32Bytes(number: BigInteger): ByteArray {
    val bytes = number.toByteArray()
    return ByteArray(maxOf(0, 32 - bytes.size)) + bytes.takeLast(32)
  }

  private companion object {
    const val KEYSTORE = "AndroidKeyStore"
    const val PREFIX = "ringfence."
  }
}
