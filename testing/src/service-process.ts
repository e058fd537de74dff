// How does a test run a service? In another process, which ends with the test, however that ends.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import type { Program } from './find-program.ts'
import type { PlayedApp } from './visitors/devices.ts'

/** What `ringfence test-service` prints. */
export interface Started {
  readonly version: string
  readonly url: string
  readonly sandboxUrl: string
  readonly dataFolder: string
  readonly addresses: Addresses
  readonly tenantId: string
  readonly clientId: string
  readonly clientSecret: string
  readonly appId: string
  readonly app: PlayedApp
  /** The key that attests the keys of made-up Android phones: PKCS #8 in base64. */
  readonly attestationRoot: string
}

/** IP addresses that hide who calls, for `page({ address })`. */
export interface Addresses {
  readonly tor: string
  readonly vpn: string
  readonly proxy: string
  readonly datacenter: string
  /** Apple Private Relay and its like: honest people. */
  readonly relay: string
}

export interface ServiceProcess extends Started {
  readonly pid: number
  /** Ends the process, and resolves when it has removed its data. A second call waits for the same end. */
  stop(): Promise<void>
}

/** The service did not start. The message has what it said. */
export class NotStarted extends Error {
  override name = 'NotStarted'
}

export interface ProcessOptions {
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly startTimeoutMs: number
  /** Whether the log goes to stderr of the test. */
  readonly showsLog: boolean
}

/** As much of the log as an error quotes. */
const quotedLength = 4000
const stopTimeoutMs = 10_000

/** Those of the test's own Node would change the service's. */
const isOfNode = (name: string): boolean => /^NODE_(?!EXTRA_CA_CERTS)/.test(name)

/** @throws NotStarted */
export async function startProcess(program: Program, options: ProcessOptions): Promise<ServiceProcess> {
  const environment = Object.fromEntries(Object.entries(options.environment).filter(([name]) => !isOfNode(name)))
  // The service ends when its standard input does: the operating system closes it when this process ends.
  const child = spawn(program.file, [...program.args, 'test-service', ...options.args], {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin!.on('error', () => undefined)
  let log = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-quotedLength)
    if (options.showsLog) process.stderr.write(text)
  })
  const ended = once(child, 'exit').then(() => undefined)
  ended.catch(() => undefined)
  let started: Started
  try {
    started = await firstLine(child, options.startTimeoutMs)
  } catch (error) {
    child.kill('SIGKILL')
    const said = explained(log, program)
    throw new NotStarted(`the service did not start: ${(error as Error).message}${said}`, { cause: error })
  }
  // A test that forgets to stop the service can still end.
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as Socket).unref()
  let stopping: Promise<void> | undefined
  return { ...started, pid: child.pid!, stop: () => (stopping ??= stop(child, ended, started.dataFolder)) }
}

const explained = (log: string, { file, args }: Program) => {
  if (log === '') return ''
  const hint = /unknown command/.test(log)
    ? `. The service is older than @ringfence/testing: use the packages of one release (${[file, ...args].join(' ')})`
    : ''
  return `\n${log.trim()}${hint}`
}

async function firstLine(child: ChildProcess, timeoutMs: number): Promise<Started> {
  let text = ''
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<Started>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`it said nothing within ${timeoutMs} ms`)), timeoutMs)
      child.once('error', reject)
      child.once('close', (code, signal) => reject(new Error(`it ended with ${code ?? signal}`)))
      child.stdout!.setEncoding('utf8').on('data', (part: string) => {
        text += part
        const end = text.indexOf('\n')
        if (end < 0) return
        try {
          resolve(JSON.parse(text.slice(0, end)) as Started)
        } catch {
          reject(new Error(`it printed ${text.slice(0, 200).trim()}`))
        }
      })
    })
  } finally {
    clearTimeout(timer)
  }
}

async function stop(child: ChildProcess, ended: Promise<void>, dataFolder: string): Promise<void> {
  child.ref()
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await ended
  clearTimeout(timer)
  // It has removed them itself, unless it was killed.
  await rm(dataFolder, { recursive: true, force: true })
}
