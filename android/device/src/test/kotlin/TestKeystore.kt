// Which Keystore does a phone on a JVM have? One in software, whose keys only it can sign with, and
// which fails as a test asks.
package ringfence

import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.StrongBoxUnavailableException
import java.io.InputStream
import java.io.OutputStream
import java.security.InvalidKeyException
import java.security.Key
import java.security.KeyPair
import java.security.KeyPairGenerator
import java.security.KeyPairGeneratorSpi
import java.security.KeyStoreSpi
import java.security.PrivateKey
import java.security.Provider
import java.security.PublicKey
import java.security.SecureRandom
import java.security.Security
import java.security.Signature
import java.security.SignatureSpi
import java.security.cert.Certificate
import java.security.spec.AlgorithmParameterSpec
import java.util.Collections
import java.util.Date
import java.util.Enumeration
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList

/** A certificate with a public key, and bytes that say what it attests. */
class TestCertificate(private val pair: KeyPair, private val bytes: ByteArray) :
  Certificate("X.509") {
  override fun getEncoded() = bytes

  override fun verify(key: PublicKey) = Unit

  override fun verify(key: PublicKey, provider: String) = Unit

  override fun toString() = "test"

  override fun getPublicKey() = pair.public!!
}

/** Its bytes stay in the Keystore, like those of Android. */
class TestPrivateKey(val pair: KeyPair, val hardware: Int) : PrivateKey {
  override fun getAlgorithm() = "EC"

  override fun getFormat() = null

  override fun getEncoded() = null
}

/**
 * The keys of the phone. `broken`: called with the name of each method that the SDK calls, and may
 * throw. `canAttest`: its keys have certificates. `hasChip`: it has a security chip. `hardware`: no
 * other can sign with its keys.
 */
object TestKeystore {
  class Entry(val key: PrivateKey?, val chain: List<Certificate>?)

  private const val NAME = "AndroidKeyStore"

  val entries = ConcurrentHashMap<String, Entry>()
  @Volatile var broken: ((method: String) -> Unit)? = null
  @Volatile var canAttest = false
  @Volatile var hasChip = false
  @Volatile var hardware = 1

  /** How often it was installed, or its process ended. */
  @Volatile
  var generation = 0
    private set

  /** What keys were asked for. */
  val requests = CopyOnWriteArrayList<KeyGenParameterSpec>()

  fun install() {
    endProcess()
    entries.clear()
    requests.clear()
    broken = null
    canAttest = false
    hasChip = false
    hardware = 1
    if (Security.getProvider(NAME) != null) return
    val provider = object : Provider(NAME, "1.0", "a test") {}
    provider["KeyStore.AndroidKeyStore"] = TestKeyStoreSpi::class.java.name
    provider["KeyPairGenerator.EC"] = TestGeneratorSpi::class.java.name
    provider["Signature.SHA256withECDSA"] = TestSignatureSpi::class.java.name
    provider["Signature.SHA256withECDSA SupportedKeyClasses"] = TestPrivateKey::class.java.name
    Security.addProvider(provider)
  }

  /** What the SDK of an earlier process does late, in the background, reaches no key. */
  fun endProcess() {
    generation += 1
  }

  /** A system without a Keystore. */
  fun remove() = Security.removeProvider(NAME)

  fun called(method: String) {
    broken?.invoke(method)
  }
}

class TestGeneratorSpi : KeyPairGeneratorSpi() {
  private lateinit var spec: KeyGenParameterSpec

  override fun initialize(size: Int, random: SecureRandom?) = throw UnsupportedOperationException()

  override fun initialize(parameters: AlgorithmParameterSpec, random: SecureRandom?) {
    TestKeystore.called("initialize")
    spec = parameters as KeyGenParameterSpec
  }

