// How does a benchmark run its servers and its load? Each in a separate process, which ends with the benchmark.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A process that answers the benchmark's questions, one at a time. */
export interface Process<Question, Answer> {
  ask(question: Question): Promise<Answer>
  stop(): Promise<void>
}

/**
 * Starts `program`, a file of bench/, with `options` as its argument.
 * `log`: the file to which its standard output goes; without one it goes nowhere.
 */
export async function startProcess<Question, Answer>(
  program: string,
  options: unknown,
  log: string = os.devNull,
): Promise<Process<Question, Answer>> {
  const output = fs.openSync(log, 'a')
  const child = fork(path.join(import.meta.dirname, '..', program), [JSON.stringify(options)], {
    stdio: ['ignore', output, 'inherit', 'ipc'],
  })
  fs.closeSync(output)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code}`)
  })
  ended.catch(() => {})
  const answer = async () => {
    const [message] = await Promise.race([once(child, 'message'), ended])
    return message
  }
  await answer()
  return {
    async ask(question) {
      child.send(question as object)
      return answer()
    },
    async stop() {
      child.disconnect()
      await ended.catch(() => {})
    },
  }
}

/** The other side: answers the questions of the parent process until the parent is gone. */
export function answerParent<Question>(answer: (question: Question) => unknown): void {
  process.on('message', async (question) => process.send!(await answer(question as Question)))
  process.on('disconnect', () => process.exit())
  process.send!('ready')
}

/** The options that this process was started with. */
export function givenOptions<Options>(): Options {
  return JSON.parse(process.argv[2]!)
}

type Resource = { stop(): unknown } | { close(): unknown }

/** What it is given stops or closes afterwards. */
export type Keep = <R extends Resource>(resource: R) => R

/** Opens what `work` needs and closes it afterwards, last in, first out. `folder`: a temporary one. */
export async function withResources<T>(work: (keep: Keep, folder: string) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringfence-bench-'))
  const resources: Resource[] = []
  const keep: Keep = (resource) => {
    resources.push(resource)
    return resource
  }
  try {
    return await work(keep, folder)
  } finally {
    for (const each of resources.reverse()) await ('stop' in each ? each.stop() : each.close())
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
