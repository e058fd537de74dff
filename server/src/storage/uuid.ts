// How is a UUID kept in 16 bytes, and read again? (RFC 9562)

const form = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether it is one as it is written here: in lower case, of any version. */
export const isUuid = (text: string): boolean => form.test(text)

/** Of one, 16 bytes; of several, one after the other. */
export const uuidBytes = (...uuids: readonly string[]): Buffer => Buffer.from(uuids.join('').replaceAll('-', ''), 'hex')

/** Of 32 hex digits. */
export const uuidText = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
