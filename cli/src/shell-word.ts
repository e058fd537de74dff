// How is a word quoted, so that the printed command can be pasted into a shell?

/** Unchanged when it has no special meaning for a shell, otherwise in single quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