  override fun generateKeyPair(): KeyPair {
    TestKeystore.called("generateKeyPair")
    TestKeystore.requests.add(spec)
    if (spec.isStrongBoxBacked && !TestKeystore.hasChip) throw StrongBoxUnavailableException()
    val challenge = spec.attestationChallenge
    if (challenge != null && !TestKeystore.canAttest)
      throw java.security.ProviderException("cannot attest")
    val pair =
      KeyPairGenerator.getInstance("EC", "SunEC").run {
        initialize(spec.algorithmParameterSpec)
        generateKeyPair()
      }
    val own = TestCertificate(pair, challenge ?: ByteArray(0))
    val chain =
      if (challenge == null) listOf(own) else listOf(own, TestCertificate(pair, byteArrayOf(1)))
    val key = TestPrivateKey(pair, TestKeystore.hardware)
    TestKeystore.entries[spec.keystoreAlias] = TestKeystore.Entry(key, chain)
    return KeyPair(pair.public, key)
  }
}

class TestSignatureSpi : SignatureSpi() {
  private val signature = Signature.getInstance("SHA256withECDSA", "SunEC")

  override fun engineInitSign(key: PrivateKey) {
    TestKeystore.called("initSign")
    val ours = key as TestPrivateKey
    if (ours.hardware != TestKeystore.hardware) throw InvalidKeyException("of other hardware")
    signature.initSign(ours.pair.private)
  }

  override fun engineUpdate(byte: Byte) = signature.update(byte)

  override fun engineUpdate(bytes: ByteArray, offset: Int, length: Int) {
    TestKeystore.called("update")
    signature.update(bytes, offset, length)
  }

  override fun engineSign(): ByteArray {
    TestKeystore.called("sign")
    return signature.sign()
  }

  override fun engineInitVerify(key: PublicKey) = throw UnsupportedOperationException()

  override fun engineVerify(bytes: ByteArray) = throw UnsupportedOperationException()

  @Deprecated("of Java")
  override fun engineSetParameter(name: String, value: Any) = throw UnsupportedOperationException()

  @Deprecated("of Java")
  override fun engineGetParameter(name: String) = throw UnsupportedOperationException()
}

class TestKeyStoreSpi : KeyStoreSpi() {
  private val generation = TestKeystore.generation
  private val hasEnded
    get() = generation != TestKeystore.generation

  private fun entry(method: String, alias: String): TestKeystore.Entry? {
    if (hasEnded) return null
    TestKeystore.called(method)
    return TestKeystore.entries[alias]
  }

  override fun engineLoad(stream: InputStream?, password: CharArray?) = TestKeystore.called("load")

  override fun engineGetKey(alias: String, password: CharArray?): Key? = entry("getKey", alias)?.key

  override fun engineGetCertificate(alias: String): Certificate? =
    entry("getCertificate", alias)?.chain?.first()

  override fun engineGetCertificateChain(alias: String): Array<Certificate>? =
    entry("getCertificateChain", alias)?.chain?.toTypedArray()

  override fun engineDeleteEntry(alias: String) {
    if (hasEnded) return
    TestKeystore.called("deleteEntry")
    TestKeystore.entries.remove(alias)
  }

  override fun engineContainsAlias(alias: String) = entry("containsAlias", alias) != null

  override fun engineIsKeyEntry(alias: String) = entry("isKeyEntry", alias) != null

  override fun engineSize() = TestKeystore.entries.size

  override fun engineAliases(): Enumeration<String> {
    if (hasEnded) return Collections.emptyEnumeration()
    TestKeystore.called("aliases")
    return Collections.enumeration(TestKeystore.entries.keys)
  }

  override fun engineGetCreationDate(alias: String): Date? = null

  override fun engineIsCertificateEntry(alias: String) = false

  override fun engineGetCertificateAlias(certificate: Certificate?): String? = null

  override fun engineSetKeyEntry(
    alias: String,
    key: Key,
    password: CharArray?,
    chain: Array<out Certificate>?,
  ) = throw UnsupportedOperationException()

  override fun engineSetKeyEntry(alias: String, key: ByteArray, chain: Array<out Certificate>?) =
    throw UnsupportedOperationException()

  override fun engineSetCertificateEntry(alias: String, certificate: Certificate?) =
    throw UnsupportedOperationException()

  override fun engineStore(stream: OutputStream?, password: CharArray?) =
    throw UnsupportedOperationException()
}
