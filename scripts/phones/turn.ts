// May two runs of the phone tests build at once? They share .build and the packages of codegen, so one waits until the other has ended.

import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { root } from '../release/server-bundle.ts'

const saysSoAfterMs = 2_000

/** Resolves when no other run has the folder. It is free again when this process has ended, for any reason. Without flock nobody waits. */
export async function takeTurn(folder: string = join(root, '.build')): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const lock = [join(folder, 'turn'), 'sh', '-c', 'echo; cat > /dev/null']
  const holder = spawn('flock', lock, { stdio: ['pipe', 'pipe', 'inherit'] })
  const late = setTimeout(() => console.log(`Another run builds in ${folder}: this one waits for it.`), saysSoAfterMs)
  await new Promise((resolve) => {
    holder.once('error', resolve).once('exit', resolve)
    holder.stdout.once('data', resolve)
  })
  clearTimeout(late)
  holder.unref()
  for (const end of [holder.stdin, holder.stdout]) if (end instanceof Socket) end.unref()
}
