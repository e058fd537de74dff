import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { assertFailed, type CommandLine, commandLine, program, type ServiceProcess } from '../testing.ts'

describe('ringfence check --file', () => {
  let line: CommandLine
  let service: ServiceProcess
  const ends: (() => unknown)[] = []
  after(async () => {
    for (const end of ends) await end()
  })
  before(async () => {
    line = await commandLine({ after: (end) => ends.push(end) })
    service = await line.serve(['--sandbox'])
  })
  const check = (...args: string[]) => line.run(['check', ...args], { env: { RINGFENCE_URL: service.url } })
  const inFolder = (name: string) => join(line.folder, name)
  const write = (name: string, ...lines: string[]) => writeFileSync(inFolder(name), `${lines.join('\n')}\n`)
  const read = (name: string) => readFileSync(inFolder(name), 'utf8')

  test('writes a row of results for each number, with the columns of the file', async () => {
    write(
      'numbers.csv',
      'customer,phoneNumber',
      '1001,917020140111',
      '1002,+91 7020 141726',
      '1003,12',
      '=cmd(),917020141726',
    )
    const { code, stdout, stderr } = await check(
      '--file',
      'numbers.csv',
      '--out',
      'results.csv',
      'simSwap:maxAge=240',
      'portability',
    )
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^results\.csv: 4 lines, 3 answered, 0 without an answer, 1 invalid\n/)
    assert.match(stdout, /\nErrors: P7102 1 times\n/)
    assert.match(stdout, /\nAnswers of the sandbox are made up\.\n$/)
    const [head, first, second, short, formula] = read('results.csv').split('\n')
    assert.match(
      head!,
      /^phoneNumber,customer,line,operator,homeOperator,isPorted,country,type,simSwap\.success,simSwap\.swapped,/,
    )
    assert.match(first!, /^917020140111,1001,2,SANDBOX_\w+,SANDBOX_\w+,\w+,IN,MOBILE,true,true,/)
    assert.match(second!, /^'\+91 7020 141726,1002,3,.*,true,false,/)
    assert.match(short!, /^12,1003,4,,.*,P7102,Request error: Invalid phone number: phoneNumber /)
    assert.match(formula!, /^917020141726,'=cmd\(\),5,/)
    assert.ok(!existsSync(inFolder('results.csv.batch.json')) && !existsSync(inFolder('results.csv.part')))
  })

  test('reads and writes NDJSON by the names of the files, and prints the batch as JSON', async () => {
    write('numbers.ndjson', '{"phoneNumber":"917020141726","id":7}', '{"phoneNumber":7}', 'nonsense')
    const { code, stdout } = await check('--file', 'numbers.ndjson', '--out', 'results.jsonl', 'portability', '--json')
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(stdout).counts, {
      total: 3,
      done: 3,
      answered: 1,
      failed: 0,
      invalid: 2,
      duplicates: 0,
    })
    const [first, ...broken] = read('results.jsonl')
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text))
    assert.deepEqual([first.line, first.data, first.checks.portability.success], [1, { id: '7' }, true])
    assert.deepEqual(
      broken.map(({ line, error }) => [line, error.errorCode]),
      [
        [2, 'P7351'],
        [3, 'P7351'],
      ],
    )
  })

  test('states what the numbers are checked for, and a file of results has one purpose', async () => {
    write('stated.csv', 'phoneNumber', '917020141726')
    const args = ['--file', 'stated.csv', '--out', 'stated-results.csv', 'portability', '--json']
    const purpose = ['--purpose', 'dpv:IdentityVerification', '--legal-basis', 'CONSENT', '--consent-reference', 'c-1']
    const { code, stdout, stderr } = await check(...args, ...purpose)
    assert.equal(code, 0, stderr)
    const consent = { purpose: 'dpv:IdentityVerification', legalBasis: 'CONSENT', reference: 'c-1' }
    assert.deepEqual(JSON.parse(stdout).consent, consent)
    const sha256 = createHash('sha256').update('phoneNumber\n917020141726\n').digest('hex')
    const state = { url: service.url, sha256, checks: 'portability', key: 'k', consent: JSON.stringify(consent) }
    write('stated-results.csv.batch.json', JSON.stringify(state))
    const [without, withoutPurpose] = await Promise.all([
      check(...args),
      check('--file', 'stated.csv', '--out', 'x.csv', '--legal-basis', 'CONSENT'),
    ])
    assertFailed(without, /stated-results\.csv\.batch\.json is of another purpose, legal basis or reference: choose/)
    assertFailed(withoutPurpose, /belong to a purpose: add --purpose/)
  })

  test('says what is wrong before it begins, and leaves nothing behind', async () => {
    write('headless.csv', '917020141726')
    write('some.csv', 'phoneNumber', '917020141726')
    write('other.csv.batch.json', JSON.stringify({ url: service.url, sha256: 'x', checks: 'portability', key: 'k' }))
    const [headless, missing, noOut, nothing, other, unknown] = await Promise.all([
      check('--file', 'headless.csv', '--out', 'none.csv'),
      check('--file', 'missing.csv', '--out', 'none.csv'),
      check('--file', 'some.csv'),
      check('--file', 'some.csv', '--out', 'nothing.csv', '--cancel'),
      check('--file', 'some.csv', '--out', 'other.csv', 'portability'),
      check('--file', 'some.csv', '--out', 'none.csv', 'simSwaps'),
    ])
    assertFailed(headless, /the first line of CSV must name its columns, one of them phoneNumber \(HTTP 400 P7357\)/)
    assertFailed(missing, /missing\.csv cannot be read: it does not exist/)
    assertFailed(noOut, /--file needs --out/, 2)
    assertFailed(nothing, /no batch of some\.csv is running for nothing\.csv/)
    assertFailed(other, /other\.csv\.batch\.json is of another file of numbers: choose another --out/)
    assertFailed(unknown, /There is no check simSwaps\./, 2)
    assert.ok(!existsSync(inFolder('none.csv')) && !existsSync(inFolder('none.csv.batch.json')))
  })

  test('never overwrites its own input, by whatever name', async () => {
    write('precious.csv', 'phoneNumber', '917020141726')
    symlinkSync('precious.csv', inFolder('link.csv'))
    linkSync(inFolder('precious.csv'), inFolder('hard.csv'))
    write('mine.csv.part', 'phoneNumber', '917020141726')
    const runs = await Promise.all([
      ...['precious.csv', './precious.csv', 'link.csv', 'hard.csv'].map((out) =>
        check('--file', 'precious.csv', '--out', out, '--overwrite', 'portability'),
      ),
      check('--file', 'mine.csv.part', '--out', 'mine.csv', 'portability'),
    ])
    for (const run of runs) assertFailed(run, /would overwrite (precious\.csv|mine\.csv\.part).*: choose another --out/)
    for (const name of ['precious.csv', 'mine.csv.part']) assert.equal(read(name), 'phoneNumber\n917020141726\n')
  })

  test('overwrites the results of another batch with --overwrite only', async () => {
    write('again.csv', 'phoneNumber', '917020141726')
    write('paid.csv', 'results of another batch')
    const args = ['--file', 'again.csv', '--out', 'paid.csv', 'portability']
    assertFailed(await check(...args), /paid\.csv exists.*: choose another --out, or add --overwrite/)
    assert.equal(read('paid.csv'), 'results of another batch\n')
    assert.ok(!existsSync(inFolder('paid.csv.batch.json')))
    const { code, stderr } = await check(...args, '--overwrite')
    assert.equal(code, 0, stderr)
    assert.match(read('paid.csv'), /^phoneNumber,line/)
  })

  test('says that the folder of the results is wrong', async () => {
    write('few.csv', 'phoneNumber', '917020141726')
    mkdirSync(inFolder('folder'))
    const [missing, folder] = await Promise.all([
      check('--file', 'few.csv', '--out', 'reslts/results.csv', 'portability'),
      check('--file', 'few.csv', '--out', 'folder', 'portability'),
    ])
    assertFailed(missing, /the folder of --out reslts\/results\.csv does not exist: create it, or choose another --out/)
    assertFailed(folder, /folder is a folder: add a file name to --out/)
  })

  test('goes on after Ctrl-C and a kill of the service, and cancels when told to', async (t) => {
    const slow = await commandLine(t)
    const file = join(slow.folder, 'numbers.csv')
    writeFileSync(file, ['phoneNumber', ...Array.from({ length: 4000 }, (_, n) => 917_020_252_000 + n)].join('\n'))
    const [port] = await freePorts(1)
    const serve = (create: boolean) =>
      slow.serve(['--sandbox', '--port', String(port)], { env: { BATCH_CONCURRENCY: '1' }, create })
    const running = await serve(true)
    const args = ['check', '--file', 'numbers.csv', '--out', 'results.csv', 'simSwap']

    const first = spawn(process.execPath, [program, ...args], {
      ...{ cwd: slow.folder, stdio: ['ignore', 'ignore', 'pipe'] },
      env: { PATH: process.env.PATH, HOME: slow.folder, RINGFENCE_URL: running.url },
    })
    let shown = ''
    first.stderr!.setEncoding('utf8').on('data', (text) => {
      shown += text
      // Once the batch is there, which the first line says.
      if (/ of 4000 checked/.test(text)) first.kill('SIGINT')
    })
    const [code] = await once(first, 'close')
    assert.equal(code, 130, shown)
    assert.match(shown, /The service goes on with it\. The same command shows its progress and writes results\.csv; /)
    assert.ok(!existsSync(join(slow.folder, 'results.csv')))
    const { batchId } = JSON.parse(readFileSync(join(slow.folder, 'results.csv.batch.json'), 'utf8'))
    assert.ok(batchId)

    await running.stop('SIGKILL')
    await serve(false)
    const canceled = await slow.run([...args, '--cancel'], { env: { RINGFENCE_URL: running.url } })
    assert.equal(canceled.code, 1, canceled.stderr)
    assert.match(canceled.stdout, /^results\.csv: 4000 lines, .*\nThe batch was canceled: /)
    const rows = readFileSync(join(slow.folder, 'results.csv'), 'utf8').trimEnd().split('\n')
    assert.equal(rows.length, 4001)
    assert.ok(rows.at(-1)!.includes('P7352'), String(rows.at(-1)))
    assert.ok(!existsSync(join(slow.folder, 'results.csv.batch.json')))
  })
})
