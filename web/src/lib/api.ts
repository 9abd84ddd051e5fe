// The HTTP API of the lobby. A refusal is thrown as an error that carries the server's message.

import { toldTheTime } from './clock'
import type { AnyRequest, Done, Film, LobbyLine, Message, Open, Opened, Seated, Snapshot } from './types'

export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly why: Message | null,
    sentence: string,
  ) {
    super(sentence)
  }
}

export async function ask<T>(path: string, token = '', body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' }
  if (token) headers.Authorization = `Bearer ${token}`
  const init: RequestInit = { headers, signal }
  if (body !== undefined) Object.assign(init, { method: 'POST', body: JSON.stringify(body) })
  const answer = await fetch(path, init)
  toldTheTime(answer.headers.get('date'))
  const told = answer.headers.get('content-type')?.includes('json') ? await answer.json() : await answer.text()
  if (!answer.ok) throw new Refused(told.code ?? 'failed', told.message ?? null, told.sentence ?? answer.statusText)
  return told as T
}

export const rules = (game: string, language: string): Promise<string> => ask(`/api/games/${game}/rules?language=${language}`)
export const lobby = (): Promise<LobbyLine[]> => ask('/api/tables')
export const open = (asked: Open): Promise<Opened> => ask('/api/tables', '', asked)
export const look = (code: string, token = ''): Promise<Snapshot> => ask(`/api/tables/${code}`, token)
export const join = (code: string, name: string, token = '', seat?: number): Promise<Seated> =>
  ask(`/api/tables/${code}/join`, token, { do: 'join', name, ...(seat === undefined ? {} : { seat }) })
export const tell = (code: string, token: string, message: AnyRequest): Promise<Done> => ask(`/api/tables/${code}/messages`, token, message)

/** A query string; a list becomes a repeated parameter. */
function query(asked: Record<string, unknown>): string {
  const pairs = Object.entries(asked).flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((each) => [name, each]))
  return new URLSearchParams(pairs.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)])).toString()
}
export const lookBack = (code: string, token: string, asked: { seat: number; from: number; many?: number; match?: number }, signal?: AbortSignal): Promise<Film> =>
  ask(`/api/tables/${code}/replay?${query(asked)}`, token, undefined, signal)
export const watch = (game: string, asked: Record<string, unknown>, signal?: AbortSignal): Promise<Film> => ask(`/api/watch/${game}?${query(asked)}`, '', undefined, signal)
