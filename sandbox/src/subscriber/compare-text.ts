// Do two texts say the same, and if not, how similar are they? CAMARA's KYC Match compares names and addresses, not spellings.

/** Letters that Unicode does not decompose, as passports and payment systems write them. */
const spelled: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th', ς: 'σ' },
}

/**
 * The text without what spellings differ in: width, case, accents, vowel points, punctuation, spaces and invisible characters.
 * Only Latin and Greek lose their marks: in other scripts (Devanagari, kana) a mark makes another letter.
 */
export function comparable(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{M}/gu, '')
    .replaceAll(/[\u064B-\u0652\u0670\u0640\u0591-\u05C7]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłıþς]/g, (letter) => spelled[letter]!)
    .replaceAll(/[\p{Cf}\p{Cc}'’‘ʼ`´]/gu, '')
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .replaceAll(
      /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]) (?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu,
      '',
    )
    .trim()
}

/** Identity documents, accounts and postal codes: letters and digits only. */
export const comparableCode = (text: string): string => comparable(text).replaceAll(' ', '')

/** From 0 to 99 for texts that differ: their Jaro-Winkler similarity, as CAMARA defines the score. */
export function similarity(one: string, other: string): number {
  return Math.min(99, Math.round(100 * jaroWinkler([...one], [...other])))
}

function jaroWinkler(one: readonly string[], other: readonly string[]): number {
  const jaro = jaroOf(one, other)
  let prefix = 0
  while (prefix < 4 && prefix < one.length && one[prefix] === other[prefix]) prefix += 1
  return jaro + prefix * 0.1 * (1 - jaro)
}

function jaroOf(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return 0
  const reach = Math.max(0, Math.floor(Math.max(one.length, other.length) / 2) - 1)
  const taken = new Set<number>()
  const mine: string[] = []
  one.forEach((letter, at) => {
    for (let there = Math.max(0, at - reach); there <= Math.min(other.length - 1, at + reach); there++) {
      if (taken.has(there) || other[there] !== letter) continue
      taken.add(there)
      mine.push(letter)
      return
    }
  })
  const matches = mine.length
  if (matches === 0) return 0
  const theirs = other.filter((_, at) => taken.has(at))
  const moved = mine.filter((letter, at) => letter !== theirs[at]).length / 2
  return (matches / one.length + matches / other.length + (matches - moved) / matches) / 3
}
