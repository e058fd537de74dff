// How does a UUID become 16 bytes, and text again? (RFC 9562)

const form = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether the text is a UUID in lower case, of any version. */
export const isUuid = (text: string): boolean => form.test(text)

/** 16 bytes for each UUID. */
export const uuidBytes = (...uuids: readonly string[]): Buffer => Buffer.from(uuids.join('').replaceAll('-', ''), 'hex')

/** Of 16 bytes. */
export const uuidText = (id: Uint8Array): string =>
  Buffer.from(id)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Whether two ids, or two hashes, have the same bytes. */
export const isSameId = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** A UUID of version 8, a custom format (RFC 9562), from the first 16 bytes of a keyed hash. */
export const uuidOfHash = (hash: Uint8Array): string =>
  Buffer.from(hash.subarray(0, 16))
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')
