// How does a word of ours stand in a command line that can be pasted into a shell?

/** As it is, where no shell reads anything into it; else in single quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
