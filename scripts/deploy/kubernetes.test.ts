import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '@ringfence/server/core/config/config.ts'
import { environmentOf } from '@ringfence/server/core/config/settings.ts'
import { migrationTimeoutMs } from '@ringfence/server/core/storage/migrate.ts'
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap'
import type { IService } from 'kubernetes-models/v1/Service'
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount'
import { parse } from 'yaml'
import rootPackage from '../../package.json' with { type: 'json' }
import { renderTemplate } from './helm-template.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')

interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string }
}

/** Without optional fields: a test reads what it expects. */
type Whole<T> = T extends readonly (infer Item)[]
  ? Whole<Item>[]
  : T extends object
    ? { [Name in keyof T]-?: Whole<NonNullable<T[Name]>> }
    : T

interface Kinds {
  'configuration.yaml': IConfigMap
  'deployment.yaml': IDeployment
  'disruption-budget.yaml': IPodDisruptionBudget
  'network-policy.yaml': INetworkPolicy
  'service-account.yaml': IServiceAccount
  'service.yaml': IService
  'settings.yaml': IConfigMap
}
const pick = <File extends keyof Kinds>(from: ReadonlyMap<string, Resource>, file: File) =>
  from.get(file) as unknown as Whole<Kinds[File]>

const base = (parse(read('kubernetes/kustomization.yaml')) as { resources: string[] }).resources
const resources = new Map(base.map((file) => [file, parse(read(`kubernetes/${file}`)) as Resource]))
const deployment = pick(resources, 'deployment.yaml')
const pod = deployment.spec.template.spec
const container = pod.containers[0]!
const chart = 'helm/ringfence'
const values = parse(read(`${chart}/values.yaml`)) as Record<string, unknown>
const rendered = (Values: Record<string, unknown>, Name = 'ringfence') =>
  new Map(
    readdirSync(join(root, 'deploy', chart, 'templates')).map((file) => [
      file,
      parse(renderTemplate(read(`${chart}/templates/${file}`), { Values, Release: { Name } })) as Resource,
    ]),
  )

/** The mistakes that Kubernetes would find, and fields that it does not know and would ignore. */
async function mistakes(all: Iterable<Resource>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-kubernetes-'))
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const typed = [...all].map(({ apiVersion, kind, ...rest }, i) => {
      const literal = JSON.stringify({ apiVersion, kind, ...rest }, null, 1)
      return `import type { I${kind} as T${i} } from 'kubernetes-models/${apiVersion}/${kind}'\nexport const r${i}: T${i} = ${literal}\n`
    })
    await writeFile(join(folder, 'resources.ts'), typed.join(''))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const words = [tsc, '--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve', 'resources.ts']
    return await promisify(execFile)(process.execPath, words, { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the manifests have the types and fields of the Kubernetes API', async () => {
  assert.equal(await mistakes(resources.values()), '')
  const budget = resources.get('disruption-budget.yaml')!
  assert.match(await mistakes([{ ...budget, spec: { maxUnavailabel: 1 } } as Resource]), /maxUnavailabel/)
  assert.match(await mistakes([{ ...budget, spec: { maxUnavailable: [1] } } as Resource]), /TS2322.*not assignable/)
  for (const { kind, apiVersion, ...rest } of resources.values()) {
    const model = (await import(`kubernetes-models/${apiVersion}/${kind}`))[kind]
    assert.doesNotThrow(() => new model(rest).validate(), kind)
  }
})

test('the base lists every file of its folder', () => {
  const files = readdirSync(join(root, 'deploy/kubernetes')).filter((file) => file !== 'kustomization.yaml')
  assert.deepEqual(base.toSorted(), files.toSorted())
})

test('the chart with its default values renders the kustomize base', () => {
  const files = rendered(values)
  assert.deepEqual([...files.keys()].toSorted(), base.toSorted())
  for (const [file, resource] of files) {
    const expected = resources.get(file)
    assert.deepEqual(resource, expected, file)
  }
})

test('the chart renders what its values say, and valid manifests', async () => {
  const files = rendered(
    {
      ...values,
      replicas: 5,
      image: 'registry.example/ringfence@sha256:abc',
      secret: 'fraud-secret',
      settings: { LOG_LEVEL: 'warn', CLIENT_RATE_PER_SECOND: 100 },
      configuration: { operators: [{ id: '204-08' }] },
      drainSeconds: 60,
      networkPolicy: { from: [{ podSelector: {} }], egressPorts: [6432] },
    },
    'fraud',
  )
  const { spec } = pick(files, 'deployment.yaml')
  assert.equal(spec.replicas, 5)
  const only = spec.template.spec.containers[0]!
  assert.equal(only.image, 'registry.example/ringfence@sha256:abc')
  const secrets = only.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.name ?? [])
  assert.deepEqual(secrets, ['fraud-secret', 'fraud-secret'])
  const [configuration, secret] = spec.template.spec.volumes
  assert.equal(secret!.secret.secretName, 'fraud-secret')
  assert.equal(configuration!.configMap.name, 'fraud-configuration')
  assert.deepEqual(parse(pick(files, 'configuration.yaml').data['ringfence.yaml']!), { operators: [{ id: '204-08' }] })
  assert.deepEqual(pick(files, 'settings.yaml').data, { LOG_LEVEL: 'warn', CLIENT_RATE_PER_SECOND: '100' })
  assert.equal(only.env.find(({ name }) => name === 'DRAIN_MS')?.value, '60000')
  assert.equal(spec.template.spec.terminationGracePeriodSeconds, 95, 'a longer drain is not cut off')
  const { matchLabels } = spec.selector
  assert.deepEqual(spec.template.metadata.labels, matchLabels)
  assert.deepEqual(pick(files, 'service.yaml').spec.selector, matchLabels)
  assert.deepEqual(pick(files, 'disruption-budget.yaml').spec.selector.matchLabels, matchLabels)
  assert.equal(pick(files, 'network-policy.yaml').spec.egress[1]!.ports[0]!.port, 6432)
  for (const { metadata } of files.values()) assert.match(metadata.name, /^fraud(?:-configuration)?$/)
  assert.equal(await mistakes(files.values()), '')
  assert.throws(() => rendered({ ...values, image: undefined, replicas: {} }), /is not a plain value/)
  assert.throws(() => renderTemplate('{{ lookup "v1" }}', { Values: {}, Release: { Name: 'a' } }), /does not know/)
})

