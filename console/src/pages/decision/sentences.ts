// Which sentence of a verdict is the headline? The first; what is not known is under it in its own words.

/** The sentences after the first one begin so; see `verdictOf` of the server. */
const laterSentence =
  / (?=Not known(?: either)?: |Without this rule |With .* known and clear, |Nobody could pass a challenge)/

export function sentencesOf(verdict: string): { readonly headline: string; readonly rest: string } {
  const [headline = '', ...others] = verdict.split(laterSentence)
  return { headline, rest: others.filter((each) => !each.startsWith('Not known')).join(' ') }
}
