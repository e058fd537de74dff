// Where do traces and metrics go? To an OpenTelemetry collector, by OTLP over HTTP, under the names of OpenTelemetry's specification.

import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { ringfenceVersion } from '../version.ts'

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win over our names. */
export function resourceOfService(): Resource {
  const ours = resourceFromAttributes({
    'service.name': 'ringfence',
    'service.version': ringfenceVersion(),
    // Workers send apart, and a collector must not take one for the other.
    ...(cluster.isWorker && { 'service.instance.id': randomUUID() }),
  })
  return ours.merge(detectResources({ detectors: [envDetector] }))
}

/** `https://collector:4318/v1/traces` */
export const urlOf = (endpoint: string, kind: 'traces' | 'metrics'): string =>
  `${endpoint.replace(/\/+$/, '')}/v1/${kind}`
