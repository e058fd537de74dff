// /admin/v1/rules/publications…: a person asks for rules to be live, and another one agrees.

import type {
  DecidePublicationRequest,
  NoFields,
  PreviewPublicationRequest,
  PublicationPreview,
  PublishPolicy,
  RequestPublicationRequest,
  Publication as ShownPublication,
  Publications as ShownPublications,
} from '@ringfence/contract'
import type { Core } from '../../core/core.ts'
import { Refusal } from '../../core/errors.ts'
import { type Publication, Publications, type Publisher } from '../../decisions/rule-changes/publications.ts'
import type { ActorCall } from '../call.ts'
import { refuseToTryRules } from '../masking/in-clear.ts'
import { rolesOfTenant } from '../roles.ts'
import type { AdminNeeds } from '../room.ts'
import { rolesInTenant } from '../store/people.ts'
import { isoTime, timeMember } from './iso-time.ts'
import { knownVersion, refusing } from './rule-editing.ts'

export async function adminListPublications(
  _: NoFields,
  { actor: { tenantId, session } }: ActorCall,
  needs: AdminNeeds,
): Promise<ShownPublications> {
  const all = new Publications(needs)
  const found = await all.list(tenantId)
  return {
    publications: found.map((each) => shown(each, session?.personId)),
    secondPerson: await all.policy(tenantId),
    publishers: (await publishersOf(needs.database, tenantId)).length,
  }
}

export async function adminPreviewPublication(
  { version }: PreviewPublicationRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<PublicationPreview> {
  refuseToTryRules(call.actor)
  const publisher = await publisherOf(call, needs)
  await knownVersion(needs.rules, publisher.tenantId, version)
  return new Publications(needs).preview(publisher, version, call.signal)
}

export async function adminRequestPublication(
  { version, note, alone }: RequestPublicationRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ShownPublication> {
  refuseToTryRules(call.actor)
  const publisher = await publisherOf(call, needs)
  await knownVersion(needs.rules, publisher.tenantId, version)
  const made = new Publications(needs).request(publisher, { version, note, alone }, call.signal)
  return shown(await refusing(made), publisher.personId)
}

export async function adminApprovePublication(
  { number, note = '' }: DecidePublicationRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ShownPublication> {
  const publisher = await publisherOf(call, needs)
  return shown(await refusing(new Publications(needs).approve(publisher, Number(number), note)), publisher.personId)
}

export async function adminRejectPublication(
  { number, note = '' }: DecidePublicationRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ShownPublication> {
  const publisher = await publisherOf(call, needs)
  return shown(await new Publications(needs).reject(publisher, Number(number), note), publisher.personId)
}

export async function adminSetPublishPolicy(
  { secondPerson }: PublishPolicy,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<PublishPolicy> {
  await new Publications(needs).setPolicy(tenantId, secondPerson)
  return { secondPerson }
}

/** Refuses with `personRequired` a client: its key may belong to the person who asked. */
async function publisherOf({ actor }: ActorCall, { database }: AdminNeeds): Promise<Publisher> {
  const { tenantId, name, session, permissions } = actor
  if (!session) throw new Refusal('personRequired')
  const { personId } = session
  const others = (await publishersOf(database, tenantId)).filter((each) => each !== personId)
  return { personId, name, tenantId, mayPublish: permissions.has('rules.publish'), others }
}

/** Ids of the people who may publish. */
async function publishersOf(database: Core['database'], tenantId: string): Promise<string[]> {
  const [people, roles] = await Promise.all([rolesInTenant(database, tenantId), rolesOfTenant(database, tenantId)])
  return people.flatMap(({ personId, role }) => (roles.get(role)?.has('rules.publish') ? [personId] : []))
}

function shown(publication: Publication, personId: string | undefined): ShownPublication {
  const { number, version, insteadOf, state, note, warnings, decidedByName, decisionNote, isAlone } = publication
  return {
    ...{ number, version, insteadOf, state, requestedAt: isoTime(publication.requestedAt) },
    ...{ requestedBy: publication.requestedByName, isYours: publication.requestedBy === personId, note },
    warnings: [...warnings],
    ...timeMember('decidedAt', publication.decidedAt),
    ...(decidedByName !== undefined && { decidedBy: decidedByName }),
    ...(decisionNote && { decisionNote }),
    isAlone,
  }
}
