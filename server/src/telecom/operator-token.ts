// As which token does the name of an operator stand in an answer?

/**
 * The name as an upper-case token: accents are dropped, a plus sign is spelt out, and whatever else is not a letter or a digit
 * becomes one underscore. "Free Mobile" → FREE_MOBILE, "Móvil Éxito" → MOVIL_EXITO, "AT&T" → AT_T, "LG U+" → LG_UPLUS.
 * Letters of other scripts are kept ("МТС"). Empty for a name without letters and digits. Tokens are for people and are never
 * compared: different names may share one.
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
