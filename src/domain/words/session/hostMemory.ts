/**
 * For the C library of a host's process (glibc's manual, "Memory Allocation Tunables"; others ignore it): larger pieces
 * of memory return to the system when they are freed. By default glibc's bounds grow with the first free, and keep 25
 * MB of a flood for good.
 */
export const hostMemory: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: "32768",
  MALLOC_TRIM_THRESHOLD_: "131072"
}

const isAllocators = (name: string): boolean => name.startsWith("MALLOC_") || name === "GLIBC_TUNABLES"

/** A host's environment. The user's own settings of the C library's allocator stay. */
export const hostEnvironment = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.keys(env).some(isAllocators) ? { ...env } : { ...env, ...hostMemory }

/** The variables of a host's environment that are not for its CLI. */
export const hostOnly = (env: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> => {
  const names = Object.keys(hostMemory)
  return names.every((name) => env[name] === hostMemory[name]) ? names : []
}
