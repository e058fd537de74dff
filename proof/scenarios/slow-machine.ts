// How is a browser made slow with all its processes and workers? In a control group of the kernel that limits its CPU time.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Share of the machine that the browser gets while it is slow. */
const share = 0.1
/** Short, so that no thread runs for long and then stands still for long. */
const periodUs = 20_000

export interface SlowMachine {
  /** Processes that this one starts later belong to the machine too. */
  add(pid: number): void
  setSlow(isSlow: boolean): void
  /** When all its processes have ended. */
  remove(): Promise<void>
}

/** Why this machine cannot slow a browser down; undefined when it can. */
export function whyNotSlow(): string | undefined {
  if (controller() === undefined) return 'it needs control groups with the cpu controller (Linux), and root'
  return undefined
}

/** The folder of the cpu controller: of version 2, or of version 1. */
function controller(): { folder: string; isOld: boolean } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [unified, old] = ['/sys/fs/cgroup', '/sys/fs/cgroup/cpu']
  const list = `${unified}/cgroup.subtree_control`
  if (existsSync(list)) {
    return readFileSync(list, 'utf8').split(/\s/).includes('cpu') ? { folder: unified, isOld: false } : undefined
  }
  return existsSync(`${old}/cgroup.procs`) ? { folder: old, isOld: true } : undefined
}

/** A group without processes; at first it has the speed of this machine. */
export function openSlowMachine(): SlowMachine {
  const found = controller()
  if (!found) throw new Error(`This machine cannot slow a browser down: ${whyNotSlow()}`)
  const folder = `${found.folder}/ringfence-scenario-${crypto.randomUUID()}`
  mkdirSync(folder)
  const write = (file: string, text: string) => writeFileSync(`${folder}/${file}`, text)
  const quotaUs = Math.round(periodUs * share * availableParallelism())
  if (found.isOld) write('cpu.cfs_period_us', String(periodUs))
  return {
    add: (pid) => write('cgroup.procs', String(pid)),
    setSlow(isSlow) {
      // Its share comes first, so that the machine is as slow as this and not slower when other programs are busy.
      if (found.isOld) {
        write('cpu.shares', isSlow ? '262144' : '1024')
        write('cpu.cfs_quota_us', String(isSlow ? quotaUs : -1))
      } else {
        write('cpu.weight', isSlow ? '10000' : '100')
        write('cpu.max', `${isSlow ? quotaUs : 'max'} ${periodUs}`)
      }
    },
    async remove() {
      const lastMs = performance.now() + 5000
      for (;;) {
        try {
          return rmdirSync(folder)
        } catch (error) {
          if (performance.now() > lastMs) throw error // a process of the group has not ended
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
    },
  }
}
