// Would somebody guess this password? Refuses what attackers try first (NIST SP 800-63B, 3.1.1.2; OWASP ASVS 5, 6.2.4 and 6.2.11).

import { Refusal } from '../../core/errors.ts'
import { commonPasswords, commonWords } from './frequent-passwords.ts'

/** Who chooses the password. It must not contain what everybody knows of them. */
export interface ChosenBy {
  readonly name: string
  readonly email: string
}

export interface WeakPasswords {
  /** Refuses with `passwordWeak`. */
  refuse(password: string, by: ChosenBy): void
}

/** Shorter parts of a name or an address are in many words by chance. */
const shortestPart = 4
/** So many characters around a common word are not worth a guess. */
const mostAround = 6
const fewestCharacters = 5

/** Split when a password is set: a server starts often, and sets few. */
let split: { readonly common: ReadonlySet<string>; readonly words: ReadonlySet<string> } | undefined

export function weakPasswords(): WeakPasswords {
  function reasonOf(password: string, by: ChosenBy): string | undefined {
    split ??= { common: wordsOf(commonPasswords), words: wordsOf(commonWords) }
    const { common, words } = split
    const text = password.normalize('NFKC').toLowerCase()
    const known = partsOf(by).find(({ part }) => text.includes(part))
    if (known !== undefined) return `it contains ${known.of}`
    if (common.has(text)) return 'it is one of the most frequent passwords'
    if (new Set(text).size < fewestCharacters || isSequence(text)) return 'it has too few different characters'
    const unit = repeatedPartOf(text)
    if (unit !== text && (unit.length < shortestPart + 2 || words.has(unit) || common.has(unit)))
      return 'it repeats one word'
    const word = plain(text).replaceAll(/^[^a-z]+|[^a-z]+$/g, '')
    if (words.has(word) && text.length - word.length <= mostAround)
      return 'it is a frequent password with a few characters more'
    return undefined
  }

  return {
    refuse(password, by) {
      const mistake = reasonOf(password, by)
      if (mistake !== undefined) throw new Refusal('passwordWeak', { mistake })
    },
  }
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

function partsOf({ name, email }: ChosenBy): { part: string; of: string }[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const names = name.normalize('NFKC').toLowerCase().split(/\s+/)
  const parts = [
    ...names.map((part) => ({ part, of: 'a part of your name' })),
    ...[local, ...domain.split('.').slice(0, -1)].map((part) => ({ part, of: 'a part of your email address' })),
    { part: 'ringfence', of: 'the name of this product' },
  ]
  return parts.filter(({ part }) => part.length >= shortestPart)
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
]

/** Along the alphabet, the digits or the keys, in either direction. */
function isSequence(text: string): boolean {
  const backwards = [...text].reverse().join('')
  return rows.some((row) => `${row}${row}`.includes(text) || `${row}${row}`.includes(backwards))
}

/** `abcabc` repeats `abc`; a text without a repetition is itself. */
function repeatedPartOf(text: string): string {
  const period = (text + text).indexOf(text, 1)
  return text.slice(0, period)
}

const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Digits and signs between letters are the letters that they look like: `p4ssw0rd` is `password`. */
const plain = (text: string): string =>
  text.replaceAll(/(?<=[a-z])[013457@$!]+(?=[a-z])/g, (part) => [...part].map((sign) => letters[sign]).join(''))
