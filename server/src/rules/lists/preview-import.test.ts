import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PreviewedListImport } from '@ringfence/contract'
import Value from 'typebox/value'
import { adminClient } from '../../admin/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'

eachDatabase(({ engine, open }) => {
  test(`a preview says what each line would change, and writes nothing (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'analyst')
    await call('createList', { name: 'numbers', kind: 'phoneNumber', purpose: 'block' })
    const later = new Date(service.clock.now() + 86_400_000).toISOString()
    await call('addListEntries', {
      name: 'numbers',
      entries: [
        { value: '917020141726', note: 'SIM farm' },
        { value: '917020141727' },
        { value: '917020141729', expiresAt: later },
      ],
    })
    const before = (await call('readList', { name: 'numbers' })).body
    const lines = [
      'value,expires,note',
      '+91 70201 41726,,SIM farm',
      '917020141727,,now with a note',
      '# left out',
      'not a number,,',
      '"917020141728",2027-01-31,"said ""hello"""',
      `917020141729,${later},`,
      '917020141730,2020-01-01,',
    ].join('\r\n')
    const { status, body } = await call('previewListImport', { name: 'numbers', lines })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([...Value.Errors(PreviewedListImport, body)], [])
    assert.deepEqual(
      body.lines.map(({ mistake, ...each }: { mistake?: string }) => ({ ...each, ...(mistake && { mistake: true }) })),
      [
        { line: 2, state: 'unchanged', value: '917020141726', note: 'SIM farm' },
        { line: 3, state: 'changed', value: '917020141727', note: 'now with a note' },
        { line: 5, state: 'malformed', mistake: true },
        { line: 6, state: 'new', value: '917020141728', note: 'said "hello"', expiresAt: '2027-01-31T00:00:00.000Z' },
        { line: 7, state: 'unchanged', value: '917020141729', expiresAt: later },
        { line: 8, state: 'malformed', mistake: true },
      ],
    )
    assert.match(body.lines[2].mistake, /"not a number" is not of this list, which has/)
    assert.deepEqual((await call('readList', { name: 'numbers' })).body, before)

    const piece = { name: 'numbers', lines: 'an odd note,917020141799', head: 'note,value', fromLine: 1001 }
    assert.deepEqual((await call('previewListImport', piece)).body.lines, [
      { line: 1001, state: 'new', value: '917020141799', note: 'an odd note' },
    ])
  })

  test(`a preview refuses too many lines, an unknown list, and who may not write (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'analyst')
    await call('createList', { name: 'users', kind: 'userId', purpose: 'watch' })
    const many = Array.from({ length: 1_001 }, (_, i) => `u${i}`).join('\n')
    const refused = await call('previewListImport', { name: 'users', lines: many })
    assert.deepEqual([refused.status, refused.body.type], [400, '/problems/field-invalid'])
    assert.match(refused.body.detail, /more than 1000 lines/)
    const most = many.slice(0, many.lastIndexOf('\n'))
    assert.equal((await call('previewListImport', { name: 'users', lines: most })).body.lines.length, 1_000)
    const unknown = await call('previewListImport', { name: 'nothing', lines: 'u1' })
    assert.equal(unknown.body.type, '/problems/list-unknown')
    const viewer = await adminClient(service, 'viewer')
    assert.equal((await viewer('previewListImport', { name: 'users', lines: 'u1' })).status, 403)
  })
})
