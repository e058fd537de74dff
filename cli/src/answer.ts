// What does a command print? Its result as one line of JSON with --json, and otherwise a text for people.

import { pasteable } from '@ringfence/server/core/command-name.ts'

/** The result for scripts, the text for people, and what is wrong although there is a result. */
export type Answer = readonly [result: unknown, text: string | (() => string), failure?: Error | undefined]

/**
 * The action of a command, as Commander calls it: with the arguments, the options, and the command. `work` gets the options without --json.
 */
export const answering =
  <Args extends readonly unknown[]>(work: (...args: Args) => Answer | Promise<Answer>) =>
  async (...given: unknown[]): Promise<void> => {
    const { json, ...options } = given.at(-2) as { json?: true }
    const [result, text, failure] = await work(...([...given.slice(0, -2), options] as unknown as Args))
    const printed = json ? JSON.stringify(result) : pasteable(typeof text === 'string' ? text : text())
    if (printed !== '') console.log(printed)
    if (failure) throw failure
  }
