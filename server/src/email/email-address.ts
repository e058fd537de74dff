// Which email address is this text? One canonical form for each mailbox, or what is wrong with the text. The only reader of email addresses.

import { domainToASCII, domainToUnicode } from 'node:url'

export type ReadEmail =
  | { readonly address: string; readonly domain: string; readonly mistake?: undefined }
  | { readonly address?: undefined; readonly domain?: undefined; readonly mistake: string }

/** RFC 5321, 4.5.3.1: octets. */
const longestLocalPart = 64
const longestAddress = 254
/** Longer texts are not even looked at: each code unit is at least one octet, and some are lost in the canonical form. */
const longestText = 320

/** RFC 5322, 3.2.3 (dot-atom), and RFC 6532, 3.1: no character that has a meaning in a mail header. */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~\u{80}-\u{10ffff}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\u{80}-\u{10ffff}-]+)*$/u
const hostName = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
/** The canonical form of nearly every address. */
const plain =
  /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?!(?:[^.]*\.)*xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/** Nobody sees them: separators, controls, halves of surrogate pairs, zero-width and bidirectional characters, fillers, unassigned ones. */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u
/** The same in a domain, where some languages need the joiners (RFC 5892, A.1 and A.2); domainToASCII checks those. */
const invisibleInDomain = /(?![\u200c\u200d])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u
/** domainToASCII reads the host of a URL: it decodes `%2e`, and ends at `/`. */
const notInDomain = /[\0-,/:-@[-^`{-\x7f]/

/**
 * The canonical form: ASCII letters of the local part in lower case, and no others (RFC 6531: U+212A is not k); the local part in NFC; the
 * domain by UTS 46 without a root dot. `+tag` and the dots of Gmail remain: see mailbox.ts.
 */
export function readEmailAddress(text: string): ReadEmail {
  if (text.length <= longestLocalPart && plain.test(text)) {
    return { address: text, domain: text.slice(text.indexOf('@') + 1) }
  }
  if (text.length > longestText) return refused(`has more than ${longestAddress} characters`)
  const address = text.trim()
  const at = address.lastIndexOf('@')
  if (at < 1) return refused(at < 0 ? 'has no @' : 'has nothing before the @')
  const written = address.slice(0, at)
  const why = mistakeOf(written)
  if (why !== undefined) return refused(why)
  const local = lowerCased(written.normalize('NFC')).normalize('NFC')
  if (!localPart.test(local)) return refused('has dots or characters before the @ that only a quoted address may have')
  if (Buffer.byteLength(local) > longestLocalPart) {
    return refused(`has more than ${longestLocalPart} bytes before the @`)
  }
  const domain = readDomain(address.slice(at + 1))
  if (domain === undefined) return refused('has no domain such as shop.example behind the @')
  const canonical = `${local}@${domain}`
  if (Buffer.byteLength(canonical) > longestAddress) return refused(`has more than ${longestAddress} characters`)
  return { address: canonical, domain }
}

/** The domain of an email address: in ASCII (UTS 46), in lower case, without a root dot; undefined if it is none. */
export function readDomain(text: string): string | undefined {
  if (text.length > longestText || notInDomain.test(text) || invisibleInDomain.test(text)) return undefined
  const isAscii = /^[\0-\x7f]*$/.test(text)
  const ascii = (isAscii && !/xn--/i.test(text) ? lowerCased(text) : domainToASCII(text)).replace(/\.$/, '')
  if (!hostName.test(ascii)) return undefined
  // Some punycode stands for ASCII or for nothing: another writing of another domain.
  return ascii.includes('xn--') && domainToASCII(domainToUnicode(ascii)) !== ascii ? undefined : ascii
}

/** The domain of a text that is an email address, whatever is before its @, or a domain. */
export const readDomainOf = (text: string): string | undefined =>
  readDomain(text.slice(text.lastIndexOf('@') + 1).trim())

/** A canonical domain as people read it. */
export const domainInUnicode = (domain: string): string => domainToUnicode(domain)

/** How older versions, and people, write a canonical address: its domain in Unicode. */
export function inUnicode(address: string): string {
  const domain = address.lastIndexOf('@') + 1
  return address.includes('xn--') ? address.slice(0, domain) + domainToUnicode(address.slice(domain)) : address
}

/** The two parts of a canonical address. */
export function partsOf(address: string): { readonly local: string; readonly domain: string } {
  const at = address.lastIndexOf('@')
  return { local: address.slice(0, at), domain: address.slice(at + 1) }
}

/** After the name of the field. */
const refused = (why: string): ReadEmail => ({
  mistake: `must be an email address such as ada@shop.example: it ${why}`,
})

function mistakeOf(local: string): string | undefined {
  if (/["<>()]/.test(local)) return 'has quotes, brackets or a name beside it'
  if (invisible.test(local)) return 'has a space, or a character that nobody sees'
  if (/%[0-9a-f]{2}/i.test(local)) return 'is percent-encoded'
  // U+212A is canonically a K. NFC would make the mailbox of somebody else out of it.
  const double = [...local].find((character) => {
    const composed = character.normalize('NFC')
    return composed !== character && [...composed].length === 1
  })
  return double === undefined ? undefined : `has the character ${codePoint(double)}, which only looks like another one`
}

const codePoint = (character: string) => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

const lowerCased = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
