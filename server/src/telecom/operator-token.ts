// How is the name of an operator written in a response?

/**
 * Converts a name to an upper-case token: drops accents, writes a plus sign as PLUS, and replaces everything else that is not a
 * letter or a digit by one underscore. "Free Mobile" → FREE_MOBILE, "Móvil Éxito" → MOVIL_EXITO, "AT&T" → AT_T, "LG U+" →
 * LG_UPLUS. Letters of other scripts stay ("МТС"). Empty for a name without letters and digits. Tokens are for people. Never
 * compare them: different names may share one.
 */
export function operatorToken(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('+', 'plus')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
}
