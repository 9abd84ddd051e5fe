// Patches: what a step has changed of the table and of a match (kortlek/engine/patches.py).

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Apply a patch to a value and return the result. An object changes the members that it names, of a list the entries with these indices; anything
 * else is the new value. The value is not mutated: what has changed is a copy, and what has not is the same object. */
export function merge<T>(value: T, patch: unknown): T {
  if (!isObject(patch) || Array.isArray(patch) || !isObject(value)) return patch as T
  const changes = Object.entries(patch).map(([name, change]) => [name, merge(value[name], change)] as const)
  const changed = changes.filter(([name, now]) => now !== value[name])
  if (!changed.length) return value
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  for (const [name, now] of changed) copy[name] = now
  return copy as T
}
