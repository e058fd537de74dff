// The reference for workers: one read and one write of PostgreSQL for each request, on bare node:http in processes of node:cluster.

import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Client, Pool } from 'pg'
import { givenOptions } from '../harness/processes.ts'
import { serving } from '../harness/servers.ts'

export interface ClusteredOptions {
  readonly workers: number
  readonly databaseUrl: string
}

const { workers, databaseUrl } = givenOptions<ClusteredOptions>()

async function startWorkers(): Promise<void> {
  const client = new Client(databaseUrl)
  await client.connect()
  await client.query('create table if not exists bench_answer (id text primary key, user_id text, body text)')
  await client.end()
  const all = Array.from({ length: workers }, () => once(cluster.fork(), 'listening'))
  const [[{ port }]] = (await Promise.all(all)) as [[{ port: number }]]
  process.on('exit', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  })
  serving(`http://127.0.0.1:${port}`)
}

function answerRequests(): void {
  const pool = new Pool({ connectionString: databaseUrl, max: 10 })
  const answer = async (body: string) => {
    const { userId } = JSON.parse(body) as { userId: string }
    const id = randomUUID()
    await pool.query({ name: 'read', text: 'select body from bench_answer where id = $1', values: [userId] })
    const values = [id, userId, JSON.stringify({ id, userId, reasons: [], body })]
    await pool.query({ name: 'write', text: 'insert into bench_answer values ($1, $2, $3)', values })
    return values[2]!
  }
  createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', async () => {
      const text = await answer(body)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      response.end(text)
    })
  }).listen(0, '127.0.0.1')
}

if (cluster.isPrimary) await startWorkers()
else answerRequests()