test('pods meet the restricted Pod Security Standard, and have no token of the Kubernetes API', () => {
  assert.equal(pod.automountServiceAccountToken, false)
  assert.equal(pick(resources, 'service-account.yaml').automountServiceAccountToken, false)
  assert.equal(pod.securityContext.runAsNonRoot, true)
  assert.equal(pod.securityContext.seccompProfile.type, 'RuntimeDefault')
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  const kinds = pod.volumes.flatMap(({ name: _, ...volume }) => Object.keys(volume))
  assert.deepEqual(new Set(kinds), new Set(['configMap', 'secret', 'emptyDir']), 'no volume of the host')
  for (const name of ['hostNetwork', 'hostPID', 'hostIPC'] as const) assert.equal(pod[name], undefined)
})

test('at least two servers run, one of them during a drain, and a stop is longer than the drain', () => {
  const { replicas, strategy } = deployment.spec
  assert.ok(replicas >= 2)
  assert.equal(strategy.rollingUpdate.maxUnavailable, 0)
  const budget = pick(resources, 'disruption-budget.yaml').spec
  assert.ok(Number(budget.maxUnavailable) < replicas)
  const drainMs = Number(container.env.find(({ name }) => name === 'DRAIN_MS')?.value)
  const { periodSeconds, failureThreshold } = container.readinessProbe
  assert.ok(drainMs >= 2 * 1000 * periodSeconds * failureThreshold, 'the drain lasts two times the probes need')
  assert.ok(pod.terminationGracePeriodSeconds * 1000 > drainMs + 30_000)
})

test('a start has the time that a migration may take, before Kubernetes ends it and the migration starts again', () => {
  const { periodSeconds, failureThreshold } = container.startupProbe
  assert.ok(periodSeconds * failureThreshold * 1000 >= migrationTimeoutMs)
})

test('every environment variable is a setting of the program or names its configuration, and secrets are references', () => {
  const known = [...Object.values(environmentOf), 'CONFIG_FILE']
  const names = [...container.env.map(({ name }) => name), ...Object.keys(pick(resources, 'settings.yaml').data)]
  for (const name of names) assert.ok(known.includes(name), name)
  const isSecret = /(?:KEY|TOKEN|URL)$/
  for (const { name, value } of container.env) if (isSecret.test(name)) assert.equal(value, undefined, name)
})

test('the configuration and the master key are files, which the server accepts and cannot change', async (t) => {
  const settingOf = (variable: string) => container.env.find(({ name }) => name === variable)?.value ?? ''
  const mountOf = (path: string) => container.volumeMounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`))!
  const volumeOf = (path: string) => pod.volumes.find(({ name }) => name === mountOf(path).name)!
  const [file, key] = [settingOf('CONFIG_FILE'), settingOf('MASTER_KEY_FILE')]
  for (const path of [file, key]) assert.equal(mountOf(path).readOnly, true, path)
  const { secretName, defaultMode } = volumeOf(key).secret
  assert.equal(secretName, 'ringfence')
  assert.equal(defaultMode, 0o440, 'the group of the pod reads it, and nobody else')

  const map = pick(resources, 'configuration.yaml')
  assert.equal(volumeOf(file).configMap.name, map.metadata.name)
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-configuration-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, basename(file))
  await writeFile(path, map.data[basename(file)]!)
  assert.deepEqual(readConfig({ file: path }).operators, [])
})

test('image and chart have the version of the package', () => {
  const { version } = rootPackage
  assert.equal(container.image, `ringfence:${version}`)
  const about = parse(read(`${chart}/Chart.yaml`))
  assert.deepEqual([about.version, about.appVersion], [version, version])
})
