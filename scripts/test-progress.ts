// How far are the tests? A line for each file that has ended, each failure as it happens, what runs now; in the end, all that failed.

import type { TestResult } from './test-events.ts'

/** A minute without a line says what runs. */
const silentForMs = 60_000
/** Lines of a failure that are repeated at the end; all of them stand where it happened. */
const repeatedLines = 12

interface FileRun {
  readonly file: string
  readonly since: number
  passed: number
  failed: number
  skipped: number
}

export interface ProcessProgress {
  took(result: TestResult): void
  /** `status`: the exit code, or the signal that ended the process. */
  ended(status: number | string): void
}

export interface TestProgress {
  /** Follows a process that runs these files, one after the other. */
  process(files: readonly string[]): ProcessProgress
  /** Prints what failed and was skipped, and how many there were of each. False if something failed, or nothing passed. */
  end(): boolean
}

/** `count`: how many files there are. `print` and `now` (milliseconds) are for tests. */
export function testProgress(
  count: number,
  print = console.log,
  now = performance.now.bind(performance),
): TestProgress {
  const started = now()
  const running = new Set<FileRun>()
  const failed: string[] = []
  const skipped: string[] = []
  let passed = 0
  let ended = 0
  const say = (line: string): void => {
    print(line)
    silence.refresh()
  }
  const silence = setInterval(() => print(`… ${whatRuns(running, now())}`), silentForMs)
  silence.unref()

  const endFile = (run: FileRun | undefined): void => {
    if (run === undefined) return
    running.delete(run)
    ended += 1
    say(lineOf(run, { ended, count, started, now: now() }))
  }

  return {
    process: (files) => {
      let current: FileRun | undefined
      let failedHere = 0
      const begun = new Set<string>()
      const begin = (file: string): FileRun => {
        endFile(current)
        begun.add(file)
        current = { file, since: now(), passed: 0, failed: 0, skipped: 0 }
        running.add(current)
        return current
      }
      return {
        took({ file, name, result, detail = '' }) {
          const run = current?.file === file ? current : begin(file)
          if (result === 'begins') return
          run[result] += 1
          const title = `${name} (${file})`
          if (result === 'passed') passed += 1
          if (result === 'skipped') skipped.push(`${title}: ${detail}`)
          if (result !== 'failed') return
          failedHere += 1
          failed.push(`${title}\n${indented(detail.split('\n').slice(0, repeatedLines).join('\n'))}`)
          say(`✖ ${title}\n${indented(detail)}`)
        },
        ended(status) {
          const last = current?.file ?? files[0]
          endFile(current)
          current = undefined
          if (status === 0 || (status === 1 && failedHere > 0)) return
          const unseen = files.filter((file) => !begun.has(file)).length
          failed.push(`${last}: its process ended with ${status}; ${unseen} of its files did not run`)
        },
      }
    },
    end() {
      clearInterval(silence)
      if (skipped.length > 0) print(`\nSkipped on this machine:\n  ${skipped.join('\n  ')}`)
      if (failed.length > 0) print(`\nFailed:\n  ${failed.join('\n  ')}`)
      const minutes = ((now() - started) / 60_000).toFixed(1)
      print(`\n${passed} passed, ${failed.length} failed, ${skipped.length} skipped in ${minutes} min`)
      return failed.length === 0 && passed > 0
    },
  }
}

function lineOf(run: FileRun, at: { ended: number; count: number; started: number; now: number }): string {
  const { passed, failed, skipped } = run
  const counts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`]
  const left = ((at.now - at.started) / at.ended) * (at.count - at.ended)
  const time = `${((at.now - run.since) / 1000).toFixed(1)} s`
  const told = `${counts.filter(Boolean).join(', ')}, ${time}`
  return `${failed > 0 ? '✖' : '✔'} ${at.ended}/${at.count} ${run.file}: ${told}; about ${Math.ceil(left / 60_000)} min left`
}

const whatRuns = (running: ReadonlySet<FileRun>, now: number): string =>
  [...running].map(({ file, since }) => `${file} for ${Math.round((now - since) / 1000)} s`).join(', ') || 'starting'

const indented = (text: string): string => text.replaceAll(/^/gm, '    ')
