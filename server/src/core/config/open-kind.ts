// Which connector, portability source or channel does an entry of the configuration file describe? Its `type` chooses the kind.

import type { TSchema } from 'typebox'
import { ConfigurationError } from './config.ts'
import { nearestWord } from './nearest-word.ts'
import { firstMistake } from './schema-errors.ts'

export interface Kind<Made, Resources> {
  /** `type` in the configuration file. */
  readonly type: string
  /** Schema of the entry. */
  readonly Config: TSchema
  /** Throws an error that names the key when the configuration cannot work. */
  create(name: string, config: unknown, resources: Resources): Made
}

/**
 * Opens the entry `name` of a part of the configuration file (`connectors`, `portabilitySources`, `channels`). Throws a
 * ConfigurationError that names the key.
 */
export function openKind<Made, Resources>(
  part: string,
  name: string,
  entry: { readonly type: string },
  kinds: readonly Kind<Made, Resources>[],
  resources: Resources,
): Made {
  const at = `${part}.${name}`
  const kind = kinds.find(({ type }) => type === entry.type)
  if (!kind) throw new ConfigurationError(unknownType(`${at}.type`, entry.type, kinds))
  const mistake = firstMistake(kind.Config, entry, { at })
  if (mistake) throw new ConfigurationError(mistake)
  try {
    return kind.create(name, entry, resources)
  } catch (cause) {
    throw new ConfigurationError(`${at}: ${(cause as Error).message}`, { cause })
  }
}

function unknownType(key: string, type: string, kinds: readonly { readonly type: string }[]): string {
  const types = kinds.map((kind) => kind.type)
  const nearest = nearestWord(type, types)
  return `${key} is ${type}; use one of ${types.join(', ')}${nearest === undefined ? '' : `. Did you mean ${nearest}?`}`
}
