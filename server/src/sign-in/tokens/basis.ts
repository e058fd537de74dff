// What does a token carry that no answer shows? Who signed in, by the id that was minted here, and the analysis of the sign-in.

export interface TokenBasis {
  /** The user who signed in here. Absent: a backend issued the token for its own user. */
  readonly personId?: string
  /** The session of the SDK that got the token. */
  readonly sessionId?: string
  /** The device analysis that belongs to the sign-in. */
  readonly analysis?: { readonly requestId: string; readonly dfrId?: string }
  /** People open a magic link on any device. */
  readonly isMagicLink?: true
}

/** JSON text has no new line, so this one ends the answer. */
const end = '\n'

export const joinContent = (answer: string, basis: TokenBasis | undefined): string =>
  basis && Object.keys(basis).length > 0 ? `${answer}${end}${JSON.stringify(basis)}` : answer

export function splitContent(content: string): { text: string; basis: TokenBasis } {
  const at = content.indexOf(end)
  return at < 0
    ? { text: content, basis: {} }
    : { text: content.slice(0, at), basis: JSON.parse(content.slice(at + end.length)) }
}
