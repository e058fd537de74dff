// Was a large domain meant? One mistyped letter, a mistyped ending, or letters of another script that look alike.

import { largeMailDomains } from '../core/dated-data/large-mail-domains.ts'
import { domainInUnicode } from './email-address.ts'

/** Names that only providers of mail have, and long enough for one letter to say something. */
const mailNames = new Set(
  ['gmail', 'googlemail', 'yahoo', 'rocketmail', 'hotmail', 'outlook', 'windowslive', 'icloud', 'protonmail'].concat(
    ['tutanota', 'yandex', 'rediffmail', 'hanmail', 'comcast', 'sbcglobal', 'bellsouth', 'btinternet', 'virginmedia'],
    ['laposte', 'wanadoo', 't-online', 'bluewin', 'libero', 'optusnet', 'bigpond'],
  ),
)
/** With the endings that they have. */
const names = Map.groupBy(
  [...largeMailDomains].map(cut).filter(([name]) => mailNames.has(name)),
  ([name]) => name,
)

const endings: Readonly<Record<string, readonly string[]>> = {
  com: [
    'con',
    'cmo',
    'ocm',
    'comm',
    'vom',
    'xom',
    'cpm',
    'coom',
    'om',
    'cm',
    'co',
    'cim',
    'clm',
    'col',
    'copm',
    'comn',
  ],
  net: ['nett', 'ner', 'bet', 'nte', 'met'],
  de: ['ded', 'dee'],
  fr: ['frr', 'ft'],
}
const endingOf = new Map(Object.entries(endings).flatMap(([right, all]) => all.map((each) => [each, right] as const)))

/** Letters of other scripts that look like these. Accents are removed before. */
const alike: Readonly<Record<string, string>> = {
  ...{ а: 'a', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', ӏ: 'l', о: 'o', р: 'p', ԛ: 'q', ѕ: 's', у: 'y', х: 'x' },
  ...{
    α: 'a',
    ο: 'o',
    ρ: 'p',
    ν: 'v',
    ι: 'i',
    κ: 'k',
    τ: 't',
    υ: 'u',
    ı: 'i',
    ɡ: 'g',
    ɑ: 'a',
    ł: 'l',
    ø: 'o',
    ƅ: 'b',
    ո: 'n',
  },
}

/** The large domain that was probably meant: `gmail.com` for `gmial.com`. Of a domain as `readDomain` returns it. */
export function meantDomain(domain: string): string | undefined {
  if (largeMailDomains.has(domain)) return undefined
  if (domain.includes('xn--')) return lookedLike(domain)
  if (domain.length > 24) return undefined
  const [name, ending] = cut(domain)
  const right = endingOf.get(ending) ?? ending
  const exact = names.get(name)
  // Some of these endings exist, so only the ending may be wrong.
  if (exact) return right !== ending && hasEnding(exact, right) ? `${name}.${right}` : undefined
  if (right !== ending && /^c?[om]+$/.test(ending)) return undefined
  const [meant] = [...names].find(([each, its]) => hasEnding(its, right) && isOneOff(name, each)) ?? []
  return meant === undefined ? undefined : `${meant}.${right}`
}

const hasEnding = (its: readonly (readonly string[])[], ending: string) => its.some(([, each]) => each === ending)

function lookedLike(domain: string): string | undefined {
  const plain = [...domainInUnicode(domain).normalize('NFKD')]
    .map((letter) => alike[letter] ?? letter)
    .join('')
    .replace(/\p{M}/gu, '')
  return largeMailDomains.has(plain) ? plain : undefined
}

/** One letter is missing, doubled, replaced or exchanged with the next one; the first one is right, since `mail.com` and `ymail.com` exist. */
function isOneOff(written: string, right: string): boolean {
  if (written[0] !== right[0] || Math.abs(written.length - right.length) > 1) return isExchanged(written, right, 0)
  let at = 1
  while (at < right.length && written[at] === right[at]) at++
  const rest = (text: string, from: number) => text.slice(at + from)
  if (written.length < right.length) return rest(written, 0) === rest(right, 1)
  if (written.length > right.length) return rest(written, 1) === rest(right, 0)
  return rest(written, 1) === rest(right, 1) || isExchanged(written, right, at)
}

const isExchanged = (written: string, right: string, at: number): boolean =>
  written.length === right.length &&
  written === right.slice(0, at) + right.slice(at + 1, at + 2) + right.slice(at, at + 1) + right.slice(at + 2)

function cut(domain: string): [name: string, ending: string] {
  const dot = domain.indexOf('.')
  return [domain.slice(0, dot), domain.slice(dot + 1)]
}
