import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReportLabel } from '@ringfence/contract'
import Value from 'typebox/value'
import { findReportLabels, type Label, putReportLabel } from '../../device/store/labels/report-labels.ts'
import { eachDatabase } from '../../testing/databases.ts'

const at = (knownAt: number, label: Label) => ({ label, knownAt, labelledAt: 1000 })

eachDatabase(({ engine, open }) => {
  test(`stores labels by requestId and dfrId, and the latest knownAt counts (${engine})`, async (t) => {
    const database = await open(t)
    const request = { kind: 'requestId', id: 'r-1' } as const
    const reports = [{ requestId: 'r-1', dfrId: 'd-1' }, { requestId: 'r-2' }]
    assert.deepEqual(await findReportLabels(database, 'shop', reports), [undefined, undefined])
    assert.equal(await putReportLabel(database, 'shop', request, at(10, 'legitimate')), true)
    assert.equal(await putReportLabel(database, 'shop', request, at(20, 'chargeback')), true)
    assert.equal(await putReportLabel(database, 'shop', request, at(15, 'legitimate')), false, 'older news')
    assert.deepEqual(await findReportLabels(database, 'shop', reports), ['chargeback', undefined])
    assert.equal(await putReportLabel(database, 'shop', { kind: 'dfrId', id: 'd-1' }, at(30, 'legitimate')), true)
    assert.deepEqual(await findReportLabels(database, 'shop', reports), ['legitimate', undefined])
    assert.deepEqual(await findReportLabels(database, 'other', reports), [undefined, undefined], 'of another tenant')
    assert.deepEqual(
      await findReportLabels(database, 'shop', [{ requestId: 'd-1' }]),
      [undefined],
      'an id of the other kind',
    )
  })

  test(`finds the labels of any number of reports, in their order (${engine})`, async (t) => {
    const database = await open(t)
    const reports = Array.from({ length: 120 }, (_, i) => ({ requestId: `r-${i}` }))
    await Promise.all(
      reports.map(({ requestId }, i) =>
        i % 3 === 0
          ? putReportLabel(database, 'shop', { kind: 'requestId', id: requestId }, at(1, 'fraud'))
          : undefined,
      ),
    )
    assert.deepEqual(
      await findReportLabels(database, 'shop', reports),
      reports.map((_, i) => (i % 3 === 0 ? 'fraud' : undefined)),
    )
    assert.deepEqual(await findReportLabels(database, 'shop', []), [])
  })
})

test('accepts only labels with one report id and a known outcome', () => {
  assert.ok(Value.Check(ReportLabel, { dfrId: 'd', outcome: 'chargeback', knownAt: '2026-03-01T12:00:00Z' }))
  assert.ok(!Value.Check(ReportLabel, { dfrId: 'd', outcome: 'odd' }))
  assert.ok(!Value.Check(ReportLabel, { dfrId: 'd', outcome: 'fraud', knownAt: 'yesterday' }))
  assert.ok(!Value.Check(ReportLabel, { outcome: 'fraud' }))
  assert.ok(!Value.Check(ReportLabel, { outcome: 'fraud', requestId: 'a', dfrId: 'b' }))
})
