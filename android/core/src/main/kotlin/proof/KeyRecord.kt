// What does the SDK remember of its key? Which service knows it, and else for which call it was
// made.
package ringfence.core.proof

import ringfence.core.Storage
import ringfence.core.json.JsonException
import ringfence.core.json.jsonText
import ringfence.core.json.readJson

/**
 * `madeFor`: the values of the call that its certificates attest. Null once the service has them.
 */
internal class KeyRecord(val service: String, val madeFor: Map<String, String>?)

/** The record of the key, in the storage. */
internal class KeyRecords(private val storage: Storage) {
  /** Null: there is none, or it cannot be read. */
  fun read(): KeyRecord? {
    val members = storage.text(NAME)?.let(::membersOf) ?: return null
    val service = members["service"] as? String ?: return null
    val values = members["madeFor"] as? Map<*, *> ?: return KeyRecord(service, null)
    return KeyRecord(service, values.entries.associate { (name, value) -> "$name" to "$value" })
  }

  fun write(record: KeyRecord?) {
    val members = record?.let { mapOf("service" to it.service, "madeFor" to it.madeFor) }
    storage.store(NAME, members?.let { jsonText(it) })
  }

  private fun membersOf(text: String): Map<*, *>? =
    try {
      readJson(text) as? Map<*, *>
    } catch (_: JsonException) {
      null
    }

  private companion object {
    const val NAME = "key"
  }
}
