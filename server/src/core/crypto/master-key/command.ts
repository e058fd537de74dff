// Providers `command` and `wrap command`: a program has the master key, or reaches the KMS that has it.

import { spawn } from 'node:child_process'
import { keysIn, localKeys } from './local-keys.ts'
import type { MasterKeyProvider } from './provider.ts'

const timeoutMs = 10_000
const mostOutputBytes = 65_536
/** The KMS has the key's name and versions, so this is all that is known here. */
const idOfWrapCommand = 'wrap-command'

/** The command prints the key in base64. It runs when the key is needed: at the start, and in a rotation. */
export const keyFromCommand = (command: string): MasterKeyProvider =>
  localKeys('MASTER_KEY_COMMAND', async () =>
    keysIn(await run('MASTER_KEY_COMMAND', command, []), 'the output of MASTER_KEY_COMMAND'),
  )

/**
 * The command gets the argument `wrap` or `unwrap`, reads base64 from its standard input and writes base64 to its standard output, so
 * the master key can stay where it is. `wrap` reads 32 bytes; what it writes may be in any form.
 */
export function wrapCommand(command: string): MasterKeyProvider {
  const name = 'MASTER_KEY_WRAP_COMMAND'
  const bytesFrom = async (action: string, input: Uint8Array): Promise<Uint8Array> => {
    const output = await run(`${name} ${action}`, command, [action], Buffer.from(input).toString('base64'))
    const text = output.replaceAll(/\s/g, '')
    if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) throw new Error(`${name} ${action} did not print base64`)
    return new Uint8Array(Buffer.from(text, 'base64'))
  }
  return {
    name,
    keys: async () => [],
    find: async () => undefined,
    newest: async () => idOfWrapCommand,
    async wrap(key) {
      const wrapped = await bytesFrom('wrap', key)
      const back = await bytesFrom('unwrap', wrapped)
      if (Buffer.compare(back, key) !== 0) throw new Error(`${name} unwrap did not return what ${name} wrap was given`)
      return { by: idOfWrapCommand, wrapped }
    },
    async unwrap({ by, wrapped }) {
      if (by !== idOfWrapCommand) return undefined
      const key = await bytesFrom('unwrap', wrapped)
      if (key.length !== 32) throw new Error(`${name} unwrap must print 32 bytes in base64, but printed ${key.length}`)
      return key
    },
  }
}

/** Standard output of a shell command. Neither input nor output is in an error, since they are keys. */
function run(name: string, command: string, words: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const shell = words.length > 0 ? `${command} "$@"` : command
    // Its own process group, so that what the shell started ends with it.
    const child = spawn('/bin/sh', ['-c', shell, 'sh', ...words], { stdio: 'pipe', detached: true })
    const end = (why: string) => {
      clearTimeout(timer)
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // it has ended
      }
      reject(new Error(`${name} failed: ${why}`))
    }
    const timer = setTimeout(() => end(`no answer after ${timeoutMs / 1000} seconds`), timeoutMs)
    let output = ''
    let complaint = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.length > mostOutputBytes) end(`more than ${mostOutputBytes} bytes of output`)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-1000)
    })
    child.stdin.on('error', () => undefined) // a command that does not read its input
    child.stdin.end(input)
    child.on('error', (error) => end(error.message))
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) return resolve(output)
      const said = complaint.trim().split('\n').at(-1)?.slice(0, 200)
      reject(new Error(`${name} failed: ${signal ?? `exit code ${code}`}${said ? `: ${said}` : ''}`))
    })
  })
}
